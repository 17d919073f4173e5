//! Splits a line into its commands and their words, with quotes taken away.

use std::iter::Peekable;
use std::str::Chars;

/// Longest sum or expansion that is looked into, in characters.
const LONGEST_SUM: usize = 64;

/// What a line was split into.
#[derive(Debug)]
pub(super) struct Split {
    /// The words of its commands.
    pub(super) commands: Vec<Vec<String>>,
    /// Lines in substitutions in quotes.
    pub(super) inner: Vec<String>,
    /// What is run cannot be told: a quote has no end, or something is computed.
    pub(super) open: bool,
}

#[derive(Debug)]
pub(super) struct Splitter<'a> {
    rest: Peekable<Chars<'a>>,
    commands: Vec<Vec<String>>,
    words: Vec<String>,
    word: Option<String>,
    /// The next word is the target of a redirection.
    target: bool,
    /// Words of the command that stand before `&>`: some shells take the ones behind it for another command.
    before_both: usize,
    /// In backticks.
    ticked: bool,
    /// Lines in substitutions in quotes.
    inner: Vec<String>,
    /// A text in the line has been begun (`<<`): a quote in it opens nothing.
    document: bool,
    /// What is run cannot be told.
    open: bool,
}

impl<'a> Splitter<'a> {
    /// Splits a line.
    pub(super) fn split(line: &'a str) -> Split {
        let mut splitter = Self {
            rest: line.chars().peekable(),
            commands: Vec::new(),
            words: Vec::new(),
            word: None,
            target: false,
            before_both: 0,
            ticked: false,
            inner: Vec::new(),
            document: false,
            open: false,
        };
        splitter.all();
        let Self { commands, inner, open, .. } = splitter;
        Split { commands, inner, open }
    }

    fn all(&mut self) {
        // What stands before a letter, for whether a comment can begin with it.
        let mut before = '\n';
        while let Some(letter) = self.rest.next() {
            match letter {
                '#' if self.word.is_none() => self.comment(before),
                '(' => {
                    self.open |= self.rest.peek() == Some(&'(') && self.computes_names();
                    self.end_command();
                }
                '&' if self.rest.peek() == Some(&'>') => {
                    self.redirection(letter);
                    self.before_both = self.words.len();
                }
                '\n' | ';' | '|' | '&' | ')' => self.end_command(),
                '`' => self.backtick(),
                '{' if self.rest.next_if_eq(&'}').is_some() => {
                    self.push('{');
                    self.push('}');
                }
                // With something else behind it, it begins a word.
                '{' if self.word.is_none() && self.rest.peek().is_none_or(|next| next.is_whitespace()) => {
                    self.end_command();
                }
                '}' if self.word.is_none() => self.end_command(),
                letter if letter.is_whitespace() || letter.is_control() => self.end_word(),
                '$' if self.rest.peek() == Some(&'(') => self.end_command_in_word(),
                '$' if matches!(self.rest.peek(), Some('[' | '{')) => {
                    self.open |= self.expansion_computes();
                    self.push('$');
                }
                '$' if self.rest.peek() == Some(&'\'') => {
                    self.rest.next();
                    self.quoted('\'', true);
                }
                '$' if self.rest.peek() == Some(&'"') => {}
                '\'' | '"' => self.quoted(letter, false),
                // A line that goes on is as if nothing were there.
                '\\' if self.rest.next_if_eq(&'\n').is_some() => continue,
                '\\' => {
                    if let Some(letter) = self.rest.next() {
                        self.push(letter);
                    }
                }
                '>' | '<' => self.redirection(letter),
                other => self.push(other),
            }
            before = letter;
        }
        self.end_command();
    }

    /// A comment goes to the end of its line, whatever stands in it: a quote in it opens nothing, and a backslash at its end
    /// does not join the next line to it. In backticks it goes to the next of them at most.
    fn comment(&mut self, before: char) {
        let in_a_word = matches!(before, ')' | '`' | '{' | '}');
        self.open |= in_a_word;
        if in_a_word || self.document {
            // Then what follows is run.
            self.push('#');
            return;
        }
        while self.rest.next_if(|next| *next != '\n' && !(self.ticked && *next == '`')).is_some() {}
    }

    /// Whether a sum that begins here has more than numbers in it: what a name stands for is computed too.
    fn computes_names(&self) -> bool {
        let number = |letter: char| letter.is_ascii_digit() || " (+-*/%<>=&|^~!?:,".contains(letter);
        self.rest.clone().take(LONGEST_SUM).find(|letter| !number(*letter)) != Some(')')
    }

    /// Whether the expansion behind a `$` computes something: the place in an array, a part of a text, or what another
    /// variable names.
    fn expansion_computes(&mut self) -> bool {
        if !matches!(self.rest.peek(), Some('[' | '{')) {
            return false;
        }
        // What is longer has no end here, and does not look like numbers.
        let text: String = self.rest.clone().take(LONGEST_SUM).collect();
        let Some(text) = text.strip_prefix('{') else { return true };
        let (text, end) = text.split_once('}').map_or((text, ""), |(text, _)| (text, "}"));
        let plain = |text: &str| {
            end == "}" && text.chars().all(|letter| letter.is_ascii_digit() || " -:".contains(letter))
        };
        let text = text.strip_prefix('#').unwrap_or(text);
        if text.ends_with("@P") || (text.starts_with('!') && text.len() > 1) {
            return true;
        }
        let mut behind =
            text.trim_start_matches(|letter: char| letter.is_ascii_alphanumeric() || letter == '_');
        if behind.len() == text.len() {
            behind = behind.strip_prefix(['@', '*']).unwrap_or(behind);
        }
        if let Some(place) = behind.strip_prefix('[') {
            let (place, rest) = place.split_once(']').unwrap_or((place, ":?"));
            if !matches!(place, "@" | "*") && !plain(place) {
                return true;
            }
            behind = rest;
        }
        behind.strip_prefix(':').is_some_and(|part| !part.starts_with(['-', '=', '?', '+']) && !plain(part))
    }

    fn push(&mut self, letter: char) {
        self.word.get_or_insert_default().push(letter);
    }

    fn end_word(&mut self) {
        if let Some(word) = self.word.take() {
            if std::mem::take(&mut self.target) {
                return;
            }
            self.words.push(word);
        }
    }

    fn end_command(&mut self) {
        self.end_word();
        self.target = false;
        let behind = self.words.get(std::mem::take(&mut self.before_both)..).unwrap_or_default();
        if !behind.is_empty() && behind.len() < self.words.len() {
            self.commands.push(behind.to_vec());
        }
        if !self.words.is_empty() {
            self.commands.push(std::mem::take(&mut self.words));
        }
    }

    /// A substitution: the word that it is in becomes known only when the line runs.
    fn end_command_in_word(&mut self) {
        self.push('$');
        self.end_command();
    }

    fn backtick(&mut self) {
        self.ticked = !self.ticked;
        if self.ticked { self.end_command_in_word() } else { self.end_command() }
    }

    fn redirection(&mut self, sign: char) {
        if sign == '<' && self.rest.peek() == Some(&'<') {
            self.rest.next();
            self.document |= self.rest.peek() != Some(&'<');
        }
        // The number or the name of what is redirected is no word of the command.
        let digits = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
        let name = |word: &str| word.len() > 2 && word.starts_with('{') && word.ends_with('}');
        if sign != '&' && self.word.as_deref().is_some_and(|word| digits(word) || name(word)) {
            self.word = None;
        }
        self.end_word();
        while self.rest.next_if(|next| matches!(next, '>' | '<' | '&' | '|')).is_some() {}
        while self.rest.next_if(|next| matches!(next, ' ' | '\t')).is_some() {}
        self.target = true;
    }

    /// The line in `$( … )` in quotes. A bracket in a quote of its own cuts it short; then that quote has no end, which is
    /// noticed.
    fn bracketed(&mut self) {
        let (mut depth, mut line) = (1_usize, String::new());
        for letter in self.rest.by_ref() {
            match letter {
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                self.inner.push(line);
                return;
            }
            line.push(letter);
        }
        self.open = true;
        self.inner.push(line);
    }

    fn quoted(&mut self, open: char, codes: bool) {
        // Where the text begins and ends is not followed, so neither are the quotes in it. Around its end mark they are.
        self.open |= self.document && !self.target;
        let mut text = String::new();
        let mut closed = false;
        while let Some(letter) = self.rest.next() {
            match letter {
                letter if letter == open => {
                    closed = true;
                    break;
                }
                '\\' if codes => {
                    // Codes can spell any name.
                    text.push('\u{0}');
                    text.extend(self.rest.next());
                }
                '\\' if open == '"' => match self.rest.next() {
                    Some('\n') | None => {}
                    Some(letter @ ('$' | '`' | '"' | '\\')) => text.push(letter),
                    Some(letter) => text.extend(['\\', letter]),
                },
                '$' if open == '"' && self.rest.next_if_eq(&'(').is_some() => {
                    self.open |= self.rest.peek() == Some(&'(') && self.computes_names();
                    text.push('$');
                    self.bracketed();
                }
                letter => {
                    self.open |= open == '"' && letter == '$' && self.expansion_computes();
                    text.push(letter);
                }
            }
        }
        self.open |= !closed;
        if open == '"' {
            self.inner.extend(text.split('`').skip(1).step_by(2).map(str::to_owned));
        }
        self.word.get_or_insert_default().push_str(&text);
    }
}
