//! Compares promised numbers with named ones, for a reader: three columns for each group, then reasons and open rows.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::departures::Departures;
use super::markers::Named;
use super::number::Number;
use super::page::Rows;

/// How many numbers stand on one line of the list.
const PER_LINE: usize = 12;

/// A message for each marker that names a number that the page does not promise.
pub(super) fn unknown(promised: &BTreeSet<Number>, named: &[Named]) -> Vec<String> {
    let strangers = named.iter().filter(|named| !promised.contains(&named.number));
    strangers.map(|named| format!("{}: {} is not in docs/features.md", named.place, named.number)).collect()
}

/// A message for each crate of a row that has no test of that number.
pub(super) fn misplaced(rows: &Rows, named: &[Named]) -> Vec<String> {
    let mut messages = Vec::new();
    for (number, crates) in rows {
        let has_test = |name: &str| {
            let folder = format!("crates/{name}/");
            named.iter().any(|named| named.number == *number && named.place.starts_with(&folder))
        };
        for name in crates.iter().filter(|name| !has_test(name)) {
            messages.push(format!(
                "docs/features.md: {number} names `{name}`, which has no test of it: name the crate that has, or mark it (planned)"
            ));
        }
    }
    messages
}

/// A message for each departure that is no row of the page.
pub(super) fn stray(promised: &BTreeSet<Number>, departures: &Departures) -> Vec<String> {
    let strangers = departures.keys().filter(|number| !promised.contains(number));
    strangers.map(|number| format!("docs/policies.md: {number} is not in docs/features.md")).collect()
}

/// The rows, each in one of three columns.
#[derive(Debug)]
pub(super) struct Columns<'a> {
    pub(super) promised: &'a BTreeSet<Number>,
    /// Numbers with a test.
    pub(super) tested: BTreeSet<Number>,
    /// Numbers that depart from the original design, whether or not they have a test.
    pub(super) departures: &'a Departures,
    /// Numbers that are open on purpose.
    pub(super) planned: &'a BTreeSet<Number>,
}

impl Columns<'_> {
    fn is_departure(&self, number: &Number) -> bool {
        self.departures.contains_key(number)
    }

    fn is_shown(&self, number: &Number) -> bool {
        self.tested.contains(number) && !self.is_departure(number)
    }

    fn open(&self) -> impl Iterator<Item = &Number> {
        self.promised.iter().filter(|number| !self.is_shown(number) && !self.is_departure(number))
    }

    /// A message for each row without a test that is neither a departure nor planned.
    pub(super) fn unaccounted(&self) -> Vec<String> {
        let rows = self.open().filter(|number| !self.planned.contains(number));
        rows.map(|number| {
            format!(
                "docs/features.md: {number} has no test: mark it (planned), or name it in docs/policies.md with the reason"
            )
        })
        .collect()
    }

    /// The open rows.
    pub(super) fn missing(&self) -> String {
        let open: Vec<_> = self.open().map(ToString::to_string).collect();
        let lines: Vec<_> = open.chunks(PER_LINE).map(|chunk| format!("  {}", chunk.join(" "))).collect();
        lines.join("\n")
    }

    /// The report, without a last newline.
    pub(super) fn text(&self) -> String {
        let mut groups = BTreeMap::<u8, [usize; 3]>::new();
        for number in self.promised {
            let column = if self.is_departure(number) { 1 } else { 2 * usize::from(!self.is_shown(number)) };
            if let Some(count) = groups.entry(number.group).or_default().get_mut(column) {
                *count += 1;
            }
        }
        let mut text = "     shown  departure  open\n".to_owned();
        let mut all = [0; 3];
        for (group, counts) in &groups {
            let [shown, departs, open] = counts;
            // Writing to a string cannot fail.
            let _ = writeln!(text, "S{group}   {shown:>5}  {departs:>9}  {open:>4}");
            all.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
        let [shown, departs, open] = all;
        let _ = write!(text, "all  {shown:>5}  {departs:>9}  {open:>4}");
        if departs > 0 {
            text.push_str("\ndepartures, by docs/policies.md:");
        }
        for (number, reason) in self.departures.iter().filter(|(number, _)| self.promised.contains(number)) {
            let _ = write!(text, "\n  {number}  {reason}");
        }
        if open > 0 {
            let _ = write!(text, "\nopen:\n{}", self.missing());
        }
        text
    }
}

#[cfg(test)]
mod tests;
