//! The public items of a file.

use crate::tokens::{Kind, Token};

/// The keywords that open an item which can be used by its name.
const OPENING: &[&str] = &["fn", "struct", "enum", "const", "static", "trait", "type", "union"];

/// What may stand between `pub` and those.
const BEFORE: &[&str] = &["const", "async", "unsafe", "extern"];

/// The name of each item that is `pub`.
pub(super) fn public<'a>(code: &[Token<'a>]) -> Vec<Token<'a>> {
    let starts = code.iter().enumerate().filter(|(_, token)| token.is("pub"));
    starts.filter_map(|(at, _)| name(code.get(at + 1..)?)).collect()
}

fn name<'a>(mut rest: &[Token<'a>]) -> Option<Token<'a>> {
    while let [first, second, after @ ..] = rest {
        let is_qualifier = BEFORE.contains(&first.text)
            && (second.kind == Kind::Text || second.is("fn") || BEFORE.contains(&second.text));
        if !is_qualifier {
            return (OPENING.contains(&first.text) && second.kind == Kind::Name).then_some(*second);
        }
        rest = if second.kind == Kind::Text { after } else { rest.get(1..)? };
    }
    None
}
