//! Parses command lines that are unambiguous: a sequence of plain commands.

use std::iter::Peekable;
use std::str::Chars;

use super::{RESERVED, is_assignment};

/// Longest line in bytes; longer ones count as scripts.
const LONGEST: usize = 10_000;

/// Why a line is not a sequence of plain commands, for the user.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Unreadable(pub(crate) &'static str);

/// The plain commands of a line as words without quotes.
///
/// Refuses lines that a shell expands before it runs them (variables, substitutions, braces, file patterns that could become
/// an option), lines that write files, shell keywords, and everything in which shells differ.
pub(crate) fn parse_plain(line: &str) -> Result<Vec<Vec<String>>, Unreadable> {
    if line.len() > LONGEST {
        return Err(Unreadable("it is very long"));
    }
    let odd = |letter: char| {
        (letter.is_control() && !matches!(letter, '\n' | '\t'))
            || (letter.is_whitespace() && !letter.is_ascii())
    };
    if line.chars().any(odd) {
        return Err(Unreadable("it has invisible characters"));
    }
    let mut parser = PlainParser {
        rest: line.chars().peekable(),
        commands: Vec::new(),
        words: Vec::new(),
        word: None,
        bare: true,
        braced: false,
    };
    parser.parse()?;
    Ok(parser.commands)
}

struct PlainParser<'a> {
    rest: Peekable<Chars<'a>>,
    commands: Vec<Vec<String>>,
    words: Vec<String>,
    word: Option<String>,
    /// The word has no quotes.
    bare: bool,
    /// The word has braces; a second pair could expand to several words.
    braced: bool,
}

impl PlainParser<'_> {
    fn parse(&mut self) -> Result<(), Unreadable> {
        while let Some(letter) = self.rest.next() {
            match letter {
                ' ' | '\t' => self.end_word()?,
                '\n' | ';' => self.end_command()?,
                '|' => {
                    self.rest.next_if_eq(&'|');
                    self.rest.next_if_eq(&'&');
                    self.end_command()?;
                }
                '&' if self.rest.peek() == Some(&'>') => {
                    self.end_word()?;
                    self.rest.next();
                    self.output()?;
                }
                '&' => {
                    self.rest.next_if_eq(&'&');
                    self.end_command()?;
                }
                '>' => {
                    self.descriptor()?;
                    self.output()?;
                }
                '<' => {
                    self.descriptor()?;
                    self.input()?;
                }
                '\'' => self.single()?,
                '"' => self.double()?,
                '\\' => self.escaped()?,
                '#' if self.word.is_none() => while self.rest.next_if(|next| *next != '\n').is_some() {},
                '$' => return Err(Unreadable("it has a variable or a substitution")),
                '`' => return Err(Unreadable("it has a command in backticks")),
                '(' | ')' => return Err(Unreadable("it has parentheses")),
                // A file name may look like an option.
                '*' | '?' | '['
                    if self.words.is_empty() || self.text().is_empty() || self.text().starts_with('-') =>
                {
                    return Err(Unreadable("it has a file pattern that could become an option or a program"));
                }
                '{' => self.brace()?,
                '}' if self.word.is_none() || self.braced => return Err(Unreadable("it has braces")),
                other => self.push(other),
            }
        }
        self.end_command()
    }

    fn text(&self) -> &str {
        self.word.as_deref().unwrap_or_default()
    }

    fn push(&mut self, letter: char) {
        self.word.get_or_insert_default().push(letter);
    }

    fn quoted(&mut self) {
        self.word.get_or_insert_default();
        self.bare = false;
    }

    fn end_word(&mut self) -> Result<(), Unreadable> {
        let Some(word) = self.word.take() else { return Ok(()) };
        self.bare = true;
        self.braced = false;
        if self.words.is_empty() {
            // Quotes after the `=` make no difference.
            if is_assignment(&word) {
                return Err(Unreadable("it sets a variable for a command"));
            }
            if word.is_empty() || RESERVED.contains(&word.as_str()) {
                return Err(Unreadable("it is a script with shell keywords, such as a loop"));
            }
        }
        self.words.push(word);
        Ok(())
    }

    fn end_command(&mut self) -> Result<(), Unreadable> {
        self.end_word()?;
        if !self.words.is_empty() {
            self.commands.push(std::mem::take(&mut self.words));
        }
        Ok(())
    }

    /// The number before a redirection is no word of the command.
    fn descriptor(&mut self) -> Result<(), Unreadable> {
        if self.bare && !self.text().is_empty() && self.text().bytes().all(|byte| byte.is_ascii_digit()) {
            self.word = None;
        }
        self.end_word()
    }

    /// After `>`: only another descriptor and /dev/null are allowed.
    fn output(&mut self) -> Result<(), Unreadable> {
        const WRITES: Unreadable = Unreadable("it writes into a file");
        if self.rest.next_if_eq(&'&').is_some() {
            let target = self.target();
            let number = !target.is_empty() && target.bytes().all(|byte| byte.is_ascii_digit());
            return if number || target == "-" { Ok(()) } else { Err(WRITES) };
        }
        self.rest.next_if_eq(&'>');
        if self.target() == "/dev/null" { Ok(()) } else { Err(WRITES) }
    }

    fn input(&mut self) -> Result<(), Unreadable> {
        if self.target() == "/dev/null" {
            return Ok(());
        }
        Err(Unreadable("it redirects its input"))
    }

    /// The plain word after a redirection; empty if it is not plain.
    fn target(&mut self) -> String {
        while self.rest.next_if(|next| matches!(next, ' ' | '\t')).is_some() {}
        let mut target = String::new();
        while let Some(letter) = self.rest.next_if(|next| !" \t\n;&|<>".contains(*next)) {
            target.push(letter);
        }
        target
    }

    fn single(&mut self) -> Result<(), Unreadable> {
        self.quoted();
        loop {
            match self.rest.next() {
                Some('\'') => return Ok(()),
                Some(letter) => self.push(letter),
                None => return Err(Unreadable("a quote is not closed")),
            }
        }
    }

    fn double(&mut self) -> Result<(), Unreadable> {
        self.quoted();
        loop {
            match self.rest.next() {
                Some('"') => return Ok(()),
                Some('$' | '`') => return Err(Unreadable("it has a variable or a substitution")),
                Some('\\') => match self.rest.next() {
                    Some('\n') => {}
                    Some(letter @ ('$' | '`' | '"' | '\\')) => self.push(letter),
                    Some(letter) => {
                        self.push('\\');
                        self.push(letter);
                    }
                    None => return Err(Unreadable("a quote is not closed")),
                },
                Some(letter) => self.push(letter),
                None => return Err(Unreadable("a quote is not closed")),
            }
        }
    }

    fn escaped(&mut self) -> Result<(), Unreadable> {
        match self.rest.next() {
            Some('\n') => {}
            Some(letter) => {
                self.quoted();
                self.push(letter);
            }
            None => return Err(Unreadable("it ends with a backslash")),
        }
        Ok(())
    }

    /// `{}` and the `{1}` of `HEAD@{1}` are literal; other braces may expand to several words.
    fn brace(&mut self) -> Result<(), Unreadable> {
        const BRACES: Unreadable = Unreadable("it has braces");
        let at = self.text().ends_with('@');
        let mut inner = String::new();
        while let Some(letter) = self.rest.next_if(char::is_ascii_alphanumeric) {
            inner.push(letter);
        }
        if self.braced
            || self.rest.next_if_eq(&'}').is_none()
            || at == inner.is_empty()
            || self.words.is_empty()
        {
            return Err(BRACES);
        }
        self.braced = true;
        for letter in ['{'].into_iter().chain(inner.chars()).chain(['}']) {
            self.push(letter);
        }
        Ok(())
    }
}
