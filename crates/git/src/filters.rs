//! Filters that the settings name: programs through which git reads files whose attributes ask for them.
//!
//! A status compares content, and so starts them (gitattributes(5), "filter"). Who may write into a repository may name
//! one, so each is set to nothing. The content of such files is compared unfiltered.

use std::collections::BTreeSet;

/// What makes a filter run, and what would make it an error that none did.
const SETTINGS: [(&str, &str); 4] = [("clean", ""), ("smudge", ""), ("process", ""), ("required", "false")];

/// The arguments that set every filter of a listing to nothing. The listing is that of
/// `git config --list --name-only -z`.
///
/// # Errors
/// When a filter has a name that no argument can have.
pub(crate) fn without_filters(listing: &[u8]) -> Result<Vec<String>, String> {
    let mut names = BTreeSet::new();
    for key in listing.split(|byte| *byte == 0) {
        let Some(rest) = key.strip_prefix(b"filter.") else { continue };
        // The name may hold dots, the setting behind it does not. Without a name nothing asks for it.
        let Some(end) = rest.iter().rposition(|byte| *byte == b'.') else { continue };
        let name = String::from_utf8_lossy(rest.get(..end).unwrap_or_default());
        // The first sign ends the name of a setting; a replacement character would name another filter.
        if name.contains(['=', '\n', char::REPLACEMENT_CHARACTER]) {
            return Err(format!(
                "its settings have a filter named {name:?}, which cannot be turned off; name it with letters only"
            ));
        }
        names.insert(name.into_owned());
    }
    let off = |name: &String| {
        SETTINGS.map(|(setting, value)| ["-c".to_owned(), format!("filter.{name}.{setting}={value}")])
    };
    Ok(names.iter().flat_map(off).flatten().collect())
}

#[cfg(test)]
mod tests;
