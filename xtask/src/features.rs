//! `cargo xtask features`: which numbers of `docs/features.md` a test names, and which not yet.
//!
//! `page` reads the rows, `markers` finds them in test code, `report` compares and prints.

mod markers;
mod number;
mod page;
mod report;

use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::{output, tree};

/// The page that promises the numbers.
const PAGE: &str = "docs/features.md";

/// The tests of this program are about markers, not about features.
const NOT_COUNTED: &str = "xtask/";

/// Prints what is done and what is missing. A marker with a number that is not on the page is an error, and so is a row
/// that names a crate without a test of it.
pub(crate) fn run(root: &Path, only_missing: bool) -> Result<()> {
    let files = tree::text_files(root)?;
    let page =
        files.iter().find(|file| file.path == PAGE).with_context(|| format!("there is no `{PAGE}`"))?;
    let rows = page::rows(&page.text).with_context(|| format!("read `{PAGE}`"))?;
    let promised = rows.keys().copied().collect();
    let mut named = Vec::new();
    let mut problems = Vec::new();
    for file in files.iter().filter(|file| file.is_rust() && !file.path.starts_with(NOT_COUNTED)) {
        let found = markers::of(file);
        named.extend(found.named);
        problems.extend(found.malformed);
    }
    problems.extend(report::unknown(&promised, &named));
    problems.extend(report::misplaced(&rows, &named));
    output::line(report::text(&promised, &named, only_missing));
    if problems.is_empty() {
        return Ok(());
    }
    for problem in &problems {
        output::line(problem);
    }
    bail!("features: {} problem(s), see above", problems.len());
}
