//! `$NAME` and `${NAME}` in the value of a header.

/// Splits a text at its variables: each text with the name of the variable behind it, which is missing behind the last one.
pub(crate) fn split_at_variables(text: &str) -> Vec<(String, Option<&str>)> {
    let mut parts = text.split('$');
    let mut before = parts.next().unwrap_or_default().to_owned();
    let mut split = Vec::new();
    for part in parts {
        match leading_variable(part) {
            Some((name, rest)) => split.push((std::mem::replace(&mut before, rest.to_owned()), Some(name))),
            None => before = before + "$" + part,
        }
    }
    split.push((before, None));
    split
}

/// The name that a text behind `$` begins with, and the text behind it.
fn leading_variable(text: &str) -> Option<(&str, &str)> {
    let inside = text.strip_prefix('{');
    let text = inside.unwrap_or(text);
    let is_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let (name, rest) = text.split_at(text.find(|letter| !is_name(letter)).unwrap_or(text.len()));
    let rest = if inside.is_some() { rest.strip_prefix('}')? } else { rest };
    (!name.is_empty()).then_some((name, rest))
}

#[cfg(test)]
mod tests;
