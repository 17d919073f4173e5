//! The arguments of `throughline audit`.

use std::path::PathBuf;

use clap::Args;
use throughline_commands::parse_sessions;

use crate::size::parse_tokens;

#[derive(Debug, Args)]
pub(crate) struct AuditArgs {
    /// Recordings, plain, .gz or .zst: Claude Code, Codex, Copilot CLI, Gemini CLI, OpenCode, pi, mini-swe-agent, SWE-agent, pydantic-ai, ATIF
    #[arg(required_unless_present_any = ["claude", "codex", "copilot", "gemini", "pi", "opencode"], value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Audit the newest sessions of Claude Code on this machine
    #[arg(long)]
    pub(crate) claude: bool,
    /// Audit the newest sessions of Codex on this machine
    #[arg(long)]
    pub(crate) codex: bool,
    /// Audit the newest sessions of Copilot CLI on this machine
    #[arg(long)]
    pub(crate) copilot: bool,
    /// Audit the newest sessions of Gemini CLI on this machine
    #[arg(long)]
    pub(crate) gemini: bool,
    /// Audit the newest sessions of pi on this machine
    #[arg(long)]
    pub(crate) pi: bool,
    /// Audit the newest sessions of OpenCode in this project, as `opencode export` writes them
    #[arg(long)]
    pub(crate) opencode: bool,
    /// How many sessions of each agent are audited
    #[arg(long, default_value = "20", value_parser = parse_sessions, value_name = "N")]
    pub(crate) newest: u64,
    /// Context window of the simulated policies [default: the model's, at most 200k unless the recording used more]
    #[arg(long, value_parser = parse_tokens, value_name = "TOKENS")]
    pub(crate) window: Option<u64>,
    /// Tokens that the simulated policies reserve for output
    #[arg(long, default_value = "4096", value_parser = parse_tokens, value_name = "TOKENS")]
    pub(crate) max_output: u64,
    /// Tokens assumed for system prompt and tool schemas, where the recorded usage does not show them
    #[arg(long, default_value = "6000", value_parser = parse_tokens, value_name = "TOKENS")]
    pub(crate) overhead: u64,
    /// Do not simulate policies
    #[arg(long)]
    pub(crate) no_policies: bool,
    /// Also write a row for each request to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) csv: Option<PathBuf>,
    /// Also write a page with charts to this file: one file, without scripts and without anything from elsewhere
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}
