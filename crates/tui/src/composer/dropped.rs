//! Pictures that are dropped on the terminal.

use std::path::Path;

use url::Url;

/// The path of a picture that was dropped on the terminal, which pastes its path: plain, in quotes, with a backslash before
/// each special character, or as the URL of a file. A plain path with white space is one only if the file exists: it can be a sentence.
pub(super) fn dropped_picture(text: &str) -> Option<String> {
    let text = text.trim();
    let quoted = |mark: char| {
        let inside = text.strip_prefix(mark)?.strip_suffix(mark)?;
        (!inside.contains(mark)).then(|| inside.to_owned())
    };
    let written = quoted('\'').or_else(|| quoted('"')).unwrap_or_else(|| text.to_owned());
    if let Some(path) = url_path(&written) {
        return is_picture(&path).then_some(path);
    }
    let is_quoted = written.len() < text.len();
    let path = if is_quoted { Some(written.clone()) } else { unescaped(text) };
    path.filter(|path| is_picture(path))
        .or_else(|| (is_picture(&written) && Path::new(&written).is_file()).then_some(written))
}

/// Returns true for the absolute path of a picture that a mention can have.
fn is_picture(path: &str) -> bool {
    const PICTURES: [&str; 5] = [".png", ".jpg", ".jpeg", ".gif", ".webp"];
    let name = path.to_ascii_lowercase();
    path.starts_with('/')
        && !path.contains(|letter: char| letter == '"' || letter.is_control())
        && PICTURES.iter().any(|end| name.ends_with(end))
}

/// The path of a `file:` URL on this machine.
fn url_path(text: &str) -> Option<String> {
    let url = Url::parse(text).ok().filter(|url| url.scheme() == "file")?;
    url.to_file_path().ok()?.into_os_string().into_string().ok()
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
