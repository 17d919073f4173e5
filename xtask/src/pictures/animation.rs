//! When each line scrolls into view.

use std::fmt::Write as _;

/// Milliseconds for a line.
const LINE: usize = 260;

/// Milliseconds for a line that a reader should see: a compaction, a kill, an answer.
const PAUSE: usize = 1_500;

/// Milliseconds at the beginning and at the end.
const REST: usize = 3_000;

/// Lines after which it pauses.
const SEEN: &[&str] = &["engine  compacted", "The process was killed", "engine  tells", "you  "];

/// The style that moves the lines up, one at a time. Nothing where all of them fit.
pub(super) fn style(lines: &[&str], rows: usize, height: usize) -> String {
    let Some(below) = lines.get(rows..).filter(|below| !below.is_empty()) else { return String::new() };
    let times: Vec<usize> = below
        .iter()
        .map(|line| if SEEN.iter().any(|start| line.starts_with(start)) { PAUSE } else { LINE })
        .collect();
    let total = times.iter().sum::<usize>() + 2 * REST;
    let mut frames = String::new();
    let mut at = REST;
    for (index, time) in times.iter().enumerate() {
        // In thousandths of a per cent, without floating point: the same text on every machine.
        let share = at * 100_000 / total;
        let up = (index + 1) * height;
        let _ = write!(frames, "{}.{:03}%{{transform:translateY(-{up}px)}}", share / 1_000, share % 1_000);
        at += time;
    }
    let end = below.len() * height;
    format!(
        "@keyframes roll{{0%{{transform:translateY(0)}}{frames}100%{{transform:translateY(-{end}px)}}}}\n\
         .roll{{animation:roll {total}ms step-end infinite}}\n\
         @media (prefers-reduced-motion:reduce){{.roll{{animation:none}}}}\n"
    )
}
