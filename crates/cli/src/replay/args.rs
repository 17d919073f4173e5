//! Arguments of `throughline replay`.

use std::path::PathBuf;

use clap::Args;
use throughline::Policy;
use throughline_audit::{Economy, Estimator, ReplayChoice, SummaryStyle, TokenScale};

use crate::policy::{economy_parser, estimator_parser, policy_parser, summary_parser};
use crate::size::parse_tokens;

#[derive(Debug, Args)]
pub(crate) struct ReplayArgs {
    /// Recordings, plain, .gz or .zst: Claude Code, Codex, Copilot CLI, Gemini CLI, OpenCode, pi, mini-swe-agent, SWE-agent, pydantic-ai, ATIF
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Context window in tokens
    #[arg(long, default_value = "64k", value_parser = parse_tokens, value_name = "TOKENS")]
    pub(crate) window: u64,
    /// Tokens reserved for output
    #[arg(long, default_value = "4096", value_parser = parse_tokens, value_name = "TOKENS")]
    pub(crate) max_output: u64,
    /// Context policy
    #[arg(long, value_parser = policy_parser(), default_value_t = Policy::default())]
    pub(crate) policy: Policy,
    /// How soon policy throughline compacts for the price
    #[arg(long, value_parser = economy_parser(), default_value_t = Economy::default())]
    pub(crate) economy: Economy,
    /// Who writes the summaries, and how long they are [default: the policy's]
    #[arg(long, value_parser = summary_parser())]
    pub(crate) summary: Option<SummaryStyle>,
    /// Token counter until the recording's own usage corrects it [default: the policy's, mostly script]
    #[arg(long, value_parser = estimator_parser())]
    pub(crate) estimator: Option<Estimator>,
    /// Count in the estimator's own tokens, not corrected by the recording's usage
    #[arg(long)]
    pub(crate) as_estimated: bool,
    /// Tokens assumed for system prompt and tool schemas that a recording lacks
    #[arg(long, default_value = "6000", value_parser = parse_tokens, value_name = "TOKENS")]
    pub(crate) overhead: u64,
    /// Ignore recorded times: no prompt cache expires while a session is idle
    #[arg(long)]
    pub(crate) no_clock: bool,
    /// Also simulate the policies of other agents, and the best cut times with knowledge of the future
    #[arg(long)]
    pub(crate) peers: bool,
    /// Replay nothing: compare each recorded compaction of Claude Code with the view that our module answers with
    #[arg(long, conflicts_with_all = ["peers", "digest", "policy", "economy", "estimator", "overhead", "window", "max_output"])]
    pub(crate) compactions: bool,
    /// Print one JSON array with an object per session, and with --peers one per peer and session
    #[arg(long)]
    pub(crate) json: bool,
    /// Print only the SHA-256 of all request bodies, in the wire formats of Anthropic and OpenAI
    #[arg(long, conflicts_with_all = ["json", "peers"])]
    pub(crate) digest: bool,
}

impl ReplayArgs {
    /// How the recordings are replayed.
    pub(crate) fn choice(&self) -> ReplayChoice {
        ReplayChoice {
            window: self.window,
            max_output: self.max_output,
            policy: self.policy,
            economy: self.economy,
            summary: self.summary,
            estimator: self.estimator,
            scale: if self.as_estimated { TokenScale::Counter } else { TokenScale::Provider },
            overhead: self.overhead,
            clock: !self.no_clock,
            peers: self.peers,
        }
    }
}
