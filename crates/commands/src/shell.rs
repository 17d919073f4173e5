//! Command lines to copy into a shell.

use std::path::Path;

use throughline::Storage;

/// Quotes a text as one word of a POSIX shell.
pub fn word(text: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "/._-+,:=@%".contains(letter);
    if !text.is_empty() && text.chars().all(is_plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// An option with a path and a leading space; empty without a path.
pub fn option(name: &str, path: Option<&Path>) -> String {
    path.map_or_else(String::new, |path| format!(" {name} {}", word(&path.display().to_string())))
}

/// The options with which a command line finds the sessions again; empty for those of the user's settings. A password is
/// left out.
pub fn data_dir_option(storage: &Storage) -> String {
    let server = storage.is_named_server().then(|| storage.store.path());
    option("--data-dir", storage.named.as_deref()) + &option("--database", server)
}

#[cfg(test)]
mod tests;
