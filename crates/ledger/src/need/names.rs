//! Names in a text: paths, files and identifiers that are no plain words.

/// Shorter names are found anywhere by chance.
const SHORTEST: usize = 5;

/// Longer ones are data, not names.
const LONGEST: usize = 200;

/// The names of a text, in the order in which they stand, repeated ones included.
pub(super) fn names(text: &str) -> impl Iterator<Item = &str> {
    let part = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '/' | '.' | '-' | '@');
    text.split(move |letter| !part(letter)).flat_map(|run| {
        let run = run.trim_matches(['.', '-', '@']);
        // A path is a name, and so is each identifier that stands alone or between dots.
        let whole = is_path(run).then_some(run);
        let parts = run.split(['.', '/', '-', '@']).filter(|part| is_identifier(part));
        whole.into_iter().chain(parts.filter(move |part| whole.is_none_or(|whole| whole != *part)))
    })
}

/// Folders and a file, or a file with an extension.
fn is_path(run: &str) -> bool {
    if run.len() < SHORTEST || run.len() > LONGEST || !run.bytes().any(|byte| byte.is_ascii_alphabetic()) {
        return false;
    }
    let inner = run.trim_matches('/');
    if inner.contains('/') {
        return !inner.contains("//");
    }
    // `e.g` and versions have no extension of letters behind a longer name.
    run.rsplit_once('.').is_some_and(|(name, extension)| {
        let letters = extension.bytes().all(|byte| byte.is_ascii_alphabetic());
        name.len() >= 3 && letters && (1..=5).contains(&extension.len())
    })
}

/// Letters with a digit, a `_`, or a capital behind a small letter: what no prose has.
fn is_identifier(run: &str) -> bool {
    if run.len() < SHORTEST || run.len() > LONGEST {
        return false;
    }
    let begins = run.bytes().next().is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_');
    let marked = run.bytes().any(|byte| byte == b'_' || byte.is_ascii_digit());
    let hump = run
        .bytes()
        .zip(run.bytes().skip(1))
        .any(|(left, right)| left.is_ascii_lowercase() && right.is_ascii_uppercase());
    begins && (marked || hump)
}
