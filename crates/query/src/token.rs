//! A statement as words, as far as its weight needs them.

/// A word of a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Token {
    /// A name or a keyword, in lower case.
    Name(String),
    /// A text in single quotes, in lower case: SQLite takes it as a table's name where only that can stand.
    Text(String),
    /// `(`
    Open,
    /// `)`
    Close,
    /// Anything else that is one character: operators, commas, dots. Numbers are `0`.
    Mark(char),
}

/// Takes a statement apart. Comments and spaces are left out.
pub(crate) fn tokens(sql: &str) -> Vec<Token> {
    let mut chars = sql.chars().peekable();
    let mut out = Vec::new();
    while let Some(c) = chars.next() {
        let next = chars.peek().copied();
        match c {
            c if c.is_ascii_whitespace() => {}
            '-' if next == Some('-') => while chars.next_if(|c| *c != '\n').is_some() {},
            '/' if next == Some('*') => {
                chars.next();
                let mut last = ' ';
                for c in chars.by_ref() {
                    if last == '*' && c == '/' {
                        break;
                    }
                    last = c;
                }
            }
            '(' => out.push(Token::Open),
            ')' => out.push(Token::Close),
            '\'' => out.push(Token::Text(quoted(&mut chars, c))),
            '"' | '`' => out.push(Token::Name(quoted(&mut chars, c))),
            '[' => out.push(Token::Name(until(&mut chars, ']'))),
            c if c.is_ascii_digit() => {
                while chars.next_if(|c| c.is_ascii_alphanumeric() || *c == '_' || *c == '.').is_some() {}
                out.push(Token::Mark('0'));
            }
            c if is_name(c) => {
                let mut name = String::from(c);
                while let Some(c) = chars.next_if(|c| is_name(*c)) {
                    name.push(c);
                }
                out.push(Token::Name(name.to_lowercase()));
            }
            other => out.push(Token::Mark(other)),
        }
    }
    out
}

type Chars<'a> = std::iter::Peekable<std::str::Chars<'a>>;

/// A text up to its closing quote; a doubled quote is one of its characters.
fn quoted(chars: &mut Chars<'_>, quote: char) -> String {
    let mut text = String::new();
    while let Some(c) = chars.next() {
        if c == quote && chars.next_if_eq(&quote).is_none() {
            break;
        }
        text.push(c);
    }
    text.to_lowercase()
}

fn until(chars: &mut Chars<'_>, end: char) -> String {
    let mut text = String::new();
    for c in chars.by_ref() {
        if c == end {
            break;
        }
        text.push(c);
    }
    text.to_lowercase()
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$' || !c.is_ascii()
}
