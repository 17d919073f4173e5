//! Finds the string literals of a Rust file. It knows comments, characters and raw strings, and nothing else.

use std::iter::Peekable;
use std::str::Chars;

/// A string literal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Literal {
    /// The line on which it starts, counted from one.
    pub(super) line: usize,
    /// How many characters stand between its quotes.
    pub(super) chars: usize,
    /// How many lines it covers.
    pub(super) lines: usize,
}

/// All string literals, in order.
pub(super) fn literals(text: &str) -> Vec<Literal> {
    let mut lexer = Lexer { rest: text.chars().peekable(), line: 1 };
    let mut found = Vec::new();
    while let Some(letter) = lexer.next() {
        match letter {
            '/' => lexer.comment(),
            '\'' => lexer.character(),
            '"' => found.push(lexer.string(None)),
            'r' => found.extend(lexer.raw_string()),
            _ => {}
        }
    }
    found
}

/// The text that is left, and the line that it starts on.
struct Lexer<'a> {
    rest: Peekable<Chars<'a>>,
    line: usize,
}

impl Lexer<'_> {
    fn next(&mut self) -> Option<char> {
        let letter = self.rest.next();
        self.line += usize::from(letter == Some('\n'));
        letter
    }

    fn next_if(&mut self, wanted: char) -> bool {
        let is_next = self.rest.peek() == Some(&wanted);
        if is_next {
            self.next();
        }
        is_next
    }

    /// After a slash: passes over a comment, if it is one. Block comments nest.
    fn comment(&mut self) {
        if self.next_if('/') {
            while self.rest.peek().is_some_and(|letter| *letter != '\n') {
                self.next();
            }
        } else if self.next_if('*') {
            let mut depth = 1;
            while depth > 0 {
                match self.next() {
                    Some('*') if self.next_if('/') => depth -= 1,
                    Some('/') if self.next_if('*') => depth += 1,
                    Some(_) => {}
                    None => return,
                }
            }
        }
    }

    /// After a single quote: passes over a character, so that a quote in it opens nothing. A lifetime has no end.
    fn character(&mut self) {
        if self.next_if('\\') {
            self.next();
            while self.rest.peek().is_some_and(|letter| *letter != '\'') {
                self.next();
            }
            self.next();
        } else if self.rest.clone().nth(1) == Some('\'') {
            self.next();
            self.next();
        }
    }

    /// After an `r`: a raw string, if quotes follow its hashes.
    fn raw_string(&mut self) -> Option<Literal> {
        let mut hashes = 0;
        while self.next_if('#') {
            hashes += 1;
        }
        self.next_if('"').then(|| self.string(Some(hashes)))
    }

    /// After the opening quotes: the string up to its end. Only a string that is not raw has escapes.
    fn string(&mut self, raw_hashes: Option<usize>) -> Literal {
        let line = self.line;
        let mut chars = 0;
        while let Some(letter) = self.next() {
            match letter {
                '"' if self.closes(raw_hashes.unwrap_or(0)) => break,
                '\\' if raw_hashes.is_none() => {
                    self.next();
                }
                _ => {}
            }
            chars += 1;
        }
        Literal { line, chars, lines: self.line - line + 1 }
    }

    /// Whether this many hashes follow; if so they are taken.
    fn closes(&mut self, hashes: usize) -> bool {
        let follow = self.rest.clone().take_while(|letter| *letter == '#').take(hashes).count() == hashes;
        if follow {
            for _ in 0..hashes {
                self.next();
            }
        }
        follow
    }
}

#[cfg(test)]
mod tests;
