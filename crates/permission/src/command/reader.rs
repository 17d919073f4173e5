//! Reads a command line that can be read without doubt: only plain commands, one after the other.

use std::iter::Peekable;
use std::str::Chars;

use super::{RESERVED, is_assignment};

/// Longer lines are scripts.
const LONGEST: usize = 10_000;

/// Why a line cannot be read without doubt, for the user.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Unreadable(pub(crate) &'static str);

/// The simple commands of a line: their words, with quotes taken away.
///
/// It refuses what a shell would change before it runs it: variables, substitutions, file patterns that could become an
/// option, braces; what writes files; and what is no plain command at all. Where shells differ it refuses too.
pub(crate) fn read(line: &str) -> Result<Vec<Vec<String>>, Unreadable> {
    if line.len() > LONGEST {
        return Err(Unreadable("it is very long"));
    }
    let odd = |letter: char| {
        (letter.is_control() && !matches!(letter, '\n' | '\t'))
            || (letter.is_whitespace() && !letter.is_ascii())
    };
    if line.chars().any(odd) {
        return Err(Unreadable("it has characters that cannot be seen"));
    }
    let mut reader = Reader {
        rest: line.chars().peekable(),
        commands: Vec::new(),
        words: Vec::new(),
        word: None,
        bare: true,
        braced: false,
    };
    reader.all()?;
    Ok(reader.commands)
}

struct Reader<'a> {
    rest: Peekable<Chars<'a>>,
    commands: Vec<Vec<String>>,
    words: Vec<String>,
    word: Option<String>,
    /// Nothing of the word is quoted.
    bare: bool,
    /// The word has braces: with more of them it would be several words.
    braced: bool,
}

impl Reader<'_> {
    fn all(&mut self) -> Result<(), Unreadable> {
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
                '(' | ')' => return Err(Unreadable("it has brackets")),
                // Also a file may have the name of an option.
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
            // Quotes behind the sign change nothing.
            if is_assignment(&word) {
                return Err(Unreadable("it sets a variable for a command"));
            }
            if word.is_empty() || RESERVED.contains(&word.as_str()) {
                return Err(Unreadable("it is more than plain commands"));
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

    /// Behind `>`: to another output, or to nowhere.
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
        Err(Unreadable("it reads its input from elsewhere"))
    }

    /// The plain word behind a redirection; an empty one when it is not plain.
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
                None => return Err(Unreadable("a quote has no end")),
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
                    None => return Err(Unreadable("a quote has no end")),
                },
                Some(letter) => self.push(letter),
                None => return Err(Unreadable("a quote has no end")),
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

    /// `{}` and the `{1}` of `HEAD@{1}` stand for themselves; other braces may become several words.
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
