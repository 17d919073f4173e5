//! Files that grant permissions, or that a program runs later outside of the sandbox: a file tool never changes them without
//! a question, except in the mode `yolo` or by a rule that names them, and commands do not write those that a project has.
//!
//! Instructions for models (`AGENTS.md`, `CLAUDE.md`, skills of other agents) are not among them: they grant nothing, what a
//! model does because of them is decided call by call, and changing them is ordinary work. Build files are not either,
//! because a project is expected to change them.

/// Folders, at any depth: git's own, this program's project settings and skills, those of editors and of hooks, keys.
const FOLDERS: [&str; 11] = [
    ".devcontainer",
    ".git",
    ".githooks",
    ".gnupg",
    ".husky",
    ".idea",
    ".opencode",
    ".ssh",
    ".throughline",
    ".vscode",
    ".zed",
];

/// Files, at any depth: they start servers, or are read when a shell, an editor or git starts.
const FILES: [&str; 24] = [
    ".bash_login",
    ".bash_logout",
    ".bash_profile",
    ".bashrc",
    ".devcontainer.json",
    ".envrc",
    ".exrc",
    ".gdbinit",
    ".gitconfig",
    ".login",
    ".mcp.json",
    ".npmrc",
    ".nvim.lua",
    ".profile",
    ".tmux.conf",
    ".vimrc",
    ".yarnrc.yml",
    ".zlogin",
    ".zlogout",
    ".zprofile",
    ".zshenv",
    ".zshrc",
    "opencode.json",
    "opencode.jsonc",
];

/// What names begin with in the settings folder of another agent or of a user's program.
const SETTINGS: [(&str, &str); 10] = [
    (".cargo", "config"),
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

/// What package managers write when they install.
#[cfg(feature = "builtin")]
const INSTALLED: [&str; 4] = [".githooks", ".husky", ".npmrc", ".yarnrc.yml"];

/// What git runs by itself in its folder, and what says where else that is.
#[cfg(feature = "builtin")]
pub(crate) const GIT: [&str; 4] = ["commondir", "config", "config.worktree", "hooks"];

/// Returns true if the file, relative to the workspace, is one of these. Some file systems ignore case.
#[must_use]
pub fn runs_later(inside: &str) -> bool {
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

/// Returns true if a pattern names a file or a folder of these that is a part of this path, both relative to the workspace.
#[must_use]
pub fn names_what_runs_later(pattern: &str, inside: &str) -> bool {
    let (pattern, inside) = (pattern.to_lowercase(), inside.to_lowercase());
    let is_listed = |part: &str| {
        FOLDERS.contains(&part)
            || FILES.contains(&part)
            || SETTINGS.iter().any(|(folder, _)| *folder == part)
            || part.ends_with(".code-workspace")
    };
    let parts: Vec<&str> = inside.split('/').collect();
    let mut named = pattern.split('/').filter(|part| is_listed(part));
    // `*.code-workspace` names a kind of files.
    named.any(|part| parts.contains(&part) || part == "*.code-workspace")
}

/// How much of a folder is one of these.
#[cfg(feature = "builtin")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fixed {
    /// All of it; commands do not write it.
    Whole,
    /// Some of its entries.
    Parts,
}

/// What of an entry at the top of a project commands must not write, by its lower-case name. `None`: all of it may be
/// written, also where package managers put hooks when they install.
#[cfg(feature = "builtin")]
pub(crate) fn fixed(name: &str) -> Option<Fixed> {
    if name == ".git" || SETTINGS.iter().any(|(folder, _)| *folder == name) {
        return Some(Fixed::Parts);
    }
    (runs_later(name) && !INSTALLED.contains(&name)).then_some(Fixed::Whole)
}

/// Returns true if an entry of a folder with [`Fixed::Parts`] must not be written. Both names are in lower case.
#[cfg(feature = "builtin")]
pub(crate) fn is_fixed_part(folder: &str, name: &str) -> bool {
    match folder {
        ".git" => GIT.contains(&name),
        _ => runs_later(&format!("{folder}/{name}")),
    }
}

#[cfg(test)]
mod tests;
