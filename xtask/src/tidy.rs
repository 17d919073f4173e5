//! House rules of the files, checked over everything that git would keep. Each rule is a small module.
//!
//! A dictionary such as `typos` knows single words and no phrases, and `cargo machete` knows manifests and no public items of
//! other crates. Both would have to be installed before the first check, and the rest would still be here.

mod baseline;
mod counted;
mod cycles;
mod dialect;
mod embedded;
mod excerpts;
mod front;
mod functions;
mod hub;
mod inline_tests;
mod links;
mod literals;
mod marks;
mod mocks;
mod names;
mod policy_free;
mod size;
mod sources;
mod unused;
mod whitespace;
mod words;

use std::fmt;
use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::output;
use crate::tree::{self, TextFile};
use baseline::Baseline;
use sources::Sources;

/// A place where a file breaks a rule, or comes near to it.
#[derive(Debug, PartialEq, Eq)]
struct Finding {
    /// The file.
    path: String,
    /// The line, when the rule is about one; zero when it is about the whole file.
    line: usize,
    /// What is wrong and what to do.
    says: String,
    /// A warning does not fail the task.
    warning: bool,
}

impl Finding {
    /// A broken rule on a line.
    fn at(file: &TextFile, line: usize, says: impl Into<String>) -> Self {
        Self { path: file.path.clone(), line, says: says.into(), warning: false }
    }

    /// A broken rule about the file as a whole.
    fn whole(file: &TextFile, says: impl Into<String>) -> Self {
        Self::at(file, 0, says)
    }

    /// The same, as something to think about.
    fn into_warning(self) -> Self {
        Self { warning: true, ..self }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, line, says, warning } = self;
        let kind = if *warning { "warning: " } else { "" };
        match line {
            0 => write!(out, "{kind}{path}: {says}"),
            _ => write!(out, "{kind}{path}:{line}: {says}"),
        }
    }
}

/// Every rule. A rule takes one file and knows nothing of the others.
const RULES: &[fn(&TextFile) -> Vec<Finding>] = &[
    names::check,
    front::check,
    size::check,
    embedded::check,
    whitespace::check,
    marks::check,
    literals::check,
    words::check,
];

/// The names of the rules that `--list` takes.
pub(crate) fn counted_names() -> impl Iterator<Item = &'static str> {
    counted::RULES.iter().map(|rule| rule.name)
}

/// Checks the whole tree and prints what it finds; warnings do not fail.
pub(crate) fn run(root: &Path) -> Result<()> {
    let files = tree::text_files(root)?;
    let baseline = read_baseline(root)?;
    let mut findings: Vec<_> =
        files.iter().flat_map(|file| RULES.iter().flat_map(|rule| rule(file))).collect();
    findings.extend(links::check(root, &files));
    findings.extend(excerpts::check(&files));
    let sources = Sources::read(&files);
    let mut summary = Vec::new();
    for rule in counted::RULES {
        let outcome = rule.judge(rule.findings(&sources), &baseline);
        findings.extend(outcome.over);
        summary.extend(outcome.summary);
    }
    for finding in &findings {
        output::line(finding);
    }
    for line in summary {
        output::line(line);
    }
    match findings.iter().filter(|finding| !finding.warning).count() {
        0 => {
            output::line(format_args!("tidy: {} files, every rule holds", files.len()));
            Ok(())
        }
        broken => bail!("tidy: {broken} finding(s), see above"),
    }
}

/// Prints everything that one of the counted rules finds, also what the baseline allows.
pub(crate) fn list(root: &Path, name: &str) -> Result<()> {
    let files = tree::text_files(root)?;
    let sources = Sources::read(&files);
    for rule in counted::RULES.iter().filter(|rule| rule.name == name) {
        for finding in rule.findings(&sources) {
            output::line(finding);
        }
    }
    Ok(())
}

/// Writes the counts of today to the baseline where they are lower than there.
pub(crate) fn lower(root: &Path) -> Result<()> {
    let files = tree::text_files(root)?;
    let sources = Sources::read(&files);
    let mut baseline = read_baseline(root)?;
    for rule in counted::RULES {
        baseline.lower(rule.name, &counted::by_crate(&rule.findings(&sources)));
    }
    std::fs::write(root.join(baseline::FILE), baseline.text())
        .with_context(|| format!("write `{}`", baseline::FILE))
}

fn read_baseline(root: &Path) -> Result<Baseline> {
    let text = std::fs::read_to_string(root.join(baseline::FILE))
        .with_context(|| format!("read `{}`", baseline::FILE))?;
    Baseline::parse(&text)
}

/// Runs one rule over one file of a test and gives the findings as they print.
#[cfg(test)]
fn findings_of(rule: fn(&TextFile) -> Vec<Finding>, path: &str, text: &str) -> Vec<String> {
    let file = TextFile { path: path.to_owned(), text: text.to_owned() };
    rule(&file).iter().map(ToString::to_string).collect()
}
