//! Splits a line into commands and words without quotes.
//!
//! It is no parser of one shell's grammar on purpose. A parser gives one reading of a line and fails on the rest; a deny rule
//! needs every command that some shell could run, of lines too that a parser refuses. So here-documents are read as commands,
//! and what is doubtful is [`indeterminate`](SplitLine::indeterminate). The lexer of `ledger` needs the opposite, only what is
//! certain, and shares nothing with this one.

use std::iter::Peekable;
use std::str::Chars;

/// Longest arithmetic expression or expansion that is examined, in characters.
const LONGEST_SUM: usize = 64;

/// The parts of a line.
#[derive(Debug)]
pub(super) struct SplitLine {
    /// The words of its commands.
    pub(super) commands: Vec<Vec<String>>,
    /// The lines in quoted substitutions.
    pub(super) inner: Vec<String>,
    /// What runs cannot be determined: a quote is not closed, or something is evaluated.
    pub(super) indeterminate: bool,
}

#[derive(Debug)]
pub(super) struct Splitter<'a> {
    rest: Peekable<Chars<'a>>,
    commands: Vec<Vec<String>>,
    words: Vec<String>,
    word: Option<String>,
    /// The next word is the target of a redirection.
    target: bool,
    /// The target is a text that the command reads (`<<<`).
    is_text: bool,
    /// The texts that the command reads.
    texts: Vec<String>,
    /// Number of words before `&>`: some shells take the words after it for another command.
    before_both: usize,
    /// Inside backticks.
    in_backticks: bool,
    /// The lines in quoted substitutions.
    inner: Vec<String>,
    /// A here-document (`<<`) has started: quotes in it have no meaning.
    in_heredoc: bool,
    /// See [`SplitLine::indeterminate`].
    indeterminate: bool,
}

impl<'a> Splitter<'a> {
    /// Splits a line.
    pub(super) fn split(line: &'a str) -> SplitLine {
        let mut splitter = Self {
            rest: line.chars().peekable(),
            commands: Vec::new(),
            words: Vec::new(),
            word: None,
            target: false,
            is_text: false,
            texts: Vec::new(),
            before_both: 0,
            in_backticks: false,
            inner: Vec::new(),
            in_heredoc: false,
            indeterminate: false,
        };
        splitter.run();
        let Self { commands, inner, indeterminate, .. } = splitter;
        SplitLine { commands, inner, indeterminate }
    }

    fn run(&mut self) {
        // The previous character decides whether a comment can start.
        let mut before = '\n';
        while let Some(letter) = self.rest.next() {
            match letter {
                '#' if self.word.is_none() => self.comment(before),
                '(' => {
                    self.indeterminate |= self.rest.peek() == Some(&'(') && self.computes_names();
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
                // Followed by something else, it starts a word.
                '{' if self.word.is_none() && self.rest.peek().is_none_or(|next| next.is_whitespace()) => {
                    self.end_command();
                }
                '}' if self.word.is_none() => self.end_command(),
                letter if letter.is_whitespace() || letter.is_control() => self.end_word(),
                '$' if self.rest.peek() == Some(&'(') => self.end_command_in_word(),
                '$' if matches!(self.rest.peek(), Some('[' | '{')) => {
                    self.indeterminate |= self.expansion_computes();
                    self.push('$');
                }
                '$' if self.rest.peek() == Some(&'\'') => {
                    self.rest.next();
                    self.quoted('\'', true);
                }
                '$' if self.rest.peek() == Some(&'"') => {}
                '\'' | '"' => self.quoted(letter, false),
                // A line continuation counts as nothing.
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

    /// A comment extends to the end of the line: quotes in it have no meaning, and a backslash at its end does not continue
    /// the line. Inside backticks it ends at the next backtick.
    fn comment(&mut self, before: char) {
        let in_a_word = matches!(before, ')' | '`' | '{' | '}');
        self.indeterminate |= in_a_word;
        if in_a_word || self.in_heredoc {
            // The rest of the line runs then.
            self.push('#');
            return;
        }
        while self.rest.next_if(|next| *next != '\n' && !(self.in_backticks && *next == '`')).is_some() {}
    }

    /// Returns true if the arithmetic expression that starts here contains names, whose values are evaluated too.
    fn computes_names(&self) -> bool {
        let number = |letter: char| letter.is_ascii_digit() || " (+-*/%<>=&|^~!?:,".contains(letter);
        self.rest.clone().take(LONGEST_SUM).find(|letter| !number(*letter)) != Some(')')
    }

    /// Returns true if the expansion after a `$` evaluates an array index, a substring or an indirect variable.
    fn expansion_computes(&mut self) -> bool {
        if !matches!(self.rest.peek(), Some('[' | '{')) {
            return false;
        }
        // A longer one has no end in the text, so it does not count as numbers.
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
            let is_text = std::mem::take(&mut self.is_text);
            if !std::mem::take(&mut self.target) {
                self.words.push(word);
            } else if is_text {
                self.texts.push(word);
            }
        }
    }

    fn end_command(&mut self) {
        self.end_word();
        self.target = false;
        let behind = self.words.get(std::mem::take(&mut self.before_both)..).unwrap_or_default();
        if !behind.is_empty() && behind.len() < self.words.len() {
            self.commands.push(behind.to_vec());
        }
        // A program may run what it reads, as it does what it is given.
        let texts = std::mem::take(&mut self.texts);
        if !texts.is_empty() && !self.words.is_empty() {
            self.commands.push(self.words.iter().chain(&texts).cloned().collect());
        }
        if !self.words.is_empty() {
            self.commands.push(std::mem::take(&mut self.words));
        }
    }

    /// A substitution: its word is known only at run time.
    fn end_command_in_word(&mut self) {
        self.push('$');
        self.end_command();
    }

    fn backtick(&mut self) {
        self.in_backticks = !self.in_backticks;
        if self.in_backticks { self.end_command_in_word() } else { self.end_command() }
    }

    fn redirection(&mut self, sign: char) {
        let mut is_text = false;
        if sign == '<' && self.rest.peek() == Some(&'<') {
            self.rest.next();
            is_text = self.rest.peek() == Some(&'<');
            self.in_heredoc |= !is_text;
        }
        // The descriptor of the redirection is not a word of the command.
        let digits = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
        let name = |word: &str| word.len() > 2 && word.starts_with('{') && word.ends_with('}');
        if sign != '&' && self.word.as_deref().is_some_and(|word| digits(word) || name(word)) {
            self.word = None;
        }
        self.end_word();
        while self.rest.next_if(|next| matches!(next, '>' | '<' | '&' | '|')).is_some() {}
        while self.rest.next_if(|next| matches!(next, ' ' | '\t')).is_some() {}
        self.target = true;
        self.is_text = is_text;
    }

    /// The line in a quoted `$( … )`. A parenthesis inside a nested quote ends it too early; that quote is not closed then,
    /// which is noticed.
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
        self.indeterminate = true;
        self.inner.push(line);
    }

    fn quoted(&mut self, open: char, codes: bool) {
        // The extent of a here-document is not tracked, so neither are its quotes. Quotes around its delimiter are.
        self.indeterminate |= self.in_heredoc && !self.target;
        let mut text = String::new();
        let mut closed = false;
        while let Some(letter) = self.rest.next() {
            match letter {
                letter if letter == open => {
                    closed = true;
                    break;
                }
                '\\' if codes => {
                    // Escape codes can spell any name.
                    text.push('\u{0}');
                    text.extend(self.rest.next());
                }
                '\\' if open == '"' => match self.rest.next() {
                    Some('\n') | None => {}
                    Some(letter @ ('$' | '`' | '"' | '\\')) => text.push(letter),
                    Some(letter) => text.extend(['\\', letter]),
                },
                '$' if open == '"' && self.rest.next_if_eq(&'(').is_some() => {
                    self.indeterminate |= self.rest.peek() == Some(&'(') && self.computes_names();
                    text.push('$');
                    self.bracketed();
                }
                letter => {
                    self.indeterminate |= open == '"' && letter == '$' && self.expansion_computes();
                    text.push(letter);
                }
            }
        }
        self.indeterminate |= !closed;
        if open == '"' {
            self.inner.extend(text.split('`').skip(1).step_by(2).map(str::to_owned));
        }
        self.word.get_or_insert_default().push_str(&text);
    }
}
