//! Splits Rust source into tokens. It knows comments, literals, names, numbers and punctuation, and no grammar.

/// The kind of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A comment with its slashes: one line, or a block.
    Comment,
    /// A string literal of any form, with its prefix and quotes.
    Text,
    /// A name or a keyword; a raw name without its `r#`.
    Name,
    /// A number, with its suffix.
    Number,
    /// A character or a byte in single quotes, or a lifetime.
    Quoted,
    /// One character of punctuation.
    Mark,
}

/// One token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Token<'a> {
    /// What it is.
    pub(crate) kind: Kind,
    /// The source text.
    pub(crate) text: &'a str,
    /// The line on which it starts, counted from one.
    pub(crate) line: usize,
}

impl Token<'_> {
    /// Returns true if it is this name or this punctuation; a literal or a comment never is.
    pub(crate) fn is(&self, word: &str) -> bool {
        matches!(self.kind, Kind::Name | Kind::Mark) && self.text == word
    }

    /// Characters between the quotes of a string literal, an escape counted as one.
    pub(crate) fn chars(&self) -> usize {
        let prefix = self.text.find('"').unwrap_or(0);
        let hashes = self.text.chars().rev().take_while(|letter| *letter == '#').count();
        let raw = self.text.get(..prefix).is_some_and(|prefix| prefix.contains('r'));
        let end = self.text.len().saturating_sub(hashes + 1);
        let mut letters = self.text.get(prefix + 1..end).unwrap_or_default().chars();
        let mut count = 0;
        while let Some(letter) = letters.next() {
            if letter == '\\' && !raw {
                letters.next();
            }
            count += 1;
        }
        count
    }

    /// Number of lines that it covers.
    pub(crate) fn lines(&self) -> usize {
        self.text.matches('\n').count() + 1
    }
}

/// All tokens of a source text, in order. A text that ends inside a literal ends with that literal.
pub(crate) fn tokens(source: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let (mut rest, mut line) = (source, 1);
    while let Some(first) = rest.chars().next() {
        let (kind, length) = next(rest, first);
        let (text, after) = rest.split_at_checked(length).unwrap_or((rest, ""));
        if let Some(kind) = kind {
            found.push(Token {
                kind,
                text: text.strip_prefix("r#").filter(|_| kind == Kind::Name).unwrap_or(text),
                line,
            });
        }
        line += text.matches('\n').count();
        rest = after;
    }
    found
}

/// Kind and length in bytes of what the text starts with; whitespace has no kind.
fn next(rest: &str, first: char) -> (Option<Kind>, usize) {
    if first.is_whitespace() {
        (None, length_of(rest, char::is_whitespace))
    } else if rest.starts_with("//") {
        (Some(Kind::Comment), length_of(rest, |letter| letter != '\n'))
    } else if rest.starts_with("/*") {
        (Some(Kind::Comment), block_comment(rest))
    } else if let Some(length) = string(rest) {
        (Some(Kind::Text), length)
    } else if let Some(length) = quoted(rest) {
        (Some(Kind::Quoted), length)
    } else if first.is_ascii_digit() {
        (Some(Kind::Number), number(rest))
    } else if is_name(first) {
        let raw = if rest.starts_with("r#") { 2 } else { 0 };
        (Some(Kind::Name), raw + length_of(rest.get(raw..).unwrap_or_default(), is_name))
    } else {
        (Some(Kind::Mark), first.len_utf8())
    }
}

fn is_name(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// Bytes up to the first character that is not one of these.
fn length_of(rest: &str, belongs: impl Fn(char) -> bool) -> usize {
    rest.find(|letter| !belongs(letter)).unwrap_or(rest.len())
}

/// Block comments nest.
fn block_comment(rest: &str) -> usize {
    let (mut depth, mut at) = (0_usize, 0);
    while let Some(here) = rest.get(at..).filter(|here| !here.is_empty()) {
        let step = if here.starts_with("/*") {
            depth += 1;
            2
        } else if here.starts_with("*/") {
            depth = depth.saturating_sub(1);
            2
        } else {
            here.chars().next().map_or(1, char::len_utf8)
        };
        at += step;
        if depth == 0 {
            break;
        }
    }
    at
}

/// A string with its prefix: `"a"`, `b"a"`, `r#"a"#` and their like.
fn string(rest: &str) -> Option<usize> {
    let prefix = length_of(rest, |letter| matches!(letter, 'r' | 'b' | 'c'));
    let raw = match rest.get(..prefix)? {
        "" | "b" | "c" => false,
        "r" | "br" | "cr" => true,
        _ => return None,
    };
    let after_prefix = rest.get(prefix..)?;
    let hashes = if raw { length_of(after_prefix, |letter| letter == '#') } else { 0 };
    let body = after_prefix.get(hashes..)?.strip_prefix('"')?;
    let start = prefix + hashes + 1;
    let closing = format!("\"{}", "#".repeat(hashes));
    let length = if raw { body.find(&closing).map(|at| at + closing.len()) } else { unescaped(body, '"') };
    Some(length.map_or(rest.len(), |length| start + length))
}

/// A character literal, or a lifetime.
fn quoted(rest: &str) -> Option<usize> {
    let byte = usize::from(rest.starts_with("b'"));
    let body = rest.get(byte..)?.strip_prefix('\'')?;
    let mut letters = body.chars();
    let (first, second) = (letters.next(), letters.next());
    let length = if first == Some('\\') || second == Some('\'') {
        unescaped(body, '\'').unwrap_or(body.len())
    } else {
        length_of(body, is_name)
    };
    Some(byte + 1 + length)
}

/// Bytes up to and with the closing quote, passing over escapes.
fn unescaped(body: &str, quote: char) -> Option<usize> {
    let mut letters = body.char_indices();
    while let Some((at, letter)) = letters.next() {
        if letter == '\\' {
            letters.next();
        } else if letter == quote {
            return Some(at + letter.len_utf8());
        }
    }
    None
}

/// A number with its fraction, exponent and suffix. `1..2` and `1.max(2)` end after the first digit.
fn number(rest: &str) -> usize {
    let whole = length_of(rest, is_name);
    let after = rest.get(whole..).unwrap_or_default();
    let fraction =
        after.strip_prefix('.').filter(|digits| digits.starts_with(|digit: char| digit.is_ascii_digit()));
    fraction.map_or(whole, |digits| whole + 1 + length_of(digits, is_name))
}

#[cfg(test)]
mod tests;
