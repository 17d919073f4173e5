//! The parameters of a request, each known and given once.

use axum::http::Uri;
use throughline_text::{cut_end, nearest_name};
use url::form_urlencoded;

use crate::answer::Failure;

/// The parameter with the token, which every path takes.
pub(crate) const TOKEN: &str = "token";

/// What no text of an address may have: PostgreSQL takes no text with it.
pub(crate) const NUL: char = '\0';

/// Maximum bytes of a name or value that an error repeats.
const ECHO: usize = 80;

/// The parameters of an address, decoded.
pub(crate) fn pairs(uri: &Uri) -> impl Iterator<Item = (String, String)> {
    let query = uri.query().unwrap_or_default().as_bytes();
    form_urlencoded::parse(query).map(|(name, value)| (name.into_owned(), value.into_owned()))
}

/// The parameters of a path.
#[derive(Debug, Clone, Default)]
pub(crate) struct Params(Vec<(String, String)>);

impl Params {
    /// Reads the parameters of an address; `known` are those that its path takes.
    ///
    /// # Errors
    /// One is unknown, given twice, or has U+0000.
    pub(crate) fn read(uri: &Uri, known: &[&str]) -> Result<Self, Failure> {
        let mut read: Vec<(String, String)> = Vec::new();
        for (name, value) in pairs(uri).filter(|(name, _)| name != TOKEN) {
            if !known.contains(&name.as_str()) {
                return Err(Failure::input(unknown(&name, known)));
            }
            if value.contains(NUL) {
                return Err(Failure::input(format!("the parameter `{name}` has the character U+0000")));
            }
            if read.iter().any(|(other, _)| *other == name) {
                return Err(Failure::input(format!("the parameter `{name}` is given twice")));
            }
            read.push((name, value));
        }
        Ok(Self(read))
    }

    /// The value of a parameter. An empty one counts as not given.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        let value = self.0.iter().find(|(other, _)| other == name).map(|(_, value)| value.trim());
        value.filter(|value| !value.is_empty())
    }

    /// Returns true for `true`.
    ///
    /// # Errors
    /// The value is neither `true` nor `false`.
    pub(crate) fn flag(&self, name: &str) -> Result<bool, Failure> {
        match self.text(name) {
            None | Some("false") => Ok(false),
            Some("true") => Ok(true),
            Some(text) => {
                let text = cut_end(text, ECHO);
                Err(Failure::input(format!("`{name}` is {text:?}; it must be `true` or `false`")))
            }
        }
    }

    /// A whole number.
    ///
    /// # Errors
    /// The value is no whole number of a database.
    pub(crate) fn number(&self, name: &str) -> Result<Option<usize>, Failure> {
        let Some(text) = self.text(name) else { return Ok(None) };
        let number = text.parse().ok().filter(|number| i64::try_from(*number).is_ok());
        number.map(Some).ok_or_else(|| {
            let text = cut_end(text, ECHO);
            Failure::input(format!("`{name}` is {text:?}; it must be a whole number from 0 to {}", i64::MAX))
        })
    }
}

fn unknown(name: &str, known: &[&str]) -> String {
    let near = nearest_name(name, known.iter().copied());
    let shown = cut_end(name, ECHO);
    match (near, known) {
        (Some(near), _) => format!("there is no parameter {shown:?}; `{near}` is near"),
        (None, []) => format!("there is no parameter {shown:?}; this path takes none but `{TOKEN}`"),
        (None, known) => format!("there is no parameter {shown:?}; this path takes {}", known.join(", ")),
    }
}
