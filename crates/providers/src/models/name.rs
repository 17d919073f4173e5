//! Names of models: the form in which they are compared, and what a dated form looks like.

/// The form in which names are compared: lower case, `-` for `.` and `_`. The same model is `claude-opus-4.5`
/// in one place and `claude-opus-4-5` in another.
pub(super) fn canonical(name: &str) -> String {
    let name = name.trim();
    if name.is_ascii() {
        let canonical = |c: char| if matches!(c, '.' | '_') { '-' } else { c.to_ascii_lowercase() };
        return name.chars().map(canonical).collect();
    }
    name.chars().flat_map(char::to_lowercase).map(|c| if matches!(c, '.' | '_') { '-' } else { c }).collect()
}

/// The form in which names of providers are compared. Code Assist serves the models of the Gemini API.
pub(super) fn provider(name: &str) -> String {
    let name = name.trim().to_lowercase();
    if name == "gemini_gca" { "gemini".to_owned() } else { name }
}

/// The names under which a model may be in the table: its own, and what is left without vendors
/// (`openrouter/anthropic/…`) and without the mark of a tuned model (`ft:gpt-4o:…`).
pub(super) fn candidates(model: &str) -> Vec<String> {
    let name = canonical(model);
    let mut found = Vec::new();
    let mut rest = name.as_str();
    loop {
        found.push(rest.to_owned());
        if let Some(tuned) = rest.strip_prefix("ft:") {
            // A tuned model is like its base model, but not the same.
            found.push(tuned.replace(':', "/"));
        }
        match rest.split_once('/') {
            Some((_, after)) => rest = after,
            None => return found,
        }
    }
}

/// The rest of `name` after `start`, if `start` ends at a boundary between parts of a name.
pub(super) fn rest<'a>(name: &'a str, start: &str) -> Option<&'a str> {
    name.strip_prefix(start).filter(|rest| rest.is_empty() || rest.starts_with(['-', ':', '@', '/']))
}

/// Returns true if this end of a name only selects an edition of the model: nothing, `-latest`, a date, and
/// whatever stands after `@` or `:`.
pub(super) fn is_edition(rest: &str) -> bool {
    match rest.strip_prefix('-') {
        Some("latest") => true,
        Some(date) => {
            let digits = date.chars().filter(char::is_ascii_digit).count();
            let dashes = date.chars().filter(|c| *c == '-').count();
            digits + dashes == date.len() && matches!((digits, dashes), (8, 0 | 2) | (4, 0))
        }
        None => rest.is_empty() || rest.starts_with(['@', ':']),
    }
}
