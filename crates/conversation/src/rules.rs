//! Rules of the user that hold from then on, as far as words can tell.

/// A longer message is a task or a paste. Its rules are sentences in it.
const MAX_RULE_BYTES: usize = 500;
/// From a longer message no rules are read: it is a file.
const MAX_TEXT_BYTES: usize = 20_000;
/// More rules in one message are a document about something else.
const MAX_RULES: usize = 12;
/// A shorter sentence says no rule.
const LEAST_BYTES: usize = 10;

/// Returns true if a message states a rule that holds from then on. A long text is a task or a paste, even with such words
/// in it.
#[must_use]
pub fn is_rule(text: &str) -> bool {
    text.len() <= MAX_RULE_BYTES && has_rule_words(text)
}

/// The rules in a message: all of it if it is short and states one, else its sentences and list items that do, outside of
/// code, quotes and tables.
#[must_use]
pub fn rules_of(text: &str) -> Vec<&str> {
    if is_rule(text) {
        return vec![text];
    }
    if text.len() <= MAX_RULE_BYTES || text.len() > MAX_TEXT_BYTES {
        return Vec::new();
    }
    let mut in_code = false;
    let mut rules = Vec::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
        }
        if in_code || line.starts_with(['>', '|', '\t']) || line.starts_with("    ") {
            continue;
        }
        rules.extend(sentences(line).filter(|one| one.len() >= LEAST_BYTES && is_rule(one)));
    }
    rules.truncate(MAX_RULES);
    rules
}

fn sentences(line: &str) -> impl Iterator<Item = &str> {
    line.split_inclusive(". ").flat_map(|part| part.split_inclusive("! ")).map(str::trim)
}

fn has_rule_words(text: &str) -> bool {
    const WORDS: &[&str] =
        &["never", "always", "must", "don't", "don’t", "dont", "avoid", "only", "prefer", "forbidden"];
    const PHRASES: &[&str] = &[
        "do not",
        "make sure",
        "from now on",
        "no longer",
        "stop using",
        "at most",
        "no more than",
        "ask me before",
        "without asking",
        "may not",
        "has to stay",
        "have to stay",
    ];
    let text = text.to_lowercase();
    let mut words = text.split(|letter: char| !letter.is_alphanumeric() && !matches!(letter, '\'' | '’'));
    words.any(|word| WORDS.contains(&word)) || PHRASES.iter().any(|phrase| text.contains(phrase))
}

#[cfg(test)]
mod tests;
