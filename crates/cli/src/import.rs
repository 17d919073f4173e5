//! `throughline import`: stores the session of a bundle, or of a file of another agent.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Args;
use serde_json::json;
use throughline_commands::UsageError;
use throughline_stored::{BundledSession, Storage, data_dir_option, is_bundle};
use throughline_terminal::{json as print_json, line};
use throughline_text::{counted, headline, plain, shell_word};
use throughline_watch::{NamedSession, WatchError, store_file};

use crate::data_args::DataArgs;
use crate::usage::as_usage;

/// Arguments of `import`.
#[derive(Debug, Args)]
pub(crate) struct ImportArgs {
    /// File that `throughline export SESSION --bundle -o FILE` wrote, or a session file of another program: Claude Code,
    /// Codex, Copilot CLI, Gemini CLI, OpenCode, pi, mini-swe-agent, SWE-agent, pydantic-ai, ATIF
    file: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What writes a file of an own session.
const OWN: &str = "a session of Throughline is written with `throughline export SESSION --bundle -o FILE`";

/// Columns of the title.
const TITLE: usize = 60;

/// Stores the session, and says how to continue it.
pub(crate) async fn run(args: &ImportArgs, place: &DataArgs) -> anyhow::Result<()> {
    let is_bundle = is_bundle(&args.file).map_err(as_usage)?;
    let data = Storage::open(place.data_dir.clone()).await?;
    if is_bundle { bundle(args, &data).await } else { recording(args, &data).await }
}

async fn bundle(args: &ImportArgs, data: &Storage) -> anyhow::Result<()> {
    let BundledSession { session, agents, records, results, same } =
        data.import_bundle(&args.file).await.map_err(as_usage)?;
    if args.json {
        print_json(&json!({
            "session": session.id,
            "title": session.title,
            "workspace": session.workspace,
            "agents": agents,
            "records": records,
            "results": results,
            "same": same,
        }))?;
        return Ok(());
    }
    let done = match same {
        true => "It was here already, byte for byte.".to_owned(),
        false => format!(
            "Imported {} and {} of the session and {}, and verified them.",
            counted(records, "record"),
            counted(results, "stored result"),
            counted(agents as u64, "sub-agent"),
        ),
    };
    report(data, session.id.as_str(), &session.title, &session.workspace, &[done]);
    Ok(())
}

async fn recording(args: &ImportArgs, data: &Storage) -> anyhow::Result<()> {
    let stored = store_file(data, &args.file).await.map_err(|error| match error {
        WatchError::Recording(error) => UsageError(format!("{error}; {OWN}")).into(),
        error => anyhow::Error::from(error),
    });
    let NamedSession { session, notices } = stored?;
    let session = data.session_info(&session).await?.context("the session was deleted meanwhile")?;
    if args.json {
        print_json(&json!({
            "session": session.id,
            "title": session.title,
            "workspace": session.workspace,
            "notices": notices,
        }))?;
        return Ok(());
    }
    let none = ["It was here already: nothing in the file is new.".to_owned()];
    let notices = if notices.is_empty() { &none[..] } else { &notices };
    report(data, session.id.as_str(), &session.title, &session.workspace, notices);
    Ok(())
}

fn report(data: &Storage, session: &str, title: &str, workspace: &str, said: &[String]) {
    line(&format!("{session}  {}", headline(&plain(title), TITLE)));
    said.iter().for_each(|said| line(&plain(said)));
    let folder = match Path::new(workspace).is_dir() {
        true => shell_word(workspace),
        false => {
            let before = plain(workspace);
            line(&format!("It worked in {before}, which is not a folder here: name the one to continue in."));
            "FOLDER".to_owned()
        }
    };
    let option = data_dir_option(data);
    line(&format!("To continue: throughline --resume {session} --workspace {folder}{option}"));
}
