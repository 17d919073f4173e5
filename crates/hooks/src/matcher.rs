//! What a hook matches.

use regex::Regex;

/// A matcher of a hook file: nothing or `*` for everything, names separated by `|`, or a regular expression for a whole name.
#[derive(Debug, Clone)]
pub(crate) struct Matcher {
    text: String,
    /// `None`: everything.
    pattern: Option<Regex>,
}

impl Matcher {
    /// Parses a matcher.
    ///
    /// # Errors
    /// It is no regular expression; the text says where.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let trimmed = text.trim();
        if trimmed.is_empty() || trimmed == "*" {
            return Ok(Self { text: String::new(), pattern: None });
        }
        let pattern = Regex::new(&format!("^(?:{trimmed})$")).map_err(|error| {
            let why = error.to_string();
            let why = why.lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned();
            format!("{trimmed:?} is no matcher: {why}; write Bash, Edit|Write or a regular expression")
        })?;
        Ok(Self { text: trimmed.to_owned(), pattern: Some(pattern) })
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Returns true if one of these names matches. An event without a name is matched by everything.
    pub(crate) fn matches(&self, names: &[String]) -> bool {
        let Some(pattern) = &self.pattern else { return true };
        names.is_empty() || names.iter().any(|name| pattern.is_match(name))
    }
}

#[cfg(test)]
mod tests;
