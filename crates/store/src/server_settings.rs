//! The settings of a server that an address has in its parameter `options`, as programs of PostgreSQL write them.
//!
//! They are set when a connection is there: a connection pooler refuses or ignores those that come with the connection.

/// Settings by name.
pub(crate) type ServerSettings = Vec<(String, String)>;

/// Reads `-c NAME=VALUE`, `-cNAME=VALUE` and `--NAME=VALUE`, with spaces between them and `\` before a space of a value. `None`: it
/// has something else.
pub(crate) fn read_options(text: &str) -> Option<ServerSettings> {
    let mut words = words(text).into_iter();
    let mut settings = ServerSettings::new();
    while let Some(word) = words.next() {
        let setting = match word.strip_prefix("--") {
            Some(setting) => setting.to_owned(),
            None => match word.strip_prefix("-c")? {
                "" => words.next()?,
                setting => setting.to_owned(),
            },
        };
        let (name, value) = setting.split_once('=')?;
        settings.push((name.replace('-', "_"), value.to_owned()));
    }
    Some(settings)
}

/// The words of a text. A character behind `\` is part of its word.
fn words(text: &str) -> Vec<String> {
    let (mut words, mut word, mut is_open) = (Vec::new(), String::new(), false);
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => word.extend(characters.next()),
            space if space.is_whitespace() => {
                if is_open {
                    words.push(std::mem::take(&mut word));
                }
                is_open = false;
                continue;
            }
            other => word.push(other),
        }
        is_open = true;
    }
    if is_open {
        words.push(word);
    }
    words
}

#[cfg(test)]
mod tests;
