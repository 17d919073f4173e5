//! Where a piece of text ends, character by character.
//!
//! `o200k_base` defines its pieces by a regular expression (OpenAI's `tiktoken`, `openai_public.py`). This is the same
//! decision as a state machine: it needs no backtracking and is linear on every text. The tests compare it with the
//! expression on every short text over one character of each kind, and on random text.

use super::class::{
    APOSTROPHE, BLANK, CASELESS, CharClass, Classes, LETTER, LOWER, MARK, NEWLINE, NUMBER, PUNCTUATION,
    SLASH, SPACE, UPPER,
};

/// Letters that continue a word after its first lower-case one.
const BODY: CharClass = LOWER | CASELESS | MARK;

/// Reads one piece after the other.
#[derive(Debug, Clone)]
pub(super) struct Splitter {
    classes: &'static Classes,
    state: SplitState,
}

/// What has been read of the piece. Places are bytes from the start of the piece.
#[derive(Debug, Clone, Copy)]
enum SplitState {
    Start,
    /// One character that may stand before a word or before punctuation.
    Lead(CharClass),
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
    /// This many digits; the maximum is three.
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
struct PieceEnd(usize);

impl Splitter {
    pub(super) fn new() -> Self {
        Self { classes: Classes::get(), state: SplitState::Start }
    }

    /// Length of the first piece of a text.
    fn first(&mut self, text: &str) -> usize {
        self.state = SplitState::Start;
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
            Err(PieceEnd(end)) => Some(end),
        }
    }

    /// Where the piece ends if the text ends at `len`. What is left after it is one piece.
    fn finish(&self, len: usize) -> usize {
        match self.state {
            SplitState::Head { caseless: Some(end) } | SplitState::Blank { newline: Some(end), .. } => end,
            SplitState::Contraction { word } | SplitState::LongContraction { word, .. } => word,
            _ => len,
        }
    }

    fn next(&self, at: usize, c: char) -> Result<SplitState, PieceEnd> {
        let class = self.classes.of(c);
        let after = at + c.len_utf8();
        match self.state {
            SplitState::Start => Ok(start(class, after)),
            SplitState::Lead(lead) => after_lead(lead, class, at, after),
            SplitState::Body if class & BODY != 0 => Ok(SplitState::Body),
            SplitState::Head { .. } if class == UPPER => Ok(self.state),
            SplitState::Head { .. } if class & BODY != 0 => Ok(word(class, after)),
            // Capitals after a letter without case are a piece of their own when no other letter follows.
            SplitState::Head { caseless: Some(end) } if end < at => Err(PieceEnd(end)),
            SplitState::Head { .. } | SplitState::Body if class == APOSTROPHE => {
                Ok(SplitState::Contraction { word: at })
            }
            SplitState::Contraction { word } => match c {
                _ if closes(c) => Err(PieceEnd(after)),
                _ => opens(c).map(|last| SplitState::LongContraction { word, last }).ok_or(PieceEnd(word)),
            },
            SplitState::LongContraction { last, .. } if c.eq_ignore_ascii_case(&last) => Err(PieceEnd(after)),
            SplitState::LongContraction { word, .. } => Err(PieceEnd(word)),
            SplitState::Number(digits @ ..3) if class == NUMBER => Ok(SplitState::Number(digits + 1)),
            SplitState::Punctuation if class & PUNCTUATION != 0 => Ok(SplitState::Punctuation),
            SplitState::Punctuation | SplitState::PunctuationEnd if ends_punctuation(class) => {
                Ok(SplitState::PunctuationEnd)
            }
            SplitState::Blank { newline, .. } if class & BLANK != 0 => Ok(SplitState::Blank {
                newline: if class == NEWLINE { Some(after) } else { newline },
                last: at,
            }),
            // Without a newline, the last blank goes to what follows.
            SplitState::Blank { newline, last } => Err(PieceEnd(newline.unwrap_or(last))),
            _ => Err(PieceEnd(at)),
        }
    }
}

fn start(class: CharClass, after: usize) -> SplitState {
    match class {
        NUMBER => SplitState::Number(1),
        NEWLINE => SplitState::Blank { newline: Some(after), last: 0 },
        _ if is_letter(class) => word(class, after),
        _ => SplitState::Lead(class),
    }
}

/// The second character, after one that may lead.
fn after_lead(lead: CharClass, class: CharClass, at: usize, after: usize) -> Result<SplitState, PieceEnd> {
    let punctuates = lead & PUNCTUATION != 0;
    match class {
        _ if is_letter(class) => Ok(word(class, after)),
        _ if class & PUNCTUATION != 0 && (punctuates || lead == SPACE) => Ok(SplitState::Punctuation),
        NEWLINE if punctuates => Ok(SplitState::PunctuationEnd),
        NEWLINE => Ok(SplitState::Blank { newline: Some(after), last: at }),
        _ if class & BLANK != 0 && !punctuates => Ok(SplitState::Blank { newline: None, last: at }),
        _ => Err(PieceEnd(at)),
    }
}

/// The state of a word after a letter of this kind, when none before it was lower-case.
fn word(class: CharClass, after: usize) -> SplitState {
    match class {
        LOWER => SplitState::Body,
        UPPER => SplitState::Head { caseless: None },
        _ => SplitState::Head { caseless: Some(after) },
    }
}

/// A mark counts as a letter.
fn is_letter(class: CharClass) -> bool {
    class & LETTER != 0 || class == MARK
}

fn ends_punctuation(class: CharClass) -> bool {
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
