//! The front matter of a skill: `name` and `description` between two lines of `---`.
//!
//! It is YAML, of which the forms are read that people write for two lines of text: plain, in quotes, over several
//! lines, and as a block (`|`, `>`). Anything else is an error that says what to write instead, never a guess.

use throughline_text::first_chars;

/// Maximum characters of a name (the rule of the Agent Skills format).
const NAME_CHARS: usize = 64;

/// Maximum characters of a description (the rule of the Agent Skills format).
const DESCRIPTION_CHARS: usize = 1_024;

/// The key of a skill that its users may not call by its name.
const USER_INVOCABLE: &str = "user-invocable";

/// The front matter of a skill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FrontMatter {
    pub(crate) name: String,
    pub(crate) description: String,
    /// Users may call it by its name.
    pub(crate) user_invocable: bool,
    /// The text after the front matter.
    pub(crate) body: String,
}

/// Why a skill cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum FrontMatterError {
    #[error(
        "it has no front matter: begin the file with a line ---, then name and description, then a line ---"
    )]
    None,
    #[error("its front matter has no end: put a line --- behind the description")]
    Open,
    #[error("line {line}: {why}")]
    Line { line: usize, why: &'static str },
    #[error("its front matter has no {0}: add a line \"{0}: …\"")]
    Missing(&'static str),
    #[error("its name {0:?} is not valid: use 1 to {NAME_CHARS} of the characters a-z, 0-9 and -")]
    Name(String),
    #[error("its description has {0} characters; shorten it to {DESCRIPTION_CHARS}")]
    Description(usize),
    #[error("it has no text behind the front matter")]
    Empty,
    #[error("{0} is {1:?}; write true or false")]
    Switch(&'static str, String),
}

impl FrontMatterError {
    /// Fails if this is no name.
    pub(crate) fn of_name(name: &str) -> Result<(), Self> {
        if is_name(name) { Ok(()) } else { Err(Self::Name(name.chars().take(NAME_CHARS).collect())) }
    }
}

/// A name that people write with capitals and spaces, in the form of a name.
pub(crate) fn as_name(written: &str) -> String {
    written.trim().to_lowercase().replace([' ', '_'], "-")
}

/// The lines between the two marks, and the number of bytes up to the text behind them.
fn head(text: &str) -> Result<(Vec<&str>, usize), FrontMatterError> {
    let mut lines = text.split_inclusive('\n');
    let first = lines.next().filter(|line| line.trim_end() == "---").ok_or(FrontMatterError::None)?;
    let mut bytes = first.len();
    let mut head = Vec::new();
    loop {
        let line = lines.next().ok_or(FrontMatterError::Open)?;
        bytes += line.len();
        if line.trim_end() == "---" {
            break;
        }
        head.push(line.trim_end());
    }
    Ok((head, bytes))
}

/// The text behind the front matter; `None`: the file has no such part, or the part has no end.
pub(crate) fn body_of(text: &str) -> Option<&str> {
    let (_, bytes) = head(text).ok()?;
    Some(text.get(bytes..).unwrap_or_default().trim_matches('\n').trim_end())
}

/// The text of a list in one line, such as `[Read, Grep]`, which is no text of its own; `None`: the key has another form.
pub(crate) fn flow_list(text: &str, key: &str) -> Option<String> {
    let (head, _) = head(text).ok()?;
    let line = head.iter().find_map(|line| line.strip_prefix(key)?.strip_prefix(':'))?;
    let line = without_comment(line).trim();
    (line.starts_with('[') && line.ends_with(']')).then(|| line.to_owned())
}

/// The text of a key that need not be there; `None` also for an empty one.
pub(crate) fn optional(text: &str, key: &'static str) -> Result<Option<String>, FrontMatterError> {
    match value(&head(text)?.0, key) {
        Ok(value) => Ok(Some(value).filter(|value| !value.is_empty())),
        Err(FrontMatterError::Missing(_)) => Ok(None),
        Err(error) => Err(error),
    }
}

/// The line of a key at the left margin, from 1; `None`: the key is missing.
pub(crate) fn line_of(text: &str, key: &str) -> Option<usize> {
    let (head, _) = head(text).ok()?;
    head.iter()
        .position(|line| line.strip_prefix(key).is_some_and(|rest| rest.starts_with(':')))
        .map(|at| at + 2)
}

/// Reads the beginning of a `SKILL.md`.
pub(crate) fn parse(text: &str) -> Result<FrontMatter, FrontMatterError> {
    let name = value(&head(text)?.0, "name")?;
    FrontMatterError::of_name(&name)?;
    let read = with_name(text, name, switch(text, USER_INVOCABLE, true)?)?;
    match read.description.chars().count() {
        length if length > DESCRIPTION_CHARS => Err(FrontMatterError::Description(length)),
        _ => Ok(read),
    }
}

/// The same for a file of a plugin, which its user does not correct: a name that cannot be used is replaced by that of the file, a long
/// description is cut, and a `user-invocable` that is neither true nor false has no effect.
pub(crate) fn parse_of_plugin(text: &str, file: &str) -> Result<FrontMatter, FrontMatterError> {
    let written = optional(text, "name").ok().flatten().filter(|name| is_name(name));
    let name = written.unwrap_or_else(|| file.to_owned());
    FrontMatterError::of_name(&name)?;
    let read = with_name(text, name, switch(text, USER_INVOCABLE, true).unwrap_or(true))?;
    Ok(FrontMatter { description: first_chars(&read.description, DESCRIPTION_CHARS).to_owned(), ..read })
}

fn is_name(name: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    !name.is_empty() && name.len() <= NAME_CHARS && name.bytes().all(plain)
}

/// What is behind the name.
fn with_name(text: &str, name: String, user_invocable: bool) -> Result<FrontMatter, FrontMatterError> {
    let (head, _) = head(text)?;
    let description = value(&head, "description")?.split_whitespace().collect::<Vec<_>>().join(" ");
    if description.is_empty() {
        return Err(FrontMatterError::Missing("description"));
    }
    let body = body_of(text).unwrap_or_default().to_owned();
    if body.is_empty() {
        return Err(FrontMatterError::Empty);
    }
    Ok(FrontMatter { name, description, user_invocable, body })
}

/// The value of a key that is `true` or `false`; without it this default.
pub(crate) fn switch(text: &str, key: &'static str, default: bool) -> Result<bool, FrontMatterError> {
    match optional(text, key)?.as_deref() {
        None => Ok(default),
        Some("true") => Ok(true),
        Some("false") => Ok(false),
        Some(other) => Err(FrontMatterError::Switch(key, other.to_owned())),
    }
}

/// The text of a key at the left margin.
fn value(head: &[&str], key: &'static str) -> Result<String, FrontMatterError> {
    // Line numbers are those of the file: from 1, and the opening line is the first.
    let found = |line: &&str| line.strip_prefix(key).and_then(|rest| rest.strip_prefix(':')).is_some();
    let at = head.iter().position(found).ok_or(FrontMatterError::Missing(key))?;
    if let Some(again) = head.iter().skip(at + 1).position(found) {
        let why = "this key stands here for the second time; leave one";
        return Err(FrontMatterError::Line { line: at + again + 3, why });
    }
    let first = head.get(at).and_then(|line| line.split_once(':')).map_or("", |(_, rest)| rest).trim();
    let indented = |line: &&&str| line.is_empty() || line.starts_with([' ', '\t']);
    let more: Vec<&str> = head.iter().skip(at + 1).take_while(indented).map(|line| line.trim()).collect();
    let wrong = |why| FrontMatterError::Line { line: at + 2, why };
    match first.chars().next() {
        Some('|' | '>') => {
            let marks = first.get(1..).unwrap_or_default().split(" #").next().unwrap_or_default().trim();
            if marks.chars().all(|mark| ['+', '-'].contains(&mark) || mark.is_ascii_digit()) {
                Ok(more.join("\n").trim().to_owned())
            } else {
                Err(wrong("a text behind | or > begins on the next line"))
            }
        }
        Some(quote @ ('"' | '\'')) => {
            quoted(first, &more, quote).ok_or_else(|| wrong("a quote is not closed"))
        }
        Some('[' | ']' | '{' | '}' | '&' | '*' | '!' | '%' | '@' | '`') => {
            Err(wrong("a text that begins with a special character needs quotes"))
        }
        _ => {
            let lines = std::iter::once(first).chain(more).map(without_comment);
            Ok(lines.collect::<Vec<_>>().join(" ").trim().to_owned())
        }
    }
}

fn without_comment(line: &str) -> &str {
    if line.starts_with('#') { "" } else { line.split(" #").next().unwrap_or(line).trim_end() }
}

/// A text in quotes, over one or more lines. Behind it only a comment may stand.
fn quoted(first: &str, more: &[&str], quote: char) -> Option<String> {
    let text = std::iter::once(first).chain(more.iter().copied()).collect::<Vec<_>>().join(" ");
    let mut out = String::new();
    let mut letters = text.chars().skip(1).peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\'' if quote == '\'' && letters.next_if_eq(&'\'').is_some() => out.push('\''),
            '\\' if quote == '"' => match letters.next()? {
                'n' | 't' | 'r' => out.push(' '),
                other => out.push(other),
            },
            letter if letter == quote => {
                let rest: String = letters.collect();
                let rest = rest.trim();
                return (rest.is_empty() || rest.starts_with('#')).then_some(out);
            }
            letter => out.push(letter),
        }
    }
    None
}

#[cfg(test)]
mod tests;
