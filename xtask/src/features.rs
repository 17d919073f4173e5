//! `cargo xtask features`: which numbers of `docs/features.md` a test names, which depart from the original design, and which are
//! open.
//!
//! `page` reads the rows, `markers` finds them in test code, `departures` in `docs/policies.md`, `report` compares and prints.

mod departures;
mod markers;
mod number;
mod page;
mod report;

use std::path::Path;

use anyhow::{Context, Result, bail};

use report::Columns;

use crate::{output, tree};

/// The page that promises the numbers.
const PAGE: &str = "docs/features.md";

/// The page with the reasons of departures.
const POLICIES: &str = "docs/policies.md";

/// The tests of this program are about markers, not about features.
const NOT_COUNTED: &str = "xtask/";

/// Prints what is shown, what departs and what is open. A marker with a number that is not on the page is an error, and so are a
/// row that names a crate without a test of it and a row in no column.
pub(crate) fn run(root: &Path, only_missing: bool) -> Result<()> {
    let files = tree::text_files(root)?;
    let find = |path: &str| {
        files.iter().find(|file| file.path == path).with_context(|| format!("there is no `{path}`"))
    };
    let (page, departures) = (find(PAGE)?, departures::of(&find(POLICIES)?.text));
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
    problems.extend(report::stray(&promised, &departures));
    let (tested, planned) = (named.iter().map(|named| named.number).collect(), page::planned(&page.text));
    let columns = Columns { promised: &promised, tested, departures: &departures, planned: &planned };
    problems.extend(columns.unaccounted());
    output::line(if only_missing { columns.missing() } else { columns.text() });
    if problems.is_empty() {
        return Ok(());
    }
    for problem in &problems {
        output::line(problem);
    }
    bail!("features: {} problem(s), see above", problems.len());
}
