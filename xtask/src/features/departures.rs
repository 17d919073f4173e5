//! Reads the departures from the original designs: sentences of the lists of `docs/policies.md` that end with numbers, as
//! `(S0-02, S0-06).`

use std::collections::BTreeMap;

use super::number::Number;

/// Departures with their reason, in short.
pub(super) type Departures = BTreeMap<Number, String>;

/// All departures of the page.
pub(super) fn of(page: &str) -> Departures {
    let mut departures = Departures::new();
    for item in items(page) {
        let mut parts = item.split(" (");
        let mut said = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (numbers, after) = part.split_once(')').unwrap_or((part, ""));
            let numbers = numbers.split(", ").map(Number::parse).collect::<Option<Vec<_>>>();
            // In the middle of a sentence they are a mention.
            match numbers.filter(|_| after.is_empty() || after.starts_with(['.', ';'])) {
                Some(numbers) => {
                    departures.extend(numbers.into_iter().map(|number| (number, reason(&said))));
                    after.trim_start_matches(['.', ';', ' ']).clone_into(&mut said);
                }
                None => said.extend([" (", part]),
            }
        }
    }
    departures
}

/// The items of all lists, each as one line.
fn items(page: &str) -> Vec<String> {
    let mut items: Vec<String> = Vec::new();
    let mut open = false;
    for line in page.lines() {
        match (line.strip_prefix("- "), items.last_mut()) {
            (Some(first), _) => {
                items.push(first.to_owned());
                open = true;
            }
            (None, Some(item)) if open && line.starts_with("  ") => {
                item.push(' ');
                item.push_str(line.trim());
            }
            (None, _) => open = false,
        }
    }
    items
}

/// The first sentence, without marks of emphasis.
fn reason(item: &str) -> String {
    let plain = item.replace('*', "");
    plain.split_once(". ").map_or(plain.as_str(), |(first, _)| first).to_owned()
}

#[cfg(test)]
mod tests;
