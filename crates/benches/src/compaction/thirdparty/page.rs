//! The part of the page that a run writes.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::Context as _;

use super::row::Kind;
use super::{Table, plot};

/// The page.
const PAGE: &str = "benchmark.md";

/// Between these lines of the page.
const BEGIN: &str = "<!-- begin: written by `cargo xtask bench thirdparty --write docs` -->";
const END: &str = "<!-- end -->";

const HEAD: &str = "| package | policy | cuts | price | summaries | with what is needed again | names | lines | files | rules | \
                    first request | too large | invalid |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|";

/// The tables and the list of what took part.
pub(super) fn part(tables: &[Table], sessions: usize, requests: usize) -> String {
    let mut text = format!("{sessions} sessions, {requests} requests.\n");
    for Table { window, rows } in tables {
        let (thousands, picture) = (window / 1_000, picture(*window));
        let _ = writeln!(
            text,
            "\n### Window of {thousands},000 tokens\n\n![{thousands},000 tokens]({picture})\n\n{HEAD}"
        );
        rows.iter().for_each(|row| {
            let _ = writeln!(text, "{}", row.markdown());
        });
    }
    text.push_str(
        "\n### What took part\n\n| package | version | policy | how it is set |\n|---|---|---|---|\n",
    );
    let mut listed: Vec<String> = Vec::new();
    for row in tables.first().into_iter().flat_map(|table| &table.rows) {
        if let Kind::Theirs(about) = &row.kind {
            listed.push(format!(
                "| {} | {} | `{}` | {} |\n",
                about.package, about.version, about.name, about.settings
            ));
        }
    }
    listed.sort();
    text.push_str(&listed.concat());
    text
}

/// Writes the part and the pictures into the folder of the page.
///
/// # Errors
/// The page cannot be read or written, or lacks one of the two lines.
pub(super) fn write(folder: &Path, part: &str, tables: &[Table]) -> anyhow::Result<()> {
    let path = folder.join(PAGE);
    let page =
        std::fs::read_to_string(&path).with_context(|| format!("could not read {}", path.display()))?;
    let (before, rest) =
        page.split_once(BEGIN).with_context(|| format!("{} lacks the line {BEGIN}", path.display()))?;
    let (_, after) =
        rest.split_once(END).with_context(|| format!("{} lacks the line {END}", path.display()))?;
    let page = format!("{before}{BEGIN}\n\n{part}\n{END}{after}");
    std::fs::write(&path, page).with_context(|| format!("could not write {}", path.display()))?;
    for table in tables {
        let path = folder.join(picture(table.window));
        std::fs::write(&path, plot::picture(table))
            .with_context(|| format!("could not write {}", path.display()))?;
    }
    Ok(())
}

fn picture(window: u64) -> String {
    format!("benchmark-{}k.svg", window / 1_000)
}
