//! The commands by what they are for, the most used first.

/// Of commands that no group names.
const OTHERS: &str = "more";

/// The groups, each with the first words of its commands.
const GROUPS: [(&str, &[&str]); 4] = [
    ("context", &["context", "compact", "undo", "pin"]),
    (
        "session",
        &[
            "resume", "model", "effort", "diff", "cost", "status", "agents", "jobs", "clear", "fork",
            "continue", "copy", "export", "rename", "sessions", "quit",
        ],
    ),
    ("turns", &["messages", "redo", "pins", "unpin", "summaries", "checkpoints", "session", "handoff"]),
    (
        "settings",
        &[
            "permissions",
            "plan",
            "add-dir",
            "config",
            "vim",
            "output-style",
            "hooks",
            "mcp",
            "plugin",
            "skills",
            "memos",
            "help",
        ],
    ),
];

/// The group of a command, and its place in the list.
pub(super) fn place(command: &str) -> (&'static str, (usize, usize)) {
    let found = GROUPS.iter().enumerate().find_map(|(group, (name, commands))| {
        let at = commands.iter().position(|own| *own == command)?;
        Some((*name, (group, at)))
    });
    found.unwrap_or((OTHERS, (GROUPS.len(), 0)))
}
