//! Programs that the settings of a repository name: filters, through which git reads files whose attributes ask for them, and hooks.
//!
//! A status compares content, and so starts filters (gitattributes(5), "filter"); a checkout starts hooks. Who may write into a repository
//! may name one, so each is turned off. The content of filtered files is compared from the working tree. Hooks of the settings
//! (git-hook(1), from git 2.54 on) are not those of `core.hooksPath`.

use std::collections::BTreeSet;

/// A kind of program, and the settings that turn one of it off.
const KINDS: [(&str, &[(&str, &str)]); 2] = [
    // Nothing runs, and it is no error that nothing does.
    ("filter", &[("clean", ""), ("smudge", ""), ("process", ""), ("required", "false")]),
    ("hook", &[("enabled", "false")]),
];

/// The arguments that turn off every program of a listing. The listing is that of `git config --list --name-only -z`.
///
/// # Errors
/// When a program has a name that no argument can have.
pub(crate) fn without_programs(listing: &[u8]) -> Result<Vec<String>, String> {
    let mut named = BTreeSet::new();
    for key in listing.split(|byte| *byte == 0) {
        for (kind, off) in KINDS {
            if let Some(name) = name_in(key, kind)? {
                named.insert((kind, name, off));
            }
        }
    }
    let arguments = |(kind, name, off): &(&str, String, &[(&str, &str)])| -> Vec<String> {
        let set =
            |(setting, value): &(&str, &str)| ["-c".to_owned(), format!("{kind}.{name}.{setting}={value}")];
        off.iter().flat_map(set).collect()
    };
    Ok(named.iter().flat_map(arguments).collect())
}

/// The name in a key such as `filter.NAME.clean`. The name may have dots, the setting behind it has none. A key without a name asks for
/// nothing.
fn name_in(key: &[u8], kind: &str) -> Result<Option<String>, String> {
    let rest = key.strip_prefix(kind.as_bytes()).and_then(|rest| rest.strip_prefix(b"."));
    let Some((rest, end)) = rest.and_then(|rest| Some((rest, rest.iter().rposition(|byte| *byte == b'.')?)))
    else {
        return Ok(None);
    };
    let name = String::from_utf8_lossy(rest.get(..end).unwrap_or_default());
    // The first sign ends the name of a setting; a replacement character would name another one.
    if name.contains(['=', '\n', char::REPLACEMENT_CHARACTER]) {
        return Err(format!(
            "its settings have a {kind} named {name:?}, which cannot be turned off; name it with letters only"
        ));
    }
    Ok(Some(name.into_owned()))
}

#[cfg(test)]
mod tests;
