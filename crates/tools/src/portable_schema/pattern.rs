//! Which regular expressions every dialect reads.

use std::iter::Peekable;
use std::str::Chars;

/// Returns true for an expression of plain characters, classes, groups and repetitions, which mean the same in JavaScript,
/// Python, Rust and RE2.
pub(super) fn is_common(pattern: &str) -> bool {
    Reader { rest: pattern.chars().peekable(), depth: 0, repeatable: false }.reads_all().is_some()
}

struct Reader<'p> {
    rest: Peekable<Chars<'p>>,
    /// Open groups.
    depth: usize,
    /// A repetition may follow.
    repeatable: bool,
}

impl Reader<'_> {
    /// `None`: not every dialect reads it.
    fn reads_all(mut self) -> Option<()> {
        while let Some(letter) = self.rest.next() {
            self.repeatable = match letter {
                '\\' => self.escape("dDsSwWbBnrtfv")? != 'b',
                '[' => self.class()?,
                '(' => self.group()?,
                ')' => {
                    self.depth = self.depth.checked_sub(1)?;
                    true
                }
                '|' | '^' | '$' => false,
                '*' | '+' | '?' => self.repetition()?,
                '{' => {
                    self.bounds()?;
                    self.repetition()?
                }
                '}' | ']' => return None,
                _ => true,
            };
        }
        (self.depth == 0).then_some(())
    }

    fn escape(&mut self, letters: &str) -> Option<char> {
        let letter = self.rest.next()?;
        (letters.contains(letter) || letter.is_ascii_punctuation()).then_some(letter)
    }

    fn class(&mut self) -> Option<bool> {
        self.rest.next_if_eq(&'^');
        let mut before: Option<char> = None;
        for at in 0.. {
            let letter = match self.rest.next()? {
                ']' if at > 0 => return Some(true),
                ']' | '[' => return None,
                '\\' => {
                    self.escape("dDsSwWnrtfv")?;
                    before = None;
                    continue;
                }
                // Doubled signs are set operations in some dialects.
                letter @ ('&' | '~' | '|') if before == Some(letter) => return None,
                '-' if before == Some('-') => return None,
                letter => letter,
            };
            if letter == '-'
                && let (Some(first), Some(last)) = (before, self.rest.peek().copied())
                && !matches!(last, ']' | '\\')
            {
                if first > last || last == '[' {
                    return None;
                }
                self.rest.next();
                before = None;
                continue;
            }
            before = Some(letter);
        }
        None
    }

    fn group(&mut self) -> Option<bool> {
        self.depth += 1;
        if self.rest.next_if_eq(&'?').is_some() {
            self.rest.next_if_eq(&':')?;
        }
        Some(false)
    }

    /// The end of a repetition, which may be lazy.
    fn repetition(&mut self) -> Option<bool> {
        if !self.repeatable {
            return None;
        }
        self.rest.next_if_eq(&'?');
        Some(false)
    }

    /// `{2}`, `{2,}` or `{2,9}`, after its first brace.
    fn bounds(&mut self) -> Option<()> {
        let least = self.count()?;
        let most = match self.rest.next()? {
            '}' => return Some(()),
            ',' if self.rest.peek() == Some(&'}') => None,
            ',' => Some(self.count()?),
            _ => return None,
        };
        self.rest.next_if_eq(&'}')?;
        most.is_none_or(|most| least <= most).then_some(())
    }

    fn count(&mut self) -> Option<u32> {
        let mut digits = String::new();
        while let Some(digit) = self.rest.next_if(char::is_ascii_digit) {
            digits.push(digit);
        }
        digits.parse().ok().filter(|count| *count <= 1_000)
    }
}
