//! Rules of the user, quoted without the rest of their message.

/// Around a rule that was taken out of a longer text.
const LEFT_OUT: &str = "[…]";

/// A rule, quoted without the rest of its message.
pub(crate) fn excerpt(rule: &str) -> String {
    format!("{LEFT_OUT} {rule} {LEFT_OUT}")
}

/// The rule in a quoted text: without the marks of an excerpt.
pub(crate) fn without_marks(quoted: &str) -> &str {
    let inner = quoted.strip_prefix(LEFT_OUT).and_then(|rest| rest.strip_suffix(LEFT_OUT));
    inner.map_or(quoted, str::trim)
}

#[cfg(test)]
mod tests;
