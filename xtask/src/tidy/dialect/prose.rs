//! The words of a file in order: of comments, strings and names, or of a page.

use crate::tokens::{Kind, Token};

/// A word in lower case. An empty one ends a sentence-like piece, so that no phrase runs over it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) text: String,
    pub(super) line: usize,
}

/// Comes before the first word of the docs of a function.
const FN_DOCS: &str = "fn:";
/// Comes before the first word of the docs of any other item.
const DOCS: &str = "doc:";
/// Both.
pub(super) const STARTS: [&str; 2] = [FN_DOCS, DOCS];

/// Names of the standard library that look like a phrase of the table.
const OF_RUST: &[&str] = &["is_none_or", "is_none"];

/// The words of a page; an empty line ends a piece.
pub(super) fn of_page(text: &str) -> Vec<Word> {
    let mut words = Vec::new();
    for (index, line) in text.lines().enumerate() {
        if line.trim().is_empty() {
            push(&mut words, "", index + 1);
        }
        push_text(&mut words, line, index + 1);
    }
    words
}

/// The words of Rust source. Comments on consecutive lines are one piece; each string and each name is one.
pub(super) fn of_rust(tokens: &[Token<'_>]) -> Vec<Word> {
    let mut words = Vec::new();
    let mut comment_ended = None;
    for (at, token) in tokens.iter().enumerate() {
        let continues = token.kind == Kind::Comment && comment_ended == Some(token.line - 1);
        if !continues {
            push(&mut words, "", token.line);
        }
        comment_ended = None;
        match token.kind {
            Kind::Comment => {
                if !continues && token.text.starts_with("///") {
                    let of_function = documents_function(tokens.get(at..).unwrap_or_default());
                    push(&mut words, if of_function { FN_DOCS } else { DOCS }, token.line);
                }
                for (index, line) in token.text.lines().enumerate() {
                    push_text(&mut words, line, token.line + index);
                }
                comment_ended = Some(token.line + token.lines() - 1);
            }
            Kind::Text => {
                for (index, line) in token.text.lines().enumerate() {
                    push_text(&mut words, &without_escapes(line), token.line + index);
                }
            }
            Kind::Name if OF_RUST.contains(&token.text) => {}
            Kind::Name => push_name(&mut words, token.text, token.line),
            Kind::Number | Kind::Quoted | Kind::Mark => {}
        }
    }
    words
}

fn push(words: &mut Vec<Word>, text: &str, line: usize) {
    words.push(Word { text: text.to_lowercase(), line });
}

fn push_text(words: &mut Vec<Word>, text: &str, line: usize) {
    // `"Option::is_none"` in an attribute is a name, too.
    let text = OF_RUST.iter().fold(text.to_owned(), |text, name| text.replace(name, " "));
    for word in text.split(|letter: char| !letter.is_alphanumeric() && letter != '\'') {
        for part in word.split('\'').take(1).filter(|part| !part.is_empty()) {
            push(words, part, line);
        }
    }
}

/// `HeldBack` and `held_back` are the words *held back*.
fn push_name(words: &mut Vec<Word>, name: &str, line: usize) {
    for part in name.split('_') {
        let mut word = String::new();
        for letter in part.chars() {
            if letter.is_uppercase() && word.ends_with(char::is_lowercase) {
                push(words, &word, line);
                word.clear();
            }
            word.push(letter);
        }
        if !word.is_empty() {
            push(words, &word, line);
        }
    }
}

/// `\n` is no letter.
fn without_escapes(line: &str) -> String {
    let mut letters = line.chars();
    let mut text = String::new();
    while let Some(letter) = letters.next() {
        if letter == '\\' {
            letters.next();
            text.push(' ');
        } else {
            text.push(letter);
        }
    }
    text
}

/// Returns true if a function follows the comments and attributes at the start of these tokens.
fn documents_function(tokens: &[Token<'_>]) -> bool {
    let mut rest = tokens.iter().filter(|token| token.kind != Kind::Comment).peekable();
    while rest.next_if(|token| token.is("#")).is_some() {
        let mut depth = 0_usize;
        for token in rest.by_ref() {
            depth = if token.is("[") { depth + 1 } else { depth - usize::from(token.is("]")) };
            if depth == 0 {
                break;
            }
        }
    }
    let start: Vec<_> =
        rest.take_while(|token| !token.is("{") && !token.is(";") && !token.is(":")).take(12).collect();
    start
        .iter()
        .take_while(|token| !["struct", "enum", "trait", "mod", "type"].iter().any(|word| token.is(word)))
        .any(|token| token.is("fn"))
}
