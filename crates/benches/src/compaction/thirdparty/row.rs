//! A row of the table.

use throughline_replay::PriceReport;

use super::process::About;
use crate::observed::AfterCut;
use crate::recordings::Sums;

/// One policy at one window.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) kind: Kind,
    sums: Sums,
    /// Requests that were too large.
    large: u64,
    /// Requests that a provider refuses as malformed.
    invalid: u64,
    /// What generated work shows after the last compaction.
    pub(super) left: Option<AfterCut>,
}

/// Whose policy it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    Ours(String),
    /// A simulated peer, or the bound.
    Simulated(&'static str),
    Theirs(About),
}

impl Row {
    pub(super) fn of_ours(name: &str) -> Self {
        Self::new(Kind::Ours(name.to_owned()))
    }

    pub(super) fn of_peer(name: &'static str) -> Self {
        Self::new(Kind::Simulated(name))
    }

    pub(super) fn of_theirs(about: &About) -> Self {
        Self::new(Kind::Theirs(about.clone()))
    }

    fn new(kind: Kind) -> Self {
        Self { kind, sums: Sums::named(""), large: 0, invalid: 0, left: None }
    }

    pub(super) fn is_of(&self, peer: &str) -> bool {
        matches!(self.kind, Kind::Simulated(name) if name == peer)
    }

    pub(super) fn add(&mut self, prices: &PriceReport, large: u64, invalid: u64) {
        self.sums.add(prices);
        self.large += large;
        self.invalid += invalid;
    }

    pub(super) fn name(&self) -> &str {
        match &self.kind {
            Kind::Ours(name) => name,
            Kind::Simulated(name) => name,
            Kind::Theirs(about) => &about.name,
        }
    }

    /// Price with what was needed again, over that of sending the whole history.
    pub(super) fn ratio(&self) -> f64 {
        self.sums.ratio()
    }

    /// Names and lines that the answers use and that were in the request, in per cent.
    pub(super) fn visible(&self) -> (f64, f64) {
        let share = |(found, of): (f64, u64)| 100.0 * found / of.max(1) as f64;
        (share(self.sums.names), share(self.sums.lines))
    }

    /// The row as Markdown.
    pub(super) fn markdown(&self) -> String {
        let (package, name) = match &self.kind {
            Kind::Ours(name) => {
                ("throughline".to_owned(), format!("**{}**", name.trim_start_matches("throughline ")))
            }
            Kind::Simulated(name) => ("simulated".to_owned(), (*name).to_owned()),
            Kind::Theirs(about) => (about.package.clone(), format!("`{}`", about.name)),
        };
        let (_, lines) = self.visible();
        let names = match self.sums.names {
            // The bound knows of lines only.
            (_, 0) => "-".to_owned(),
            _ => format!("{:.1} %", self.visible().0),
        };
        let [files, rules, first] =
            self.left.map_or(["-".to_owned(), "-".to_owned(), "-".to_owned()], |left| {
                let files = 100.0 * left.files.0 as f64 / left.files.1.max(1) as f64;
                let first = if left.first { "yes" } else { "no" };
                [format!("{files:.0} %"), format!("{} of {}", left.rules.0, left.rules.1), first.to_owned()]
            });
        let sums = &self.sums;
        let (price, summaries) = (sums.cost / sums.full, sums.summaries / sums.full);
        let is_theirs = matches!(self.kind, Kind::Theirs(_));
        let invalid = if is_theirs || matches!(self.kind, Kind::Ours(_)) {
            self.invalid.to_string()
        } else {
            "-".to_owned()
        };
        format!(
            "| {package} | {name} | {} | {price:.3} | {summaries:.3} | {:.3} | {names} | {lines:.1} % | {files} | {rules} | {first} | {} | {invalid} |",
            sums.cuts,
            self.ratio(),
            self.large,
        )
    }
}
