//! Names in a text: paths, identifiers, flags, ids, error codes. A model must spell these exactly to continue.

/// Longer ones are data, not names.
const MAX_BYTES: usize = 120;
/// Shorter ones are found again without help.
const MIN_BYTES: usize = 4;
/// Words with a slash that are plain English.
const PLAIN: &[&str] =
    &["and/or", "either/or", "yes/no", "true/false", "input/output", "read/write", "on/off", "client/server"];

/// All names of a text, in order, repeats included. Costs time in proportion to the text.
pub fn names(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !in_run(letter))
        .flat_map(|run| pieces(run).map(trim))
        .filter(|token| is_name(token))
}

/// The last two parts of a path of more: `src/main.rs` of `/home/me/project/src/main.rs`. Who knows the project finds the
/// file by them. Anything else is returned unchanged.
pub fn path_tail(name: &str) -> &str {
    if name.contains("://") {
        return name;
    }
    match name.rmatch_indices('/').nth(1) {
        Some((at, _)) => name.get(at + 1..).filter(|tail| tail.len() > MIN_BYTES).unwrap_or(name),
        None => name,
    }
}

fn in_run(letter: char) -> bool {
    letter.is_ascii_alphanumeric()
        || matches!(letter, '_' | '.' | '/' | '-' | '~' | '@' | ':' | '+' | '\\')
        || (!letter.is_ascii() && letter.is_alphanumeric())
}

/// Splits a run at single colons (`src/a.rs:12`), but not inside `a::b` and `https://a`.
fn pieces(run: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(run);
    std::iter::from_fn(move || {
        let text = rest?;
        let cut = text.match_indices(':').map(|(at, _)| at).find(|at| is_single_colon(text, *at));
        let (piece, after) = match cut {
            Some(at) => (text.get(..at)?, text.get(at + 1..)),
            None => (text, None),
        };
        rest = after;
        Some(piece)
    })
}

fn is_single_colon(text: &str, at: usize) -> bool {
    let bytes = text.as_bytes();
    let before = at.checked_sub(1).and_then(|index| bytes.get(index));
    let after = bytes.get(at + 1);
    before != Some(&b':')
        && after != Some(&b':')
        && !text.get(at..).is_some_and(|rest| rest.starts_with("://"))
}

fn trim(token: &str) -> &str {
    let token = token.trim_end_matches(['.', ':', '-', '+', '/', '\\', '~', '@']);
    let token = token.trim_start_matches([':', '+', '\\']);
    if token.starts_with("--") { token } else { token.trim_start_matches('-') }
}

/// Properties of a token, found in one pass.
#[derive(Default)]
struct Shape {
    letters: usize,
    digits: usize,
    hump: bool,
    underscore: bool,
    slash: bool,
    dot: bool,
    colon: bool,
    hex: bool,
}

fn shape(token: &str) -> Shape {
    let mut shape = Shape { hex: true, ..Shape::default() };
    let mut lower = false;
    for letter in token.chars() {
        shape.hump |= lower && letter.is_uppercase();
        lower = letter.is_lowercase();
        shape.letters += usize::from(letter.is_alphabetic());
        shape.digits += usize::from(letter.is_ascii_digit());
        shape.underscore |= letter == '_';
        shape.slash |= letter == '/' || letter == '\\';
        shape.dot |= letter == '.';
        shape.colon |= letter == ':';
        shape.hex &= letter.is_ascii_hexdigit() || letter == '-';
    }
    shape
}

fn is_name(token: &str) -> bool {
    if !(MIN_BYTES..=MAX_BYTES).contains(&token.len()) {
        return false;
    }
    let shape = shape(token);
    if shape.letters < 2 || PLAIN.contains(&token) {
        return shape.letters == 1 && has_code_form(token, &shape);
    }
    let flag = token.starts_with("--");
    shape.colon
        || shape.underscore
        || shape.slash
        || shape.hump
        || flag
        || has_code_form(token, &shape)
        || (shape.dot && has_extension(token))
}

/// `E0308`, `TS2345`, `PROJ-1234`, `3f2a9c1`: letters and digits that are no word and no plain number.
fn has_code_form(token: &str, shape: &Shape) -> bool {
    if token.starts_with(|first: char| first.is_ascii_digit()) {
        return shape.hex && shape.letters > 0 && token.len() >= 7;
    }
    shape.digits >= 2 && token.len() >= 5 && !shape.slash
}

/// `main.rs`, `.gitignore`, `self.count`, but not `end.Next` of two sentences.
fn has_extension(token: &str) -> bool {
    let Some((stem, end)) = token.rsplit_once('.') else { return false };
    let plain =
        !end.is_empty() && end.len() <= 12 && end.starts_with(|first: char| first.is_ascii_lowercase());
    plain && (stem.is_empty() || stem.chars().filter(|letter| letter.is_alphabetic()).count() >= 1)
}

#[cfg(test)]
mod tests;
