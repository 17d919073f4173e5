//! Words that a shell computes. Where it looks for the place of an array or does a sum, it runs the substitutions that it
//! finds there, also those that stand in quotes: `test -v 'a[$(rm x)]'` removes a file.

use super::base_name;

/// The words of a command that its shell computes, or that say that it will.
pub(crate) fn computed(words: &[String]) -> Vec<&str> {
    let Some((program, rest)) = words.split_first() else { return Vec::new() };
    let rest = rest.iter().map(String::as_str);
    match base_name(program) {
        "let" => rest.collect(),
        "printf" => {
            let names = |place: usize, word: &str| place == 0 && word.starts_with("-v");
            rest.enumerate()
                .filter(|(place, word)| names(*place, word) || has_place(word))
                .map(|(_, word)| word)
                .collect()
        }
        "test" | "[" => {
            let names = rest.clone().any(|word| matches!(word, "-v" | "-R"));
            rest.filter(|word| has_place(word) || (names && word.contains(['[', '$', '`']))).collect()
        }
        // A variable of whole numbers computes what it is set to, and one that names another finds that one.
        "declare" | "typeset" | "local" => {
            rest.filter(|word| is_made(word) || is_option(word, &['i', 'n'])).collect()
        }
        // What it calls is in the word behind it.
        "mapfile" | "readarray" => rest.filter(|word| is_made(word) || is_option(word, &['C'])).collect(),
        "export" | "readonly" | "read" | "unset" | "getopts" | "wait" => {
            rest.filter(|word| is_made(word)).collect()
        }
        _ => Vec::new(),
    }
}

/// Whether a word has a substitution in the place of an array.
pub(crate) fn has_place(word: &str) -> bool {
    word.split_once('[').is_some_and(|(_, rest)| rest.contains("$(") || rest.contains('`'))
}

/// Words of `[[ … ]]` behind or before which it computes.
pub(crate) fn compares(word: &str) -> bool {
    matches!(word, "-eq" | "-ne" | "-lt" | "-le" | "-gt" | "-ge" | "-v" | "-R")
}

/// Whether the name of a variable becomes known only when it is used.
fn is_made(word: &str) -> bool {
    word.split_once('=').map_or(word, |(name, _)| name).contains(['[', '$', '`'])
}

fn is_option(word: &str, letters: &[char]) -> bool {
    word.starts_with('-') && !word.starts_with("--") && word.contains(letters)
}
