//! Tests of which files are protected.

use super::is_protected;

#[test]
fn files_that_run_later_are_protected_at_any_depth_and_in_any_case() {
    for path in [
        ".git/hooks/pre-commit",
        ".git/config",
        "sub/.GIT/config",
        ".git",
        ".throughline/config.toml",
        ".throughline/skills/a/SKILL.md",
        ".throughline/commands/x.md",
        ".mcp.json",
        "packages/a/.mcp.json",
        ".claude/settings.json",
        ".claude/settings.local.json",
        ".claude/hooks/x.sh",
        ".envrc",
        "api/.envrc",
        ".vscode/tasks.json",
        ".VSCode/launch.json",
        "app.code-workspace",
        ".idea/workspace.xml",
        ".zed/tasks.json",
        ".devcontainer/devcontainer.json",
        ".husky/pre-commit",
        ".ssh/authorized_keys",
        ".bashrc",
        ".config/fish/config.fish",
        ".config/systemd/user/x.service",
    ] {
        assert!(is_protected(path), "{path}");
    }
}

#[test]
fn ordinary_files_are_not_protected() {
    for path in [
        ".",
        "src/main.rs",
        ".github/workflows/ci.yml",
        ".gitignore",
        ".gitattributes",
        "AGENTS.md",
        "CLAUDE.md",
        ".claude/skills/a/SKILL.md",
        ".claude/commands/x.md",
        "git/config",
        "vscode/tasks.json",
        "settings.json",
        "config/settings.toml",
        "Makefile",
        "package.json",
        ".env",
    ] {
        assert!(!is_protected(path), "{path}");
    }
}
