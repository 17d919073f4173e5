//! Two columns, their ratio, and the verdicts.

use anyhow::Context as _;

use crate::measure::Figures;
use crate::scenario::Scenario;

/// What a turn may cost, as a share of what it costs the peer.
const MAX_SHARE: f64 = 1.0 / 3.0;

/// A row.
struct Row {
    name: &'static str,
    unit: &'static str,
    value: fn(&Figures) -> f64,
    digits: usize,
    judged: bool,
}

const MIB: f64 = 1024.0 * 1024.0;

const ROWS: &[Row] = &[
    Row { name: "CPU time, whole tree", unit: "s", value: |f| f.cpu_seconds, digits: 3, judged: true },
    Row {
        name: "peak memory, largest process",
        unit: "MiB",
        value: |f| f.largest as f64 / MIB,
        digits: 1,
        judged: true,
    },
    Row {
        name: "peak memory, whole tree",
        unit: "MiB",
        value: |f| f.sum as f64 / MIB,
        digits: 1,
        judged: true,
    },
    Row { name: "wall time", unit: "s", value: |f| f.wall_seconds, digits: 3, judged: false },
    Row { name: "processes seen", unit: "", value: |f| f.processes as f64, digits: 0, judged: false },
];

/// Prints the table of a scenario. Returns whether every verdict is good.
pub(crate) fn print(scenario: &Scenario, ours: &[Figures], theirs: &[Figures]) -> anyhow::Result<bool> {
    println!("\n{}: {}", scenario.name, scenario.about);
    println!("  {:<32}{:>14}{:>14}{:>9}   lowest to highest", "", "throughline", "codex", "ratio");
    let mut verdicts = Vec::new();
    for row in ROWS {
        let (our, their) = (Spread::of(ours, row.value)?, Spread::of(theirs, row.value)?);
        let ratio = our.median / their.median;
        let digits = row.digits;
        let name =
            if row.unit.is_empty() { row.name.to_owned() } else { format!("{}, {}", row.name, row.unit) };
        println!(
            "  {name:<32}{:>14.digits$}{:>14.digits$}{ratio:>9.2}   {:.digits$}–{:.digits$}, {:.digits$}–{:.digits$}",
            our.median, their.median, our.least, our.most, their.least, their.most,
        );
        if row.judged {
            verdicts.push((row.name, ratio));
        }
    }
    for (name, figures) in [("throughline", ours), ("codex", theirs)] {
        let left: u64 = figures.iter().map(|figures| figures.left_behind).sum();
        if left > 0 {
            println!("  {name} left {left} processes behind; what they cost is not counted");
        }
    }
    for (name, ratio) in &verdicts {
        let word = if *ratio <= MAX_SHARE { "ok  " } else { "FAIL" };
        println!("  {word} {name}: {ratio:.2} of codex's, at most {MAX_SHARE:.2}");
    }
    Ok(verdicts.iter().all(|(_, ratio)| *ratio <= MAX_SHARE))
}

/// A figure over all runs.
struct Spread {
    least: f64,
    median: f64,
    most: f64,
}

impl Spread {
    fn of(figures: &[Figures], value: fn(&Figures) -> f64) -> anyhow::Result<Self> {
        let mut values: Vec<f64> = figures.iter().map(value).collect();
        values.sort_by(f64::total_cmp);
        let at = |index: usize| values.get(index).copied().context("nothing was measured");
        let last = values.len().saturating_sub(1);
        // Of an even number the mean of the two in the middle.
        let median = f64::midpoint(at(last / 2)?, at(values.len() / 2)?);
        Ok(Self { least: at(0)?, median, most: at(last)? })
    }
}
