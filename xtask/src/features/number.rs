//! The number of a feature: a group and a place in it.

use std::fmt;

/// `S3-09` is the ninth feature of group 3.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Number {
    /// The group.
    pub(super) group: u8,
    item: u8,
}

impl Number {
    /// Reads exactly the form `S3-09`; anything else is not a number.
    pub(super) fn parse(word: &str) -> Option<Self> {
        let (group, item) = word.strip_prefix('S')?.split_once('-')?;
        let all_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if group.len() != 1 || item.len() != 2 || !all_digits(group) || !all_digits(item) {
            return None;
        }
        Some(Self { group: group.parse().ok()?, item: item.parse().ok()? })
    }
}

impl fmt::Display for Number {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "S{}-{:02}", self.group, self.item)
    }
}

#[cfg(test)]
mod tests;
