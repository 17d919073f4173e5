//! Files that grant permissions, or that a program runs later outside of the sandbox: a change of them is never made without
//! a question, except in the mode `yolo` or by a rule that names them.
//!
//! Instructions for models (`AGENTS.md`, `CLAUDE.md`, skills of other agents) are not among them: they grant nothing, what a
//! model does because of them is decided call by call, and changing them is ordinary work. Build files are not either,
//! because a project is expected to change them.

/// Folders, at any depth: git's own, this program's project settings and skills, those of editors and of hooks, keys.
const FOLDERS: [&str; 10] = [
    ".devcontainer",
    ".git",
    ".githooks",
    ".gnupg",
    ".husky",
    ".idea",
    ".ssh",
    ".throughline",
    ".vscode",
    ".zed",
];

/// Files, at any depth: they start servers, or are read when a shell, an editor or git starts.
const FILES: [&str; 18] = [
    ".bash_login",
    ".bash_logout",
    ".bash_profile",
    ".bashrc",
    ".envrc",
    ".exrc",
    ".gitconfig",
    ".login",
    ".mcp.json",
    ".nvim.lua",
    ".profile",
    ".tmux.conf",
    ".vimrc",
    ".zlogin",
    ".zlogout",
    ".zprofile",
    ".zshenv",
    ".zshrc",
];

/// What names begin with in the settings folder of another agent or of a user's program.
const SETTINGS: [(&str, &str); 9] = [
    (".claude", "hooks"),
    (".claude", "settings"),
    (".codex", "config."),
    (".config", "autostart"),
    (".config", "fish"),
    (".config", "git"),
    (".config", "systemd"),
    (".cursor", "mcp.json"),
    (".gemini", "settings."),
];

/// Returns true if the file, relative to the workspace, is protected. Some file systems ignore case.
pub(super) fn is_protected(inside: &str) -> bool {
    let lower = inside.to_lowercase();
    let parts: Vec<&str> = lower.split('/').collect();
    let named = |part: &&str| FOLDERS.contains(part);
    let setting = |pair: &[&str]| match pair {
        [folder, name] => SETTINGS.iter().any(|(of, start)| folder == of && name.starts_with(start)),
        _ => false,
    };
    parts.iter().any(named)
        || parts.last().is_some_and(|name| FILES.contains(name) || name.ends_with(".code-workspace"))
        || parts.windows(2).any(setting)
}

#[cfg(test)]
mod tests;
