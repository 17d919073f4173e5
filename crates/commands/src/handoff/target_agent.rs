//! A handoff for another agent: a file with its first prompt, and the command that starts it.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::ValueEnum;
use serde_json::json;
use throughline_continuity::SessionDirectory as _;
use throughline_stored::SessionHandle;
use throughline_text::{cut_end, plain, shell_word};

use crate::answer::Answer;

/// Maximum bytes of the handoff in the prompt. A command line takes 128 KiB of one argument.
const HANDOFF: usize = 24 * 1024;

/// An agent that can start from a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum TargetAgent {
    /// Claude Code
    Claude,
    /// Codex CLI
    Codex,
    /// OpenCode
    Opencode,
    /// Gemini CLI
    Gemini,
}

impl TargetAgent {
    /// The words in front of the prompt that start an interactive session.
    const fn program(self) -> &'static str {
        match self {
            Self::Claude => "claude",
            Self::Codex => "codex",
            Self::Opencode => "opencode --prompt",
            Self::Gemini => "gemini --prompt-interactive",
        }
    }
}

/// Writes the prompt into the data folder, for the owner's eyes alone, and returns the command.
pub(super) async fn handoff_for(handle: &SessionHandle, agent: TargetAgent) -> anyhow::Result<Answer> {
    let context = handle.restored_context().await?.text("");
    let lines = handle.handoff().await?.lines().join("\n");
    let shown = cut_end(&lines, HANDOFF);
    let cut = if shown.len() < lines.len() { "\n[cut here]" } else { "" };
    let prompt = include_str!("brief.md")
        .replace("{handoff}", &format!("{shown}{cut}"))
        .replace("{context}", &context);
    let file = write(handle, plain(&prompt).trim_end())?;
    let info = handle.storage.store.sessions().get(&handle.session).await?;
    let folder = info.map(|info| info.workspace).filter(|folder| Path::new(folder).is_dir());
    let enter = folder.map_or_else(String::new, |folder| format!("cd {} && ", shell_word(&folder)));
    let path = shell_word(&file.display().to_string());
    let command = format!("{enter}{} \"$(cat {path})\"", agent.program());
    let text = format!("Wrote the first prompt to {}. Start the agent with:\n\n{command}", file.display());
    Ok(Answer { text, json: json!({"file": file, "command": command}) })
}

fn write(handle: &SessionHandle, prompt: &str) -> anyhow::Result<PathBuf> {
    let folder = handle.storage.folder.root().join("handoffs");
    let file = folder.join(format!("{}.md", handle.session));
    let written = || {
        std::fs::create_dir_all(&folder)?;
        // A temporary file is readable by its owner alone.
        let mut new = tempfile::NamedTempFile::new_in(&folder)?;
        writeln!(new, "{prompt}")?;
        new.persist(&file).map_err(|error| error.error)
    };
    written().with_context(|| format!("could not write the handoff to {}", file.display()))?;
    Ok(file)
}
