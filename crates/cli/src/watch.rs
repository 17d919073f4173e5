//! `throughline watch`: runs Claude Code with hooks that store its transcript and restore its context.
//!
//! The program replaces this one, so the terminal is its own: nothing stands between the two. What is stored and restored
//! is done by the hooks, which run this program again.

mod list;

use std::ffi::OsString;
use std::io::Read as _;
use std::path::{Path, PathBuf, absolute};
use std::process::{Command, ExitCode};

use anyhow::{Context as _, bail, ensure};
use clap::Args;
use serde_json::json;
use throughline::{DeletedTranscript, SessionHandle, Storage};
use throughline_continuity::ContextSource;
use throughline_conversation::SessionId;
use throughline_replay::{RecordingError, read_session};
use throughline_text::error_chain;
use throughline_watch::{
    Delivery, ForeignAgent, ForeignName, HookPayload, context_answer, deliveries, hook_settings,
};

use crate::data_args::DataArgs;
use crate::foreign::{import, newest, stored, transcripts};
use crate::shell::{option, word};
use crate::terminal::{complain, line, plain};
use crate::usage::UsageError;

/// Most bytes of a hook's input. A last message of the model is in it.
const PAYLOAD: u64 = 64 * 1024 * 1024;

#[derive(Debug, Args)]
pub(crate) struct WatchArgs {
    /// Answer a hook of the watched program
    #[arg(long, hide = true)]
    hook: bool,
    /// Show if the restored contexts of a session reached the agent: claude:ID [default: the newest of this folder]
    #[arg(long, value_name = "SESSION", num_args = 0..=1, default_missing_value = "", conflicts_with = "hook")]
    status: Option<String>,
    /// List the sessions of this folder: as what each is stored, and how many compactions got its context
    #[arg(long, conflicts_with_all = ["hook", "status"])]
    list: bool,
    /// Store a session now and print its context: claude:ID or codex:ID [default: the newest of claude in this folder]
    #[arg(long, value_name = "SESSION", num_args = 0..=1, default_missing_value = "", conflicts_with_all = ["hook", "status", "list"])]
    refresh: Option<String>,
    /// The program and its arguments: claude …
    #[arg(last = true, value_name = "COMMAND", required_unless_present_any = ["hook", "status", "list", "refresh"],
          conflicts_with_all = ["status", "list", "refresh"])]
    command: Vec<OsString>,
}

/// Runs the program in place of this one, or answers one of its hooks.
pub(crate) async fn run(args: &WatchArgs, data: &DataArgs) -> anyhow::Result<ExitCode> {
    if let Some(name) = &args.status {
        return status(name, data.any_folder);
    }
    if args.list {
        list::list(data).await?;
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(name) = &args.refresh {
        refresh(name, data).await?;
        return Ok(ExitCode::SUCCESS);
    }
    if !args.hook {
        return Err(start(&args.command, data)?);
    }
    // A hook that ends with 2 blocks the agent, so every failure ends with 1.
    Ok(match hook(data).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            complain(&error_chain(error.as_ref()));
            ExitCode::FAILURE
        }
    })
}

/// Starts the program. Returns only if it cannot be started, with the reason.
fn start(command: &[OsString], data: &DataArgs) -> anyhow::Result<anyhow::Error> {
    let Some((program, arguments)) = command.split_first() else {
        bail!(UsageError("name a program".to_owned()))
    };
    let name = Path::new(program).file_name().unwrap_or_default().to_string_lossy().into_owned();
    if name != "claude" {
        bail!(UsageError(format!(
            "{name:?} cannot be watched yet, only claude; other agents get their context from `throughline mcp`"
        )));
    }
    let sets = |argument: &&OsString| {
        argument.to_str().is_some_and(|text| text == "--settings" || text.starts_with("--settings="))
    };
    if arguments.iter().any(|argument| sets(&argument)) {
        bail!(UsageError(
            "watch gives claude its hooks by --settings; put your own into a settings file of claude"
                .to_owned()
        ));
    }
    let own = std::env::current_exe().context("the path of this program is not known")?;
    let data_dir =
        data.data_dir.as_deref().map(absolute).transpose().context("the data folder has no path")?;
    let hook = format!(
        "{}{} watch --hook",
        word(&own.display().to_string()),
        option("--data-dir", data_dir.as_deref())
    );
    let server = server(&own, data_dir.as_deref());
    let mut watched = Command::new(program);
    // `--mcp-config` takes several values, so another option follows it.
    watched
        .arg("--mcp-config")
        .arg(server)
        .arg("--settings")
        .arg(hook_settings(&hook).to_string())
        .args(arguments);
    let error = std::os::unix::process::CommandExt::exec(&mut watched);
    let what = format!("cannot start {}; check that it is installed", program.to_string_lossy());
    Ok(anyhow::Error::new(error).context(what))
}

/// The configuration that gives the agent the tools of `throughline mcp`.
fn server(own: &Path, data_dir: Option<&Path>) -> String {
    let mut args = vec!["mcp".to_owned()];
    if let Some(folder) = data_dir {
        args.extend(["--data-dir".to_owned(), folder.display().to_string()]);
    }
    json!({"mcpServers": {"throughline": {"command": own, "args": args}}}).to_string()
}

/// Prints what the transcript of a session says of its compactions. The exit code is 1 if a context did not arrive.
fn status(name: &str, any_folder: bool) -> anyhow::Result<ExitCode> {
    let transcript = match ForeignName::parse(name) {
        Some(name) if name.agent == ForeignAgent::Claude => transcripts()?.find(&name)?,
        None if name.is_empty() => newest(ForeignAgent::Claude, any_folder)?,
        _ => bail!(UsageError(format!("{name:?} cannot be watched; name a session as claude:ID"))),
    };
    let found =
        deliveries(&transcript.path).with_context(|| format!("cannot read {}", transcript.path.display()))?;
    line(&format!("Session claude:{}: compactions {}", transcript.id, found.len()));
    for (delivery, number) in found.iter().zip(1..) {
        let outcome = match delivery {
            Delivery::Delivered => "context delivered",
            Delivery::Missing => "context not delivered",
            Delivery::Pending => "no answer yet",
        };
        line(&format!("  {number}  {outcome}"));
    }
    let missing = found.contains(&Delivery::Missing);
    Ok(if missing { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Stores the transcript of the agent, and restores the context that it has lost.
async fn hook(data: &DataArgs) -> anyhow::Result<()> {
    let mut bytes = Vec::new();
    std::io::stdin()
        .lock()
        .take(PAYLOAD)
        .read_to_end(&mut bytes)
        .context("cannot read the input of the hook")?;
    let payload = HookPayload::parse(&bytes).context("the input of the hook is not that of Claude Code")?;
    let file: &PathBuf = &payload.transcript_path;
    ensure!(file.extension().is_some_and(|end| end == "jsonl"), "{} is not a transcript", file.display());
    if !file.exists() {
        return Ok(());
    }
    let recorded = match read_session(file) {
        Ok(recorded) => recorded,
        // The session has just begun.
        Err(RecordingError::Empty { .. } | RecordingError::NoConversation { .. }) => return Ok(()),
        Err(error) => return Err(error.into()),
    };
    let storage = Storage::open(data.data_dir.clone()).await?;
    let left_out = DeletedTranscript::LeaveOut;
    let Some(imported) = import(&storage, ForeignAgent::Claude, &recorded, left_out).await? else {
        return Ok(());
    };
    if payload.asks_for_context() {
        let source = if payload.is_compaction() { ContextSource::Compaction } else { ContextSource::Resume };
        let text = restored_text(storage, imported.session, source, ForeignAgent::Claude).await?;
        line(&context_answer(&text).to_string());
    }
    Ok(())
}

/// Stores the transcript of a session, or what is new of it, and prints the context that a compaction would restore.
async fn refresh(name: &str, data: &DataArgs) -> anyhow::Result<()> {
    let name = match name {
        "" => format!("claude:{}", newest(ForeignAgent::Claude, data.any_folder)?.id),
        name => name.to_owned(),
    };
    let storage = Storage::open(data.data_dir.clone()).await?;
    let Some(session) = stored(&storage, &name).await? else {
        bail!(UsageError(format!("{name:?} cannot be refreshed; name a session as claude:ID or codex:ID")))
    };
    let agent = ForeignName::parse(&name).map_or(ForeignAgent::Claude, |name| name.agent);
    let text = restored_text(storage, session, ContextSource::Refresh, agent).await?;
    line(&plain(text.trim()));
    Ok(())
}

/// The text that restores the context of a stored session.
async fn restored_text(
    storage: Storage,
    session: SessionId,
    source: ContextSource,
    agent: ForeignAgent,
) -> anyhow::Result<String> {
    let how = format!(
        "All of this session is stored as session {session}: the tools of the MCP server throughline find the rest \
         (search_history by words, query_db and read_result exactly)."
    );
    let context = SessionHandle::new(storage, session).context_for(source, agent.name()).await?;
    Ok(context.text(&how))
}
