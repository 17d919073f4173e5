//! Where a piece of text ends, character by character.
//!
//! `o200k_base` defines its pieces by a regular expression (OpenAI's `tiktoken`, `openai_public.py`). This is the same
//! decision as a state machine: it needs no backtracking and is linear on every text. The tests compare it with the
//! expression on every short text over one character of each kind, and on random text.

use super::class::{
    APOSTROPHE, BLANK, CASELESS, Class, Classes, LETTER, LOWER, MARK, NEWLINE, NUMBER, PUNCTUATION, SLASH,
    SPACE, UPPER,
};

/// Letters that continue a word after its first lower-case one.
const BODY: Class = LOWER | CASELESS | MARK;

/// Reads one piece after the other.
#[derive(Debug, Clone)]
pub(super) struct Splitter {
    classes: &'static Classes,
    state: State,
}

/// What has been read of the piece. Places are bytes from the start of the piece.
#[derive(Debug, Clone, Copy)]
enum State {
    Start,
    /// One character that may stand before a word or before punctuation.
    Lead(Class),
    /// Letters, none of them lower-case; `caseless` is the end of the last one without case.
    Head {
        caseless: Option<usize>,
    },
    /// Letters, from the first lower-case one on.
    Body,
    /// An apostrophe after a word that ends at `word`.
    Contraction {
        word: usize,
    },
    /// The first letter of `'re`, `'ve` or `'ll` after that; `last` is the other one.
    LongContraction {
        word: usize,
        last: char,
    },
    /// So many digits; three are the most.
    Number(u8),
    Punctuation,
    /// Newlines that belong to the punctuation before them.
    PunctuationEnd,
    /// White space; `newline` is the end of the last newline, `last` the start of the last character.
    Blank {
        newline: Option<usize>,
        last: usize,
    },
}

/// The piece ends here.
struct Ends(usize);

impl Splitter {
    pub(super) fn new() -> Self {
        Self { classes: Classes::get(), state: State::Start }
    }

    /// Length of the first piece of a text.
    fn first(&mut self, text: &str) -> usize {
        self.state = State::Start;
        let ends = text.char_indices().find_map(|(at, c)| self.step(at, c));
        ends.unwrap_or_else(|| self.finish(text.len()))
    }

    /// Calls `with` for each piece of a text.
    pub(super) fn each<'a>(&mut self, text: &'a str, mut with: impl FnMut(&'a str)) {
        let mut rest = text;
        while !rest.is_empty() {
            let (piece, after) = rest.split_at_checked(self.first(rest).max(1)).unwrap_or((rest, ""));
            with(piece);
            rest = after;
        }
    }

    /// Takes the character at `at`. When it shows where the piece ends, that is the answer: at most `at`, except
    /// where the character itself closes the piece.
    fn step(&mut self, at: usize, c: char) -> Option<usize> {
        match self.next(at, c) {
            Ok(state) => {
                self.state = state;
                None
            }
            Err(Ends(end)) => Some(end),
        }
    }

    /// Where the piece ends if the text ends at `len`. What is left after it is one piece.
    fn finish(&self, len: usize) -> usize {
        match self.state {
            State::Head { caseless: Some(end) } | State::Blank { newline: Some(end), .. } => end,
            State::Contraction { word } | State::LongContraction { word, .. } => word,
            _ => len,
        }
    }

    fn next(&self, at: usize, c: char) -> Result<State, Ends> {
        let class = self.classes.of(c);
        let after = at + c.len_utf8();
        match self.state {
            State::Start => Ok(start(class, after)),
            State::Lead(lead) => after_lead(lead, class, at, after),
            State::Body if class & BODY != 0 => Ok(State::Body),
            State::Head { .. } if class == UPPER => Ok(self.state),
            State::Head { .. } if class & BODY != 0 => Ok(word(class, after)),
            // Capitals after a letter without case are a piece of their own when no other letter follows.
            State::Head { caseless: Some(end) } if end < at => Err(Ends(end)),
            State::Head { .. } | State::Body if class == APOSTROPHE => Ok(State::Contraction { word: at }),
            State::Contraction { word } => match c {
                _ if closes(c) => Err(Ends(after)),
                _ => opens(c).map(|last| State::LongContraction { word, last }).ok_or(Ends(word)),
            },
            State::LongContraction { last, .. } if c.eq_ignore_ascii_case(&last) => Err(Ends(after)),
            State::LongContraction { word, .. } => Err(Ends(word)),
            State::Number(digits @ ..3) if class == NUMBER => Ok(State::Number(digits + 1)),
            State::Punctuation if class & PUNCTUATION != 0 => Ok(State::Punctuation),
            State::Punctuation | State::PunctuationEnd if ends_punctuation(class) => {
                Ok(State::PunctuationEnd)
            }
            State::Blank { newline, .. } if class & BLANK != 0 => {
                Ok(State::Blank { newline: if class == NEWLINE { Some(after) } else { newline }, last: at })
            }
            // Without a newline, the last blank goes to what follows.
            State::Blank { newline, last } => Err(Ends(newline.unwrap_or(last))),
            _ => Err(Ends(at)),
        }
    }
}

fn start(class: Class, after: usize) -> State {
    match class {
        NUMBER => State::Number(1),
        NEWLINE => State::Blank { newline: Some(after), last: 0 },
        _ if is_letter(class) => word(class, after),
        _ => State::Lead(class),
    }
}

/// The second character, after one that may lead.
fn after_lead(lead: Class, class: Class, at: usize, after: usize) -> Result<State, Ends> {
    let punctuates = lead & PUNCTUATION != 0;
    match class {
        _ if is_letter(class) => Ok(word(class, after)),
        _ if class & PUNCTUATION != 0 && (punctuates || lead == SPACE) => Ok(State::Punctuation),
        NEWLINE if punctuates => Ok(State::PunctuationEnd),
        NEWLINE => Ok(State::Blank { newline: Some(after), last: at }),
        _ if class & BLANK != 0 && !punctuates => Ok(State::Blank { newline: None, last: at }),
        _ => Err(Ends(at)),
    }
}

/// The state of a word after a letter of this kind, when none before it was lower-case.
fn word(class: Class, after: usize) -> State {
    match class {
        LOWER => State::Body,
        UPPER => State::Head { caseless: None },
        _ => State::Head { caseless: Some(after) },
    }
}

/// A mark counts as a letter.
fn is_letter(class: Class) -> bool {
    class & LETTER != 0 || class == MARK
}

fn ends_punctuation(class: Class) -> bool {
    class == NEWLINE || class == SLASH
}

/// Returns true if the letter after an apostrophe makes a contraction: `'s`, `'t`, `'m`, `'d`. The long s is one too.
fn closes(c: char) -> bool {
    matches!(c, 's' | 'S' | 'ſ' | 't' | 'T' | 'm' | 'M' | 'd' | 'D')
}

/// The letter that must follow for `'re`, `'ve` and `'ll`.
fn opens(c: char) -> Option<char> {
    match c {
        'r' | 'R' | 'v' | 'V' => Some('e'),
        'l' | 'L' => Some('l'),
        _ => None,
    }
}
