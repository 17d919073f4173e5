//! Expressions of licences (<https://spdx.github.io/spdx-spec/v2.3/SPDX-license-expressions/>).

/// Returns true if one choice of an expression has allowed licences only. An expression that cannot be parsed is not allowed.
pub(super) fn is_allowed(expression: &str, allowed: &[&str]) -> bool {
    // Older packages write a choice with `/`.
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let mut words = Words { words: spaced.split_whitespace().collect(), allowed };
    words.words.reverse();
    let value = words.choice();
    words.words.is_empty() && value == Some(true)
}

/// The words that are left, the next one last.
struct Words<'a> {
    words: Vec<&'a str>,
    allowed: &'a [&'a str],
}

impl Words<'_> {
    fn choice(&mut self) -> Option<bool> {
        let mut value = self.all()?;
        while self.takes("OR") {
            value |= self.all()?;
        }
        Some(value)
    }

    fn all(&mut self) -> Option<bool> {
        let mut value = self.one()?;
        while self.takes("AND") {
            value &= self.one()?;
        }
        Some(value)
    }

    fn one(&mut self) -> Option<bool> {
        if self.takes("(") {
            let value = self.choice();
            return if self.takes(")") { value } else { None };
        }
        let name = self.words.pop()?;
        if self.takes("WITH") {
            // An exception only allows more.
            self.words.pop()?;
        }
        Some(self.allowed.contains(&name))
    }

    fn takes(&mut self, word: &str) -> bool {
        let is_next = self.words.last() == Some(&word);
        if is_next {
            self.words.pop();
        }
        is_next
    }
}

#[cfg(test)]
mod tests;
