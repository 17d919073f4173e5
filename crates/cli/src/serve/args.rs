//! Arguments of `throughline serve`.

use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;

use clap::{Args, Subcommand};
use throughline_server::{PublicUrl, RequestRate};

use super::audit::AuditListArgs;
use super::token::TokenCommand;
use super::transcripts::TranscriptArgs;
use crate::session::args::AgentArgs;

/// Maximum number of turns that a limit may allow.
const MOST_TURNS: u64 = 10_000;

/// Maximum minutes without use: a year.
const MOST_MINUTES: u64 = 525_600;

/// Maximum number of requests that a limit may allow at the same time.
const MOST_OPEN: u64 = 100_000;

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct ServeArgs {
    #[command(subcommand)]
    pub(super) what: Option<ServeCommand>,
    /// Port; 0 is any free port
    #[arg(long, value_name = "PORT", default_value_t = 8378)]
    pub(super) port: u16,
    /// Address of the interface to listen on; one that other machines reach needs --public-url
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    pub(super) bind: IpAddr,
    /// Address that clients use, for example of a proxy with TLS: https://agents.example.com
    #[arg(long, value_name = "URL", value_parser = PublicUrl::parse)]
    pub(super) public_url: Option<PublicUrl>,
    /// File with the token of the administrator, for several servers that clients see as one [default: server-token in the data
    /// folder]
    #[arg(long, value_name = "FILE")]
    pub(super) token_file: Option<PathBuf>,
    /// File with the certificates to speak TLS with, that of the server first, in the form PEM. Read again every hour
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    pub(super) tls_cert: Option<PathBuf>,
    /// File with the key of the certificate, in the form PEM
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    pub(super) tls_key: Option<PathBuf>,
    /// Requests that each user may send on average, such as 20/s or 300/m; more are refused with 429 [default: no limit]
    #[arg(long, value_name = "N/s", value_parser = RequestRate::parse)]
    pub(super) rate: Option<RequestRate>,
    /// Requests that each user may send at once after a pause [default: those of two seconds of --rate]
    #[arg(long, value_name = "N", requires = "rate", value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) burst: Option<u32>,
    /// Requests and streams of events that each user may have open at the same time
    #[arg(long, value_name = "N", default_value_t = 256, value_parser = clap::value_parser!(u64).range(1..=MOST_OPEN))]
    pub(super) user_open: u64,
    /// Folder in which turns may work; repeatable. New sessions work in the first one [default: the current one]
    // Its own id, distinct from the global option `--workspace` of `memos`.
    #[arg(id = "serve_workspace", long = "workspace", value_name = "FOLDER")]
    pub(super) workspaces: Vec<PathBuf>,
    /// Let turns work in every folder that a request or a stored session names
    #[arg(long)]
    pub(super) any_workspace: bool,
    /// Maximum number of turns that run at the same time
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u64).range(1..=MOST_TURNS))]
    pub(super) max_turns: u64,
    /// How long a call that needs approval waits for an answer; then it is denied. 0 denies it at once, as `run` does
    #[arg(long, value_name = "SECONDS", default_value_t = 300)]
    pub(super) answer_timeout: u64,
    /// Close a context that no request has used for this long; the next request opens it again. 0 never closes one
    #[arg(long, value_name = "MINUTES", default_value_t = 60, value_parser = clap::value_parser!(u64).range(..=MOST_MINUTES))]
    pub(super) context_idle: u64,
    #[command(flatten)]
    pub(super) transcripts: TranscriptArgs,
    #[command(flatten)]
    pub(super) agent: AgentArgs,
}

/// What is done with the users of servers, in the database that they share.
#[derive(Debug, Subcommand)]
pub(crate) enum ServeCommand {
    /// Make, list and revoke the tokens of users
    #[command(subcommand)]
    Token(TokenCommand),
    /// List what users have changed, newest first
    Audit(AuditListArgs),
}
