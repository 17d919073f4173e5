//! Reads a command line for what could be in it: whatever a shell might run, also in substitutions, behind other programs
//! and in the texts that are given to shells.

use std::iter::Peekable;
use std::str::Chars;

use super::{RESERVED, base_name, is_assignment};

/// How deep lines in lines are followed.
const DEEPEST: usize = 6;
/// More parts than this are no line that a person would judge.
const MOST: usize = 2_000;

/// Programs whose arguments are, or may hold, another command.
const CARRIERS: [&str; 38] = [
    "sudo", "doas", "su", "env", "nohup", "nice", "ionice", "time", "timeout", "stdbuf", "setsid", "chroot",
    "command", "builtin", "exec", "eval", "xargs", "parallel", "find", "fd", "watch", "ssh", "script",
    "strace", "ltrace", "sh", "bash", "dash", "zsh", "ksh", "ash", "fish", "busybox", "trap", "unshare",
    "flock", "entr", "npx",
];

/// Of these, what runs is not in the line when they read it from elsewhere.
const SHELLS: [&str; 7] = ["sh", "bash", "dash", "zsh", "ksh", "ash", "fish"];

/// A part of a line: a command that may be run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) words: Vec<String>,
}

/// The parts of a line.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Parts {
    pub(crate) all: Vec<Part>,
    /// Which program runs somewhere in it cannot be told from its text.
    pub(crate) opaque: bool,
}

/// All that may run. A text that would only be printed may be among it: a rule that forbids is better obeyed too often.
pub(crate) fn parts(line: &str) -> Parts {
    let mut found = Parts::default();
    collect(line, 0, &mut found);
    found
}

fn collect(line: &str, depth: usize, found: &mut Parts) {
    if depth > DEEPEST || found.all.len() > MOST {
        found.opaque = true;
        return;
    }
    let mut splitter = Splitter::of(line);
    splitter.all();
    found.opaque |= splitter.open;
    for command in splitter.commands {
        take(command, depth, found);
    }
    for inner in splitter.inner {
        collect(&inner, depth + 1, found);
    }
}

fn take(mut words: Vec<String>, depth: usize, found: &mut Parts) {
    let lead = |word: &String| is_assignment(word) || RESERVED.contains(&word.as_str());
    let start = words.iter().position(|word| !lead(word)).unwrap_or(words.len());
    words.drain(..start);
    let Some(program) = words.first() else { return };
    let name = base_name(program).to_owned();
    // A program whose name is made while the line runs, or a text that is run as commands.
    found.opaque |= program.contains(['$', '*', '?', '[', '\u{0}'])
        || matches!(name.as_str(), "." | "source" | "alias")
        || (SHELLS.contains(&name.as_str()) && words.iter().skip(1).all(|word| word.starts_with('-')));
    if CARRIERS.contains(&name.as_str()) {
        for (place, word) in words.iter().enumerate().skip(1) {
            if word.contains(|letter: char| letter.is_whitespace() || ";&|$`".contains(letter)) {
                found.opaque |= word.contains('$');
                collect(word, depth + 1, found);
            } else if !lead(word) && !word.starts_with('-') {
                let rest = words.get(place..).unwrap_or_default().to_vec();
                found.all.push(Part { words: rest });
            }
        }
    }
    found.all.push(Part { words });
}

#[derive(Debug)]
struct Splitter<'a> {
    rest: Peekable<Chars<'a>>,
    commands: Vec<Vec<String>>,
    words: Vec<String>,
    word: Option<String>,
    /// The next word is the target of a redirection.
    target: bool,
    /// In backticks.
    ticked: bool,
    /// Lines in substitutions in quotes.
    inner: Vec<String>,
    /// A text in the line has been begun (`<<`): a quote in it opens nothing.
    document: bool,
    /// What is run cannot be told: a quote has no end, or a brace may become a command.
    open: bool,
}

impl<'a> Splitter<'a> {
    fn of(line: &'a str) -> Self {
        Self {
            rest: line.chars().peekable(),
            commands: Vec::new(),
            words: Vec::new(),
            word: None,
            target: false,
            ticked: false,
            inner: Vec::new(),
            document: false,
            open: false,
        }
    }

    fn all(&mut self) {
        // What stands before a letter, for whether a comment can begin with it.
        let mut before = '\n';
        while let Some(letter) = self.rest.next() {
            match letter {
                '#' if self.word.is_none() => self.comment(before),
                '\n' | ';' | '|' | '&' | '(' | ')' => self.end_command(),
                '`' => self.backtick(),
                '{' if self.rest.next_if_eq(&'}').is_some() => {
                    self.push('{');
                    self.push('}');
                }
                '{' | '}' if self.word.is_none() => {
                    // Without a space behind it, it may become a whole command.
                    self.open |= letter == '{' && self.words.is_empty() && self.rest.peek() != Some(&' ');
                    self.end_command();
                }
                letter if letter.is_whitespace() || letter.is_control() => self.end_word(),
                '$' if self.rest.peek() == Some(&'(') => self.end_command_in_word(),
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
        let digits = self.word.as_deref().is_some_and(|word| word.bytes().all(|byte| byte.is_ascii_digit()));
        if digits {
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
                    text.push('$');
                    self.bracketed();
                }
                letter => text.push(letter),
            }
        }
        self.open |= !closed;
        if open == '"' {
            self.inner.extend(text.split('`').skip(1).step_by(2).map(str::to_owned));
        }
        self.word.get_or_insert_default().push_str(&text);
    }
}
