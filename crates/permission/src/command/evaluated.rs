//! Words that a shell evaluates. When it evaluates an array index or arithmetic, it runs the substitutions in them, even
//! quoted ones: `test -v 'a[$(rm x)]'` removes a file.

use super::base_name;

/// The words of a command that its shell evaluates, or that make it evaluate others.
pub(crate) fn evaluated(words: &[String]) -> Vec<&str> {
    let Some((program, rest)) = words.split_first() else { return Vec::new() };
    let rest = rest.iter().map(String::as_str);
    match base_name(program) {
        "let" => rest.collect(),
        "printf" => {
            let names = |index: usize, word: &str| index == 0 && word.starts_with("-v");
            rest.enumerate()
                .filter(|(index, word)| names(*index, word) || has_index_substitution(word))
                .map(|(_, word)| word)
                .collect()
        }
        "test" | "[" => {
            let names = rest.clone().any(|word| matches!(word, "-v" | "-R"));
            rest.filter(|word| has_index_substitution(word) || (names && word.contains(['[', '$', '`'])))
                .collect()
        }
        // An integer variable evaluates its value, and a name reference resolves it.
        "declare" | "typeset" | "local" => {
            rest.filter(|word| is_computed_name(word) || is_option(word, &['i', 'n'])).collect()
        }
        // The next word is the callback.
        "mapfile" | "readarray" => {
            rest.filter(|word| is_computed_name(word) || is_option(word, &['C'])).collect()
        }
        "export" | "readonly" | "read" | "unset" | "getopts" | "wait" => {
            rest.filter(|word| is_computed_name(word)).collect()
        }
        _ => Vec::new(),
    }
}

/// Returns true if a word has a substitution in an array index.
pub(crate) fn has_index_substitution(word: &str) -> bool {
    word.split_once('[').is_some_and(|(_, rest)| rest.contains("$(") || rest.contains('`'))
}

/// Operators of `[[ … ]]` that evaluate their operands.
pub(crate) fn evaluates_operands(word: &str) -> bool {
    matches!(word, "-eq" | "-ne" | "-lt" | "-le" | "-gt" | "-ge" | "-v" | "-R")
}

/// Returns true if the name of the variable is known only at run time.
fn is_computed_name(word: &str) -> bool {
    word.split_once('=').map_or(word, |(name, _)| name).contains(['[', '$', '`'])
}

fn is_option(word: &str, letters: &[char]) -> bool {
    word.starts_with('-') && !word.starts_with("--") && word.contains(letters)
}
