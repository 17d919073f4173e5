//! `throughline import`: stores the session of a bundle.

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::json;
use throughline_stored::{BundledSession, Storage};
use throughline_terminal::{json as print_json, line};
use throughline_text::{counted, headline, plain, shell_word};

use crate::data_args::DataArgs;
use crate::usage::as_usage;

/// Arguments of `import`.
#[derive(Debug, Args)]
pub(crate) struct ImportArgs {
    /// File that `throughline export SESSION --bundle -o FILE` wrote
    file: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Columns of the title.
const TITLE: usize = 60;

/// Stores the session, and says how to continue it.
pub(crate) async fn run(args: &ImportArgs, place: &DataArgs) -> anyhow::Result<()> {
    let data = Storage::open(place.data_dir.clone()).await?;
    let imported = data.import_bundle(&args.file).await.map_err(as_usage)?;
    if args.json {
        let BundledSession { session, agents, records, results, same } = &imported;
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
    report(&imported);
    Ok(())
}

fn report(imported: &BundledSession) {
    let BundledSession { session, agents, records, results, same } = imported;
    line(&format!("{}  {}", session.id, headline(&plain(&session.title), TITLE)));
    line(&match same {
        true => "It was here already, byte for byte.".to_owned(),
        false => format!(
            "Imported {} and {} of the session and {}, and verified them.",
            counted(*records, "record"),
            counted(*results, "stored result"),
            counted(*agents as u64, "sub-agent"),
        ),
    });
    let folder = match Path::new(&session.workspace).is_dir() {
        true => shell_word(&session.workspace),
        false => {
            let before = plain(&session.workspace);
            line(&format!("It worked in {before}, which is not a folder here: name the one to continue in."));
            "FOLDER".to_owned()
        }
    };
    line(&format!("To continue: throughline --resume {} --workspace {folder}", session.id));
}
