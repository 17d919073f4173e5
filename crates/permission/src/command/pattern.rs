//! A pattern of commands.

use std::collections::BTreeSet;

use super::{Part, base_name, read, risks};
use crate::glob::fits;

/// Before more options than this a word is taken to be there.
const MOST_OPTIONS: usize = 200;

/// Which commands a rule means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum CommandPattern {
    /// One command, word by word.
    Words(Vec<Word>),
    /// A whole line, as it stands.
    Line(String),
}

/// A word of a pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Word {
    /// `*` alone: any number of words.
    Any,
    /// The characters of one word.
    Of(Vec<Letter>),
}

/// A character of a pattern's word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Letter {
    /// `*`: any characters.
    Any,
    /// This one.
    Is(char),
}

impl CommandPattern {
    /// Reads a pattern. The error says what would be right.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        // Wildcards are looked at as letters first, so that what else is in the pattern is read as in a command.
        let stood_in = text.replace("\\*", "x").replace('*', "x");
        let words = words(text);
        let plain: Vec<String> = words.iter().map(Word::stood_in).collect();
        if read(&stood_in) != Ok(vec![plain]) {
            if text.contains('*') {
                return Err(
                    "a pattern with `*` is one plain command, as each command of a line is looked at alone; \
                            write a rule for each"
                        .to_owned(),
                );
            }
            return Ok(Self::Line(text.to_owned()));
        }
        if matches!(words.first(), Some(Word::Any)) && words.len() > 1 {
            return Err("it begins with `*`; name the program first".to_owned());
        }
        Ok(Self::Words(words))
    }

    /// Whether a command may run by this pattern. What a wildcard stands for must not hold an option by which a
    /// program runs another, or writes where nobody looks.
    pub(crate) fn covers(&self, command: &[String]) -> bool {
        let Self::Words(words) = self else { return false };
        let written = |word: &str| words.iter().any(|own| own.is(word));
        self.means(command) && risks(command).into_iter().all(written)
    }

    /// Whether this is the line that it means as a whole.
    pub(crate) fn is_line(&self, line: &str) -> bool {
        matches!(self, Self::Line(own) if own == line.trim())
    }

    /// Whether it means a part of a line, whatever folder its program is called from and whatever options stand before
    /// the words of the pattern.
    pub(crate) fn touches(&self, part: &Part) -> bool {
        let Self::Words(pattern) = self else { return false };
        if self.means(part.words()) {
            return true;
        }
        // A pattern with more than one word begins with no wildcard.
        let (Some((first, others)), Some((program, rest))) =
            (pattern.split_first(), part.words().split_first())
        else {
            return false;
        };
        first.means(base_name(program)) && fits_behind_options(others, rest)
    }

    fn means(&self, command: &[String]) -> bool {
        let Self::Words(words) = self else { return false };
        fit(words, command)
    }
}

/// As [`fit`], but options may stand before each word of the pattern, and each of them may have a value: `push` also means
/// the `-C x push` of git. Which options have values is not known, so both is tried.
fn fits_behind_options(words: &[Word], command: &[String]) -> bool {
    let is_option = |word: &String| word.starts_with(['-', '+']);
    let mut places = BTreeSet::from([0]);
    for (at, word) in words.iter().enumerate() {
        let Some(first) = places.first().copied() else { return false };
        if *word == Word::Any {
            return fit(words.get(at..).unwrap_or_default(), command.get(first..).unwrap_or_default());
        }
        let mut behind = BTreeSet::new();
        let mut looked = 0;
        while let Some(place) = places.pop_first() {
            let Some(other) = command.get(place) else { break };
            looked += 1;
            // A rule that forbids is better obeyed too often.
            if looked > MOST_OPTIONS {
                return true;
            }
            if word.means(other) {
                behind.insert(place + 1);
            }
            if is_option(other) && !word.is_option() {
                places.insert(place + 1);
                if command.get(place + 1).is_some_and(|value| !is_option(value)) {
                    places.insert(place + 2);
                }
            }
        }
        places = behind;
    }
    places.contains(&command.len())
}

fn fit(words: &[Word], command: &[String]) -> bool {
    fits(words, command, |word| *word == Word::Any, |word, other| word.means(other))
}

impl Word {
    /// With an `x` for each `*`.
    fn stood_in(&self) -> String {
        match self {
            Self::Any => "x".to_owned(),
            Self::Of(letters) => letters
                .iter()
                .map(|letter| match letter {
                    Letter::Any | Letter::Is('*') => 'x',
                    Letter::Is(letter) => *letter,
                })
                .collect(),
        }
    }

    fn means(&self, other: &str) -> bool {
        let Self::Of(letters) = self else { return false };
        let other: Vec<char> = other.chars().collect();
        fits(letters, &other, |letter| *letter == Letter::Any, |letter, other| *letter == Letter::Is(*other))
    }

    fn is_option(&self) -> bool {
        matches!(self, Self::Of(letters) if letters.first() == Some(&Letter::Is('-')))
    }

    /// Whether it is this word and has no wildcard.
    fn is(&self, other: &str) -> bool {
        let Self::Of(letters) = self else { return false };
        letters.iter().copied().eq(other.chars().map(Letter::Is))
    }
}

/// The words of a pattern that reads as one command.
fn words(text: &str) -> Vec<Word> {
    let mut words = Vec::new();
    let mut word: Option<Vec<Letter>> = None;
    let mut quote = None;
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (Some(open), letter) if letter == open => quote = None,
            (Some('\''), letter) => word.get_or_insert_default().push(letter_of(letter)),
            (_, '\\') => {
                let next = letters.next().unwrap_or('\\');
                if quote.is_some() && !matches!(next, '$' | '`' | '"' | '\\' | '*') {
                    word.get_or_insert_default().push(Letter::Is('\\'));
                }
                word.get_or_insert_default().push(Letter::Is(next));
            }
            (Some(_), letter) => word.get_or_insert_default().push(letter_of(letter)),
            (None, '\'' | '"') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None, ' ' | '\t') => words.extend(word.take()),
            (None, letter) => word.get_or_insert_default().push(letter_of(letter)),
        }
    }
    words.extend(word);
    let whole = |word: Vec<Letter>| if word == [Letter::Any] { Word::Any } else { Word::Of(word) };
    words.into_iter().map(whole).collect()
}

fn letter_of(letter: char) -> Letter {
    if letter == '*' { Letter::Any } else { Letter::Is(letter) }
}
