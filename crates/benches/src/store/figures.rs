//! Figures of the entrants, side by side.

use std::collections::BTreeSet;
use std::time::Duration;

/// How often a session is opened, and searched.
pub(crate) const LOOKS: usize = 9;
/// Places at which sizes are measured, all equally far from each other.
const MARKS: usize = 10;
/// Number of requests that count as early.
pub(crate) const EARLY: usize = 500;

/// What was stored up to a request.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mark {
    pub(crate) requests: u64,
    pub(crate) spent: Duration,
    pub(crate) bytes: u64,
}

/// What one request of a long session took.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sample {
    pub(crate) requests: u64,
    pub(crate) spent: Duration,
    pub(crate) bytes: u64,
}

/// A way to store the session, and its figures.
#[derive(Debug)]
pub(crate) struct Entrant {
    pub(crate) name: &'static str,
    /// It writes the whole list of messages at each step.
    pub(crate) is_list: bool,
    /// The first is that of the empty database.
    pub(crate) measured: Vec<Mark>,
    /// After the last mark, where not all requests were stored.
    pub(crate) samples: Vec<Sample>,
    pub(crate) open: Duration,
    pub(crate) search: Duration,
}

/// The requests after which sizes are measured, the last one included.
pub(crate) fn marks(requests: usize) -> BTreeSet<usize> {
    let early = (EARLY < requests).then_some(EARLY);
    (1..=MARKS).map(|mark| requests * mark / MARKS).chain(early).collect()
}

/// A word of one message, in the middle of the session.
pub(crate) fn needle(requests: usize) -> String {
    // The last request of a turn reads no file.
    format!("part{}", requests / 20 * 10 + 3)
}

impl Entrant {
    /// Bytes of a request, of those between the first two marks.
    pub(crate) fn early_growth(&self) -> anyhow::Result<f64> {
        match &self.measured[..] {
            [empty, first, ..] => Ok(growth(empty, first)),
            _ => anyhow::bail!("{}: too few marks", self.name),
        }
    }

    /// Bytes of a request at the end of the session.
    pub(crate) fn late_growth(&self) -> anyhow::Result<f64> {
        match (self.samples.last(), &self.measured[..]) {
            (Some(sample), _) => Ok(sample.bytes as f64),
            (None, [.., before, last]) => Ok(growth(before, last)),
            _ => anyhow::bail!("{}: too few marks", self.name),
        }
    }

    /// Seconds and bytes of the whole session. Between samples both grow evenly, because a list does.
    fn whole(&self) -> (f64, f64) {
        let Some(last) = self.measured.last() else { return (0.0, 0.0) };
        let (mut seconds, mut bytes) = (last.spent.as_secs_f64(), last.bytes as f64);
        let mut known =
            (last.requests as f64, 2.0 * seconds / last.requests as f64, 2.0 * bytes / last.requests as f64);
        for sample in &self.samples {
            let next = (sample.requests as f64, sample.spent.as_secs_f64(), sample.bytes as f64);
            let requests = next.0 - known.0;
            seconds += requests * (known.1 + next.1) / 2.0;
            bytes += requests * (known.2 + next.2) / 2.0;
            known = next;
        }
        (seconds, bytes)
    }
}

/// Bytes of a request between two marks.
fn growth(from: &Mark, to: &Mark) -> f64 {
    to.bytes.saturating_sub(from.bytes) as f64 / to.requests.saturating_sub(from.requests).max(1) as f64
}

/// A figure: its name, its value, and how that is shown.
type Column<'a> = (&'a str, &'a dyn Fn(&Entrant) -> f64, &'a dyn Fn(f64) -> String);

/// Prints a line for each entrant; behind each figure the ratio to the first one. `≈`: computed from samples.
pub(crate) fn print(entrants: &[Entrant], requests: u64) {
    let throughput = |entrant: &Entrant| requests as f64 / entrant.whole().0;
    let early = |entrant: &Entrant| entrant.early_growth().unwrap_or(f64::NAN);
    let late = |entrant: &Entrant| entrant.late_growth().unwrap_or(f64::NAN);
    let size = |entrant: &Entrant| entrant.whole().1;
    let open = |entrant: &Entrant| entrant.open.as_secs_f64();
    let search = |entrant: &Entrant| entrant.search.as_secs_f64();
    let columns: [Column<'_>; 6] = [
        ("requests/s", &throughput, &|value| format!("{value:.1}")),
        ("on disk", &size, &bytes),
        ("early request", &early, &bytes),
        ("late request", &late, &bytes),
        ("opening", &open, &millis),
        ("search", &search, &millis),
    ];
    println!("{:<18}{}", "", columns.map(|(name, ..)| format!("{name:>20}")).concat());
    for entrant in entrants {
        let cell = |(place, (_, value, shown)): (usize, Column<'_>)| {
            let mark = if place < 2 && !entrant.samples.is_empty() { "≈ " } else { "" };
            let own = value(entrant);
            let ratio = own / entrants.first().map_or(f64::NAN, value);
            let digits = if ratio >= 10.0 { 0 } else { 2 };
            format!("{:>20}", format!("{mark}{} ({ratio:.digits$})", shown(own)))
        };
        println!("{:<18}{}", entrant.name, columns.into_iter().enumerate().map(cell).collect::<String>());
    }
    println!("In brackets: the ratio to the first line. An early request is one of the first {EARLY}.");
    if entrants.iter().any(|entrant| !entrant.samples.is_empty()) {
        println!("≈ is computed: later lists were stored at {MARKS} places.");
    }
}

fn bytes(value: f64) -> String {
    match value {
        value if value >= 1e9 => format!("{:.1} GB", value / 1e9),
        value if value >= 1e6 => format!("{:.1} MB", value / 1e6),
        value => format!("{:.1} kB", value / 1e3),
    }
}

fn millis(seconds: f64) -> String {
    format!("{:.2} ms", seconds * 1e3)
}
