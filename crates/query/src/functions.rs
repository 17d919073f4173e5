//! Functions of SQLite whose own versions compare text byte by byte at every place: two long texts of one
//! character keep them busy for minutes within one step, where no deadline is looked at. These take time in
//! proportion to the length of their input.

use std::borrow::Cow;
use std::collections::BTreeSet;

use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Result};

/// What a replacement may add to a text beyond twice its length.
const GROWTH: usize = 1024 * 1024;

/// As SQLite says it.
const TOO_LONG: &str = "string or blob too big";

/// Replaces SQLite's own by them.
pub(crate) fn register(connection: &Connection) -> Result<()> {
    let flags =
        FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC | FunctionFlags::SQLITE_INNOCUOUS;
    connection.create_scalar_function("instr", 2, flags, instr)?;
    connection.create_scalar_function("replace", 3, flags, replace)?;
    for (name, ends) in [("trim", Ends::Both), ("ltrim", Ends::Left), ("rtrim", Ends::Right)] {
        for arguments in [1, 2] {
            connection.create_scalar_function(name, arguments, flags, move |context| trim(context, ends))?;
        }
    }
    Ok(())
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Ends {
    Left,
    Right,
    Both,
}

/// Place of the second text in the first, in characters from 1; 0 when it is missing.
fn instr(context: &Context<'_>) -> Result<Option<i64>> {
    let (Some(text), Some(part)) = (text(context, 0), text(context, 1)) else { return Ok(None) };
    let found = text.find(part.as_ref()).and_then(|place| text.get(..place));
    Ok(Some(found.map_or(0, |before| i64::try_from(before.chars().count()).unwrap_or(i64::MAX - 1) + 1)))
}

/// The first text with each occurrence of the second replaced by the third.
fn replace(context: &Context<'_>) -> Result<Option<String>> {
    let (Some(text), Some(from), Some(to)) = (text(context, 0), text(context, 1), text(context, 2)) else {
        return Ok(None);
    };
    if from.is_empty() {
        return Ok(Some(text.into_owned()));
    }
    let grown = text.matches(from.as_ref()).count().saturating_mul(to.len());
    if grown > text.len().saturating_mul(2).saturating_add(GROWTH) {
        return Err(rusqlite::Error::UserFunctionError(TOO_LONG.into()));
    }
    Ok(Some(text.replace(from.as_ref(), &to)))
}

/// The first text without the characters of the second (else without spaces) at its ends.
fn trim(context: &Context<'_>, ends: Ends) -> Result<Option<String>> {
    let given = context.len() > 1;
    let Some(text) = text(context, 0) else { return Ok(None) };
    let chars: BTreeSet<char> = match given.then(|| self::text(context, 1)) {
        None => BTreeSet::from([' ']),
        Some(Some(chars)) => chars.chars().collect(),
        Some(None) => return Ok(None),
    };
    let of = |c: char| chars.contains(&c);
    let trimmed = match ends {
        Ends::Left => text.trim_start_matches(of),
        Ends::Right => text.trim_end_matches(of),
        Ends::Both => text.trim_matches(of),
    };
    Ok(Some(trimmed.to_owned()))
}

/// An argument as text; `None` for NULL.
fn text<'a>(context: &'a Context<'_>, index: usize) -> Option<Cow<'a, str>> {
    match context.get_raw(index) {
        ValueRef::Null => None,
        ValueRef::Integer(number) => Some(Cow::Owned(number.to_string())),
        ValueRef::Real(number) => Some(Cow::Owned(format!("{number:?}"))),
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => Some(String::from_utf8_lossy(bytes)),
    }
}
