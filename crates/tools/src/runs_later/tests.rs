//! Tests of which files are protected.

use super::{Fixed, fixed, is_fixed_part, runs_later};

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
        ".devcontainer.json",
        "opencode.json",
        ".opencode/agent/x.md",
        ".cargo/config.toml",
        ".yarnrc.yml",
        "packages/a/.npmrc",
        ".gdbinit",
    ] {
        assert!(runs_later(path), "{path}");
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
        assert!(!runs_later(path), "{path}");
    }
}

#[test]
fn commands_leave_what_runs_later_except_for_the_hooks_of_package_managers() {
    for name in [".mcp.json", ".envrc", ".vscode", ".throughline", "app.code-workspace"] {
        assert_eq!(fixed(name), Some(Fixed::Whole), "{name}");
    }
    for name in [".git", ".claude", ".gemini"] {
        assert_eq!(fixed(name), Some(Fixed::Parts), "{name}");
    }
    for name in [".husky", ".githooks", ".npmrc", ".yarnrc.yml", "src", ".github", "package.json"] {
        assert_eq!(fixed(name), None, "{name}");
    }
    assert!(is_fixed_part(".git", "hooks") && is_fixed_part(".git", "config"));
    assert!(is_fixed_part(".claude", "settings.local.json"));
    assert!(!is_fixed_part(".git", "index") && !is_fixed_part(".claude", "skills"));
}
