//! Names that count on: `AU-00001`, `AU-00002` and so on are one item of an index.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::collections::HashMap;

/// Names that follow each other from here on are one item: fewer are listed one by one.
const LEAST: usize = 6;
/// Maximum digits of a number.
const DIGITS: usize = 9;

/// The names that belong to a series.
#[derive(Debug, Default)]
pub(super) struct Series<'n> {
    /// Each series, in order.
    all: Vec<Vec<&'n str>>,
    /// The series of a name.
    of: HashMap<&'n str, usize>,
}

impl<'n> Series<'n> {
    /// Finds the series in names.
    pub(super) fn of(names: impl Iterator<Item = &'n str>) -> Self {
        let mut families: BTreeMap<(&str, usize), BTreeMap<u32, &'n str>> = BTreeMap::new();
        for name in names {
            if let Some((before, digits)) = numbered(name)
                && let Ok(number) = digits.parse()
            {
                families.entry((before, digits.len())).or_default().insert(number, name);
            }
        }
        let mut found = Self::default();
        for members in families.into_values().filter(|members| members.len() >= LEAST) {
            let mut run: Vec<&str> = Vec::new();
            let mut next = None;
            for (number, name) in members {
                if next != Some(number) {
                    found.add(std::mem::take(&mut run));
                }
                run.push(name);
                next = number.checked_add(1);
            }
            found.add(run);
        }
        found
    }

    fn add(&mut self, run: Vec<&'n str>) {
        if run.len() >= LEAST {
            self.of.extend(run.iter().map(|name| (*name, self.all.len())));
            self.all.push(run);
        }
    }

    /// The other names that the item of a name covers, and the name itself; none if it is in no series.
    pub(super) fn members(&self, name: &str) -> impl Iterator<Item = &'n str> {
        let series = self.of.get(name).and_then(|at| self.all.get(*at));
        series.into_iter().flatten().copied()
    }

    /// How a name is listed: verbatim, or as its whole series.
    pub(super) fn item(&self, name: &'n str) -> Cow<'n, str> {
        let mut members = self.members(name);
        match (members.next(), members.last()) {
            (Some(first), Some(last)) => Cow::Owned(format!("{first}…{last}")),
            _ => Cow::Borrowed(name),
        }
    }
}

/// A name and the number at its end.
fn numbered(name: &str) -> Option<(&str, &str)> {
    let before = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let digits = name.get(before.len()..)?;
    ((1..=DIGITS).contains(&digits.len()) && !before.is_empty()).then_some((before, digits))
}
