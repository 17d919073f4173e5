//! Calls of shells, and whether the line contains the commands that they run.

use super::{CARRIERS, base_name};

const SHELLS: [&str; 7] = ["sh", "bash", "dash", "zsh", "ksh", "ash", "fish"];

/// Returns true for a call of a shell that reads its commands from its input: neither a text (`-c`) nor a file is given.
pub(super) fn reads_commands(words: &[String]) -> bool {
    let Some((program, rest)) = words.split_first() else { return false };
    if !SHELLS.contains(&base_name(program)) {
        return false;
    }
    let mut rest = rest.iter().map(String::as_str);
    while let Some(word) = rest.next() {
        if matches!(word, "-" | "--") {
            break;
        }
        if let Some(long) = word.strip_prefix("--") {
            if long.starts_with("command") {
                return false;
            }
            if matches!(long, "rcfile" | "init-file") {
                rest.next();
            }
        } else if let Some(letters) = word.strip_prefix(['-', '+']) {
            let has = |letter: char| letters.contains(letter);
            if has('c') && word.starts_with('-') {
                // More options may precede the text. `{}` is replaced by the input of another program.
                return rest.find(|word| !word.starts_with('-')).is_none_or(|text| text == "{}");
            }
            if has('s') && word.starts_with('-') {
                return true;
            }
            // Each of these takes the name of an option.
            for _ in letters.matches(['o', 'O']) {
                rest.next();
            }
        } else {
            return is_input(word);
        }
    }
    rest.next().is_none_or(is_input)
}

/// Returns true if a program puts its input into the command that it runs, where the input can become the command: as the program
/// or in what another program runs.
pub(super) fn replaces_command(words: &[String]) -> bool {
    let option =
        |word: &String| word.starts_with("-I") || word.starts_with("-i") || word.starts_with("--replace");
    let Some(at) = words.iter().position(option) else { return false };
    let given = words.get(at).map_or("", |word| word.trim_start_matches("--replace").trim_start_matches('='));
    let (mark, from) = match given {
        "-I" => (words.get(at + 1).map_or("", String::as_str), at + 2),
        "-i" | "" => ("{}", at + 1),
        _ => (given.strip_prefix("-I").or(given.strip_prefix("-i")).unwrap_or(given), at + 1),
    };
    let mut rest = words.iter().skip(from);
    rest.clone().any(|word| CARRIERS.contains(&base_name(word)))
        || rest.find(|word| !word.starts_with('-')).is_some_and(|program| program.contains(mark))
}

/// Returns true if the file is standard input or another open descriptor.
fn is_input(file: &str) -> bool {
    base_name(file) == "stdin" || file.contains("/fd/") || file.starts_with("fd/")
}

/// Returns true if a program opens a shell for another user, which reads its commands from its input.
pub(super) fn opens_shell(name: &str, words: &[String]) -> bool {
    const WITH_VALUE: [&str; 9] = ["-u", "-g", "-h", "-p", "-C", "-D", "-R", "-T", "-U"];
    let group = |word: &str, letters: [char; 2]| {
        word.starts_with('-') && !word.starts_with("--") && word.contains(letters)
    };
    let mut rest = words.iter().skip(1).map(String::as_str);
    match name {
        "su" => !rest.any(|word| group(word, ['c', 'c']) || word.starts_with("--c")),
        "sudo" | "doas" => {
            while let Some(option) = rest.next().filter(|word| word.starts_with('-')) {
                if group(option, ['s', 'i']) || matches!(option, "--shell" | "--login") {
                    return true;
                }
                if WITH_VALUE.contains(&option) {
                    rest.next();
                }
            }
            false
        }
        _ => false,
    }
}
