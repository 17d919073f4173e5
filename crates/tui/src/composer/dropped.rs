//! Pictures that are dropped on the terminal.

/// The path of a picture that was dropped on the terminal, which pastes its path: plain, in quotes, or with a backslash before
/// each special character.
pub(super) fn dropped_picture(text: &str) -> Option<String> {
    const PICTURES: [&str; 5] = [".png", ".jpg", ".jpeg", ".gif", ".webp"];
    let text = text.trim();
    let quoted = |mark: char| {
        let inside = text.strip_prefix(mark)?.strip_suffix(mark)?;
        (!inside.contains(mark)).then(|| inside.to_owned())
    };
    let path = quoted('\'').or_else(|| quoted('"')).or_else(|| unescaped(text))?;
    let name = path.to_ascii_lowercase();
    let fits = path.starts_with('/') && !path.contains(['\n', '"']);
    (fits && PICTURES.iter().any(|end| name.ends_with(end))).then_some(path)
}

/// One word of a shell. `None`: there are several.
fn unescaped(text: &str) -> Option<String> {
    let mut word = String::new();
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => word.push(letters.next()?),
            letter if letter.is_whitespace() => return None,
            letter => word.push(letter),
        }
    }
    Some(word)
}
