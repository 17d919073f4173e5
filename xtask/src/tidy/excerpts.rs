//! Code on pages: each block is a part of a program that is compiled, run or tested.
//!
//! A line `// …` or `# …` in a block leaves lines of the program out. Indentation does not count.

use super::Finding;
use crate::tree::TextFile;

/// A language, and the paths of the files that its blocks are a part of.
type Language = (&'static str, fn(&str) -> bool);

/// The languages that are checked.
const LANGUAGES: &[Language] = &[
    ("rust", |path| path.contains("/examples/") && path.ends_with(".rs")),
    ("python", |path| {
        path.starts_with("bindings/python/") && !path.contains("/src/")
            || path.starts_with("crates/benches/thirdparty/")
    }),
    ("js", |path| path.starts_with("bindings/node/") && !path.contains("/ts/")),
    ("ts", |path| path.starts_with("bindings/node/") && !path.contains("/ts/")),
];

/// Checks the blocks of the front page and of the docs.
pub(super) fn check(files: &[TextFile]) -> Vec<Finding> {
    let pages = files.iter().filter(|file| is_page(&file.path));
    pages.flat_map(|page| in_page(page, files)).collect()
}

fn is_page(path: &str) -> bool {
    path == "README.md" || path.starts_with("docs/") && path.ends_with(".md")
}

fn in_page(page: &TextFile, files: &[TextFile]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (line, language, block) in blocks(&page.text) {
        let Some((_, is_source)) = LANGUAGES.iter().find(|(name, _)| *name == language) else { continue };
        let mut sources = files.iter().filter(|file| is_source(&file.path));
        if !sources.any(|source| is_part(&block, &source.text)) {
            let says = "the block is no part of an example or a tested page: copy it from one, `// …` leaves lines out";
            findings.push(Finding::at(page, line, says));
        }
    }
    findings
}

/// The blocks of a page: the line of the first mark, the language, and the lines.
fn blocks(text: &str) -> Vec<(usize, &str, Vec<&str>)> {
    let mut blocks = Vec::new();
    let mut open: Option<(usize, &str, Vec<&str>)> = None;
    for (index, line) in text.lines().enumerate() {
        match (&mut open, line.trim_start().strip_prefix("```")) {
            (None, Some(language)) => open = Some((index + 1, language.trim(), Vec::new())),
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (Some((_, _, lines)), None) => lines.push(line.trim()),
            (None, None) => {}
        }
    }
    blocks
}

/// Returns true if the parts of a block are in the program, in their order.
fn is_part(block: &[&str], program: &str) -> bool {
    let program: Vec<&str> = program.lines().map(str::trim).collect();
    let mut rest = program.as_slice();
    let parts =
        block.split(|line| matches!(*line, "// …" | "# …")).map(trimmed).filter(|part| !part.is_empty());
    for part in parts {
        let Some(at) = rest.windows(part.len()).position(|window| window == part) else { return false };
        rest = rest.get(at + part.len()..).unwrap_or_default();
    }
    true
}

/// Without empty lines at both ends.
fn trimmed<'a, 'b>(lines: &'a [&'b str]) -> &'a [&'b str] {
    let is_text = |line: &&str| !line.is_empty();
    let start = lines.iter().position(is_text).unwrap_or(lines.len());
    let end = lines.iter().rposition(is_text).map_or(start, |last| last + 1);
    lines.get(start..end).unwrap_or_default()
}

#[cfg(test)]
mod tests;
