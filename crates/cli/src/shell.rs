//! Command lines for a person to copy into a shell.

use std::path::Path;

use throughline::Storage;

/// A text as one word of a POSIX shell.
pub(crate) fn word(text: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "/._-+,:=@%".contains(letter);
    if !text.is_empty() && text.chars().all(is_plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// An option with a path, and a space before it; nothing where there is no path.
pub(crate) fn option(name: &str, path: Option<&Path>) -> String {
    path.map_or_else(String::new, |path| format!(" {name} {}", word(&path.display().to_string())))
}

/// The option with which a command line finds the data folder again; empty for the user's own.
pub(crate) fn data_dir_option(storage: &Storage) -> String {
    option("--data-dir", storage.named.as_deref())
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_is_plain_stays_as_it_is() {
        assert_eq!(word("/home/jo/a-b_c.d"), "/home/jo/a-b_c.d");
        assert_eq!(word("/home/jörg"), "/home/jörg");
        assert_eq!(option("--data-dir", Some(Path::new("a b"))), " --data-dir 'a b'");
        assert_eq!(option("--data-dir", None), "");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        #[test]
        fn a_shell_reads_it_as_it_was(texts in prop::collection::vec("[ -~éß\n]{0,12}", 1..8)) {
            let line: Vec<String> = texts.iter().map(|text| word(text)).collect();
            let script = format!("printf '%s\\0' {}", line.join(" "));
            let out = Command::new("sh").arg("-c").arg(script).output().unwrap();
            let expected: String = texts.iter().map(|text| format!("{text}\0")).collect();
            prop_assert_eq!(String::from_utf8(out.stdout).unwrap(), expected);
        }
    }
}
