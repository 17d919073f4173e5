//! Which names are used: anywhere but in their definition, in the head and body of their own `impl`, and in exports.

use std::collections::{BTreeMap, BTreeSet};

use super::super::sources::Source;
use super::items;
use crate::tokens::{Kind, Token};

/// Names with a use.
#[derive(Debug, Default)]
pub(super) struct Uses {
    names: BTreeSet<String>,
    /// Other names under which an item is imported.
    aliases: BTreeMap<String, BTreeSet<String>>,
    /// Names that the examples of a crate use.
    examples: BTreeSet<(String, String)>,
}

impl Uses {
    /// Returns true if the name is used, also under another name or by an example of its own crate.
    pub(super) fn has(&self, name: &str, krate: &str) -> bool {
        let by_alias = self
            .aliases
            .get(name)
            .is_some_and(|aliases| aliases.iter().any(|alias| self.names.contains(alias)));
        by_alias || self.names.contains(name) || self.examples.contains(&(krate.to_owned(), name.to_owned()))
    }

    /// Takes the uses of a file.
    pub(super) fn add(&mut self, code: &[Token<'_>]) {
        let mut definitions: BTreeSet<usize> = items::public(code).iter().map(position).collect();
        definitions.extend(exported(code).iter().map(position));
        definitions.extend(own_impls(code).iter().map(position));
        for token in code.iter().filter(|token| !definitions.contains(&position(token))) {
            match token.kind {
                Kind::Name => drop(self.names.insert(token.text.to_owned())),
                // Attributes name functions in strings, and formats name constants.
                Kind::Text => self.names.extend(names_in(token.text)),
                _ => {}
            }
        }
        for window in code.windows(3) {
            if let [name, word, alias] = window
                && word.is("as")
                && alias.kind == Kind::Name
            {
                self.aliases.entry(name.text.to_owned()).or_default().insert(alias.text.to_owned());
            }
        }
    }

    /// Takes the uses of an example, which count for its own crate.
    pub(super) fn add_example(&mut self, krate: &str, source: &Source<'_>) {
        let names = source.tokens.iter().filter(|token| token.kind == Kind::Name);
        self.examples.extend(names.map(|token| (krate.to_owned(), token.text.to_owned())));
    }
}

/// Identifies a token of a file by the address of its text.
fn position(token: &Token<'_>) -> usize {
    token.text.as_ptr().addr()
}

/// What `pub use` and `pub(…) use` name.
fn exported<'a>(code: &[Token<'a>]) -> Vec<Token<'a>> {
    let mut found = Vec::new();
    for (at, _) in code.iter().enumerate().filter(|(_, token)| token.is("pub")) {
        let mut rest = code
            .iter()
            .skip(at + 1)
            .skip_while(|token| ["(", "crate", "super", "in", ")"].iter().any(|word| token.is(word)));
        if rest.next().is_some_and(|token| token.is("use")) {
            found.extend(rest.take_while(|token| !token.is(";")));
        }
    }
    found
}

/// The name of a type where its own `impl` says it, in the head and in the body.
fn own_impls<'a>(code: &[Token<'a>]) -> Vec<Token<'a>> {
    let mut found = Vec::new();
    for (at, _) in code.iter().enumerate().filter(|(_, token)| token.is("impl")) {
        let rest = code.get(at..).unwrap_or_default();
        let head: Vec<_> =
            rest.iter().take_while(|token| !token.is("{") && !token.is(";") && !token.is(")")).collect();
        let Some(own) = self_type(&head) else { continue };
        let mut depth = 0_usize;
        for token in rest {
            if token.is("{") {
                depth += 1;
            } else if token.is("}") {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    break;
                }
            } else if token.is(own) {
                found.push(*token);
            }
        }
    }
    found
}

/// The type that an `impl` is about: after `for`, or after the generic parameters.
fn self_type<'a>(head: &[&Token<'a>]) -> Option<&'a str> {
    let after_for = head.iter().position(|token| token.is("for")).map(|at| at + 1);
    let start = after_for.or_else(|| {
        let mut depth = 0_usize;
        head.iter().enumerate().skip(1).find_map(|(at, token)| {
            depth = if token.is("<") { depth + 1 } else { depth.saturating_sub(usize::from(token.is(">"))) };
            (depth == 0 && token.kind == Kind::Name).then_some(at)
        })
    })?;
    let path = head.get(start..)?.iter().take_while(|token| token.kind == Kind::Name || token.is(":"));
    path.filter(|token| token.kind == Kind::Name && !token.is("where")).last().map(|token| token.text)
}

/// The names in a string, if it is a path or has them in braces.
fn names_in(text: &str) -> Vec<String> {
    let is_name = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == ':';
    let inner = text.trim_matches('"');
    let paths: Vec<&str> = if inner.chars().all(is_name) {
        vec![inner]
    } else {
        inner.split('{').skip(1).filter_map(|part| part.split(['}', ':', '.']).next()).collect()
    };
    paths.iter().flat_map(|path| path.split("::")).map(str::to_owned).collect()
}
