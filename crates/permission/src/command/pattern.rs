//! Command patterns of rules.

use std::collections::BTreeSet;

use super::{CommandPart, base_name, is_expanded, parse_plain, risks};
use crate::glob::matches;

/// After this many options a word of the pattern counts as present.
const MAX_OPTIONS: usize = 200;

/// The commands that a rule matches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum CommandPattern {
    /// One command, matched word by word.
    Words(Vec<PatternWord>),
    /// A whole line, matched literally.
    Line(String),
}

/// A word of a pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PatternWord {
    /// `*` alone matches any number of words.
    Any,
    /// Matches one word.
    Of(Vec<PatternChar>),
}

/// A character of a pattern's word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PatternChar {
    /// `*` matches any characters.
    Any,
    /// A literal character.
    Is(char),
}

impl CommandPattern {
    /// Parses a pattern. The error names the correct form.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        // Wildcards are replaced by letters first, so that the rest of the pattern is parsed like a command.
        let placeholder = text.replace("\\*", "x").replace('*', "x");
        let words = words(text);
        let plain: Vec<String> = words.iter().map(PatternWord::placeholder).collect();
        if parse_plain(&placeholder) != Ok(vec![plain]) {
            if text.contains('*') {
                return Err(
                    "a pattern with `*` must be one plain command, because each command of a line is matched alone; \
                            write a rule for each"
                        .to_owned(),
                );
            }
            return Ok(Self::Line(text.to_owned()));
        }
        if matches!(words.first(), Some(PatternWord::Any)) && words.len() > 1 {
            return Err("it begins with `*`; name the program first".to_owned());
        }
        Ok(Self::Words(words))
    }

    /// Returns true if the pattern allows a command. A wildcard does not cover an option by which a program runs another
    /// one or writes to an arbitrary file.
    pub(crate) fn covers(&self, command: &[String]) -> bool {
        let Self::Words(words) = self else { return false };
        let written = |word: &str| words.iter().any(|own| own.is(word) || own.is_option_of(word));
        self.matches(command) && risks(command).into_iter().all(written)
    }

    /// Returns true if the pattern is literally this line.
    pub(crate) fn is_line(&self, line: &str) -> bool {
        matches!(self, Self::Line(own) if own == line.trim())
    }

    /// Returns true if the pattern matches a part of a line, whatever the path of its program, and whatever options precede
    /// the words of the pattern.
    pub(crate) fn touches(&self, part: &CommandPart) -> bool {
        let Self::Words(pattern) = self else { return false };
        if self.matches(part.words()) {
            return true;
        }
        // A pattern of several words does not start with a wildcard.
        let (Some((first, others)), Some((program, rest))) =
            (pattern.split_first(), part.words().split_first())
        else {
            return false;
        };
        first.matches(base_name(program)) && matches_with_options(others, rest)
    }

    /// Returns true if a shell expands words of a part, and the pattern may match what becomes of them.
    pub(crate) fn may_touch(&self, part: &CommandPart) -> bool {
        let Self::Words(pattern) = self else { return false };
        let (Some((first, others)), Some((program, rest))) =
            (pattern.split_first(), part.words().split_first())
        else {
            return false;
        };
        let mut named = others.iter().filter(|word| !matches!(word, PatternWord::Any)).count();
        let mut may_be_value = false;
        for word in rest.iter().filter(|_| first.matches(base_name(program))) {
            let is_option = word.starts_with('-');
            if named == 0 {
                break;
            } else if is_expanded(word) {
                return true;
            } else if !is_option && !may_be_value {
                named -= 1;
            }
            may_be_value = is_option;
        }
        false
    }

    /// The program that it names; inside it `None` if a wildcard is in its name. `None` for a whole line.
    pub(crate) fn program(&self) -> Option<Option<String>> {
        let Self::Words(words) = self else { return None };
        Some(words.first().and_then(PatternWord::literal))
    }

    /// Returns true if it has a wildcard.
    pub(crate) fn has_wildcard(&self) -> bool {
        matches!(self, Self::Words(words) if words.iter().any(|word| word.literal().is_none()))
    }

    fn matches(&self, command: &[String]) -> bool {
        let Self::Words(words) = self else { return false };
        words_match(words, command)
    }
}

/// Like [`words_match`], but options may precede each word of the pattern, and each may have a value: `push` also matches
/// `-C x push` of git. Which options have values is unknown, so both are tried.
fn matches_with_options(words: &[PatternWord], command: &[String]) -> bool {
    let is_option = |word: &String| word.starts_with(['-', '+']);
    let mut positions = BTreeSet::from([0]);
    for (at, word) in words.iter().enumerate() {
        let Some(first) = positions.first().copied() else { return false };
        if *word == PatternWord::Any {
            return words_match(
                words.get(at..).unwrap_or_default(),
                command.get(first..).unwrap_or_default(),
            );
        }
        let mut after = BTreeSet::new();
        let mut tried = 0;
        while let Some(position) = positions.pop_first() {
            let Some(other) = command.get(position) else { break };
            tried += 1;
            // A deny rule should rather match too often.
            if tried > MAX_OPTIONS {
                return true;
            }
            if word.matches(other) {
                after.insert(position + 1);
            }
            if is_option(other) && !word.is_option() {
                positions.insert(position + 1);
                if command.get(position + 1).is_some_and(|value| !is_option(value)) {
                    positions.insert(position + 2);
                }
            }
        }
        positions = after;
    }
    positions.contains(&command.len())
}

fn words_match(words: &[PatternWord], command: &[String]) -> bool {
    matches(words, command, |word| *word == PatternWord::Any, |word, other| word.matches(other))
}

impl PatternWord {
    /// The word with an `x` for each `*`.
    fn placeholder(&self) -> String {
        match self {
            Self::Any => "x".to_owned(),
            Self::Of(letters) => letters
                .iter()
                .map(|letter| match letter {
                    PatternChar::Any | PatternChar::Is('*') => 'x',
                    PatternChar::Is(letter) => *letter,
                })
                .collect(),
        }
    }

    fn matches(&self, other: &str) -> bool {
        let Self::Of(letters) = self else { return false };
        let other: Vec<char> = other.chars().collect();
        matches(
            letters,
            &other,
            |letter| *letter == PatternChar::Any,
            |letter, other| *letter == PatternChar::Is(*other),
        )
    }

    /// Returns true if it names the option that a word is, and leaves its value open: `--name=*`.
    fn is_option_of(&self, other: &str) -> bool {
        let Self::Of(letters) = self else { return false };
        let is_named = letters
            .iter()
            .take_while(|letter| **letter != PatternChar::Any)
            .any(|letter| *letter == PatternChar::Is('='));
        self.is_option() && is_named && self.matches(other)
    }

    fn is_option(&self) -> bool {
        matches!(self, Self::Of(letters) if letters.first() == Some(&PatternChar::Is('-')))
    }

    /// The word, if it has no wildcard.
    fn literal(&self) -> Option<String> {
        let Self::Of(letters) = self else { return None };
        letters
            .iter()
            .map(|letter| match letter {
                PatternChar::Is(letter) => Some(*letter),
                PatternChar::Any => None,
            })
            .collect()
    }

    /// Returns true if it is literally this word.
    fn is(&self, other: &str) -> bool {
        let Self::Of(letters) = self else { return false };
        letters.iter().copied().eq(other.chars().map(PatternChar::Is))
    }
}

/// Splits a pattern that parses as one command.
fn words(text: &str) -> Vec<PatternWord> {
    let mut words = Vec::new();
    let mut word: Option<Vec<PatternChar>> = None;
    let mut quote = None;
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (Some(open), letter) if letter == open => quote = None,
            (Some('\''), letter) => word.get_or_insert_default().push(letter_of(letter)),
            (_, '\\') => {
                let next = letters.next().unwrap_or('\\');
                if quote.is_some() && !matches!(next, '$' | '`' | '"' | '\\' | '*') {
                    word.get_or_insert_default().push(PatternChar::Is('\\'));
                }
                word.get_or_insert_default().push(PatternChar::Is(next));
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
    let whole = |word: Vec<PatternChar>| {
        if word == [PatternChar::Any] { PatternWord::Any } else { PatternWord::Of(word) }
    };
    words.into_iter().map(whole).collect()
}

fn letter_of(letter: char) -> PatternChar {
    if letter == '*' { PatternChar::Any } else { PatternChar::Is(letter) }
}
