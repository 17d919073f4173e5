//! The files that a message names with `@`.

/// Maximum number of files that are attached to a message.
const MAX_FILES: usize = 10;

/// The paths behind an `@` at the beginning of a word. A path with spaces is in quotes: `@"a b.rs"`.
pub(super) fn named_files(text: &str) -> Vec<&str> {
    let mut paths: Vec<&str> = Vec::new();
    let mut rest = text;
    let mut at_word = true;
    while let Some(letter) = rest.chars().next() {
        let behind = rest.get(letter.len_utf8()..).unwrap_or_default();
        if !(at_word && letter == '@') {
            at_word = letter.is_whitespace() || letter == '(';
            rest = behind;
            continue;
        }
        let (path, more) = path_at(behind);
        if !path.is_empty() && !paths.contains(&path) {
            paths.push(path);
        }
        (rest, at_word) = (more, false);
    }
    paths.truncate(MAX_FILES);
    paths
}

/// The path at the beginning of a text, and what follows it.
fn path_at(text: &str) -> (&str, &str) {
    if let Some((path, more)) = text.strip_prefix('"').and_then(|quoted| quoted.split_once('"')) {
        return (path, more);
    }
    let (word, more) = text.split_at(text.find(char::is_whitespace).unwrap_or(text.len()));
    let path = word.trim_end_matches([',', ';', ':', ')', '?', '!']);
    // A sentence may end with a path.
    (path.strip_suffix('.').unwrap_or(path), more)
}

/// Returns true if a word behind `@` can only be meant as a path, and not as a name of something else (`@alice`, `@app.route("/")`).
pub(super) fn is_path(word: &str) -> bool {
    let is_plain = !word.contains(['(', '"', '\'', '{', '=', '<']);
    is_plain && word.contains(['/', '.'])
}

#[cfg(test)]
mod tests;
