//! The recorded compactions of Claude Code next to the views of our module, as text.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use serde_json::{Value, json};
use throughline_stored::Storage;
use throughline_terminal::{Style, complain, json, line, table};
use throughline_text::{error_chain, group_thousands};
use throughline_watch::{ComparedCompaction, ShownTokens, VisibleShare, WatchSettings, compare_compactions};

/// The meaning of the columns.
const LEGEND: [&str; 5] = [
    "Of the names that later calls use, the files that are read again and the lines that edits quote, up to the next",
    "compaction: those that only the conversation before it has shown, and the per cent of them that the next request",
    "shows. OWN: by Claude Code's recorded summary. FILES: also by the files that it reads again by itself, at most the",
    "five newest, which recordings lack. OURS: by the view of our module at the same place. TOKENS: estimated, of what",
    "replaces the conversation.",
];

/// The compactions of a recording.
struct Compared {
    file: PathBuf,
    compactions: Vec<ComparedCompaction>,
}

/// Compares every file. Returns true if one could not be compared, which is said on standard error.
pub(super) async fn run(
    files: &[PathBuf],
    data_dir: Option<PathBuf>,
    settings: &WatchSettings,
    is_json: bool,
) -> anyhow::Result<bool> {
    // Without --data-dir the sessions are temporary.
    let temporary = match data_dir {
        None => Some(tempfile::tempdir().context("could not create a temporary folder for the database")?),
        Some(_) => None,
    };
    let folder = temporary.as_ref().map(|folder| folder.path().to_owned()).or(data_dir);
    let storage = Storage::open(folder).await?;
    let (mut all, mut failed) = (Vec::new(), false);
    for file in files {
        match compare_compactions(file, &storage, settings).await {
            Ok(compactions) => all.push(Compared { file: file.clone(), compactions }),
            Err(error) => {
                failed = true;
                complain(&format!("{}: {}", file.display(), error_chain(&error)));
            }
        }
    }
    storage.store.close().await?;
    if is_json {
        let rows = all.iter().flat_map(|one| one.compactions.iter().map(|made| object(&one.file, made)));
        json(&rows.collect::<Vec<Value>>())?;
    } else if !all.is_empty() {
        render(&all, Style::of_stdout()).iter().for_each(|text| line(text));
    }
    Ok(failed)
}

fn object(file: &Path, compaction: &ComparedCompaction) -> Value {
    json!({ "file": file, "compaction": compaction })
}

fn render(all: &[Compared], style: Style) -> Vec<String> {
    let head = ["#", "BEFORE", "AFTER", "NAMES", "OWN", "FILES", "OURS", "READ", "OWN", "FILES", "OURS"];
    let more = ["LINES", "OWN", "FILES", "OURS", "TOKENS", "FILES", "OURS"];
    let mut rows = vec![head.iter().chain(&more).map(|name| (*name).to_owned()).collect()];
    let mut total = ComparedCompaction::default();
    for (one, number) in all.iter().zip(1..) {
        for made in &one.compactions {
            rows.push(row(&number.to_string(), made));
            total.add(made);
        }
    }
    rows.push(row("all", &total));
    let mut lines = table(&rows);
    for bold in [lines.len() - 1, 0] {
        if let Some(text) = lines.get_mut(bold) {
            *text = style.bold(text);
        }
    }
    lines.push(String::new());
    lines.extend(LEGEND.map(|text| style.dim(text)));
    lines.push(String::new());
    lines.extend(all.iter().zip(1..).map(|(one, number)| format!("{number}  {}", one.file.display())));
    lines
}

fn row(name: &str, made: &ComparedCompaction) -> Vec<String> {
    let ComparedCompaction { before, after, names, files, lines, tokens } = made;
    let mut row = vec![name.to_owned(), before.to_string(), after.to_string()];
    for share in [names, files, lines] {
        let VisibleShare { used, summary, summary_and_files, view } = *share;
        row.push(used.to_string());
        row.extend([summary, summary_and_files, view].map(|found| per_cent(found, used)));
    }
    let ShownTokens { summary, summary_and_files, view } = *tokens;
    row.extend([summary, summary_and_files, view].map(group_thousands));
    row
}

fn per_cent(found: u64, used: u64) -> String {
    (found * 100 + used / 2).checked_div(used).map_or_else(|| "-".to_owned(), |share| share.to_string())
}
