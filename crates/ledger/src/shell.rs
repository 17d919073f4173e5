//! Files that a command line changes, so far as its words tell: some agents have no other tool to write with.
//!
//! It reports a file only if the line certainly writes it, and leaves out what it cannot read. The splitter of `permission`
//! does the opposite: it must find every command that any shell might run, so it looks into here-documents and loses
//! redirections. One lexer for both would either weaken a deny rule or invent changed files.

use throughline_text::cut_end;

use crate::change::{ChangeKind, FileChange};

/// A word of a command line, or a sign between words.
#[derive(Debug, PartialEq, Eq)]
enum ShellWord {
    Text(String),
    /// `>` or `>>`.
    Into,
    /// `<<`.
    Here,
    /// The end of a command: `|`, `;`, `&`, a new line.
    End,
}

/// The files that a command line writes with `>`, `tee` or `sed -i`. The text of a here-document is not looked into;
/// its lines are counted for the file of its command.
pub(crate) fn changed_files(command: &str) -> Vec<FileChange> {
    /// Longer ones are data.
    const LOOK: usize = 20_000;
    let mut changes = Vec::new();
    let mut lexer = ShellLexer::default();
    let mut lines = cut_end(command, LOOK).lines();
    while let Some(line) = lines.next() {
        let Some(words) = lexer.read(line) else { continue };
        let mark = words.windows(2).find_map(|pair| match pair {
            [ShellWord::Here, ShellWord::Text(mark)] => Some(mark.trim_start_matches('-')),
            _ => None,
        });
        let body = mark.map_or(0, |mark| lines.by_ref().take_while(|line| line.trim() != mark).count());
        for command in words.split(|word| *word == ShellWord::End) {
            of_command(command, body as u64, &mut changes);
        }
    }
    changes
}

fn of_command(words: &[ShellWord], lines: u64, changes: &mut Vec<FileChange>) {
    let texts: Vec<&str> = words
        .iter()
        .filter_map(|word| match word {
            ShellWord::Text(text) => Some(text.as_str()),
            _ => None,
        })
        .collect();
    let into = words.windows(2).filter_map(|pair| match pair {
        [ShellWord::Into, ShellWord::Text(path)] => Some((path.as_str(), ChangeKind::Written)),
        _ => None,
    });
    let last = || texts.last().copied();
    let by_name = match texts.split_first() {
        Some((&"tee", _)) => last().map(|path| (path, ChangeKind::Written)),
        Some((&"sed", rest)) if rest.iter().any(|word| word.starts_with("-i")) => {
            last().map(|path| (path, ChangeKind::Edited))
        }
        _ => None,
    };
    for (path, kind) in into.chain(by_name).filter(|(path, _)| is_file(path)) {
        let added = if kind == ChangeKind::Written { lines } else { 0 };
        changes.push(FileChange { path: path.to_owned(), kind, added, removed: 0, place: None });
    }
}

/// Returns true if a word names a file: `&1`, `$out` and `/dev/null` do not.
fn is_file(word: &str) -> bool {
    let plain = |letter: char| {
        letter.is_alphanumeric() || matches!(letter, '/' | '.' | '_' | '-' | '~' | '+' | '@' | ' ')
    };
    !word.is_empty() && !word.starts_with('-') && !word.starts_with("/dev/") && word.chars().all(plain)
}

/// Splits lines as a shell does, near enough: quotes keep words together and hide signs.
#[derive(Debug, Default)]
struct ShellLexer {
    words: Vec<ShellWord>,
    word: Option<String>,
    /// The quote that is open.
    quote: Option<char>,
}

impl ShellLexer {
    /// Reads a line, and returns the words up to its end. `None`: the next line continues it, because a quote is open or a
    /// backslash is last.
    fn read(&mut self, line: &str) -> Option<Vec<ShellWord>> {
        let mut letters = line.chars().peekable();
        while let Some(letter) = letters.next() {
            let sign = match (letter, self.quote) {
                (_, Some(open)) if letter == open => {
                    self.quote = None;
                    continue;
                }
                ('\\', Some('"')) if !matches!(letters.peek(), Some('"' | '\\' | '$' | '`') | None) => {
                    self.push(letter);
                    continue;
                }
                ('\\', None | Some('"')) => {
                    let escaped = letters.next()?;
                    self.push(escaped);
                    continue;
                }
                (_, Some(_)) => {
                    self.push(letter);
                    continue;
                }
                ('\'' | '"', None) => {
                    self.quote = Some(letter);
                    self.word.get_or_insert_default();
                    continue;
                }
                ('#', None) if self.word.is_none() => break,
                ('>', None) if self.word.as_deref() == Some("2") => {
                    // Errors go there, not what is written.
                    self.word = None;
                    letters.next_if(|next| matches!(next, '>' | '&'));
                    continue;
                }
                ('>', None) => {
                    letters.next_if(|next| matches!(next, '>' | '|'));
                    Some(ShellWord::Into)
                }
                ('<', None) if letters.next_if_eq(&'<').is_some() => {
                    // `<<<` is followed by a text.
                    letters.next_if_eq(&'<').is_none().then_some(ShellWord::Here)
                }
                ('|' | ';' | '&' | '(' | ')', None) => Some(ShellWord::End),
                _ if letter.is_whitespace() => None,
                _ => {
                    self.push(letter);
                    continue;
                }
            };
            self.end_word();
            self.words.extend(sign);
        }
        if self.quote.is_some() {
            self.push('\n');
            return None;
        }
        self.end_word();
        Some(std::mem::take(&mut self.words))
    }

    fn push(&mut self, letter: char) {
        self.word.get_or_insert_default().push(letter);
    }

    fn end_word(&mut self) {
        self.words.extend(self.word.take().map(ShellWord::Text));
    }
}

#[cfg(test)]
mod tests;
