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
    let mut lines = cut_end(command, LOOK).lines();
    while let Some(line) = lines.next() {
        let words = words(line);
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

/// Splits a line as a shell does, near enough: quotes keep words together and hide signs.
fn words(line: &str) -> Vec<ShellWord> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        if let Some(open) = quote {
            match letter {
                _ if letter == open => quote = None,
                _ => word.get_or_insert_default().push(letter),
            }
            continue;
        }
        let sign = match letter {
            '\'' | '"' => {
                quote = Some(letter);
                word.get_or_insert_default();
                continue;
            }
            '\\' => {
                word.get_or_insert_default().extend(letters.next());
                continue;
            }
            '>' if word.as_deref() == Some("2") => {
                // Errors go there, not what is written.
                word = None;
                letters.next_if(|next| matches!(next, '>' | '&'));
                continue;
            }
            '>' => {
                letters.next_if_eq(&'>');
                Some(ShellWord::Into)
            }
            '<' if letters.next_if_eq(&'<').is_some() => Some(ShellWord::Here),
            '|' | ';' | '&' | '(' | ')' => Some(ShellWord::End),
            _ if letter.is_whitespace() => None,
            _ => {
                word.get_or_insert_default().push(letter);
                continue;
            }
        };
        words.extend(word.take().map(ShellWord::Text));
        words.extend(sign);
    }
    words.extend(word.map(ShellWord::Text));
    words
}

#[cfg(test)]
mod tests;
