//! Which transcripts of other agents a server shows.

use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::Args;
use throughline_commands::UsageError;
use throughline_server::TranscriptPlace;
use throughline_watch::FileAgent;

/// The transcripts of other agents that lie on this machine. They are read, and never stored or changed.
#[derive(Debug, Args)]
pub(crate) struct TranscriptArgs {
    /// Show the sessions of Claude Code: those of this user, or the transcripts in FOLDER
    #[arg(long, value_name = "FOLDER", num_args = 0..=1)]
    claude: Option<Option<PathBuf>>,
    /// Show the sessions of Codex: those of this user, or the transcripts in FOLDER
    #[arg(long, value_name = "FOLDER", num_args = 0..=1)]
    codex: Option<Option<PathBuf>>,
    /// Show the sessions of Copilot CLI: those of this user, or the transcripts in FOLDER
    #[arg(long, value_name = "FOLDER", num_args = 0..=1)]
    copilot: Option<Option<PathBuf>>,
    /// Show the sessions of Gemini CLI: those of this user, or the transcripts in FOLDER
    #[arg(long, value_name = "FOLDER", num_args = 0..=1)]
    gemini: Option<Option<PathBuf>>,
    /// Show the sessions of pi: those of this user, or the transcripts in FOLDER
    #[arg(long, value_name = "FOLDER", num_args = 0..=1)]
    pi: Option<Option<PathBuf>>,
    /// Show the recordings in this folder, or one file, of any agent that `audit` reads; repeatable
    #[arg(long, value_name = "PATH")]
    transcripts: Vec<PathBuf>,
}

impl TranscriptArgs {
    /// The places that are named.
    pub(super) fn places(&self) -> anyhow::Result<Vec<TranscriptPlace>> {
        let named = [
            (&self.claude, FileAgent::Claude),
            (&self.codex, FileAgent::Codex),
            (&self.copilot, FileAgent::Copilot),
            (&self.gemini, FileAgent::Gemini),
            (&self.pi, FileAgent::Pi),
        ];
        let mut places = Vec::new();
        for (folder, agent) in named {
            match folder {
                None => {}
                Some(None) => places.push(TranscriptPlace::Agent(agent)),
                Some(Some(path)) => places.push(place(path, Some(agent))?),
            }
        }
        for path in &self.transcripts {
            places.push(place(path, None)?);
        }
        Ok(places)
    }
}

fn place(path: &Path, agent: Option<FileAgent>) -> anyhow::Result<TranscriptPlace> {
    match path.canonicalize() {
        Ok(path) => Ok(TranscriptPlace::Path { path, agent }),
        Err(error) => {
            bail!(UsageError(format!("cannot show the transcripts in {}: {error}", path.display())))
        }
    }
}
