//! Quoting for a real shell.

use std::process::Command;

use proptest::prelude::*;

use super::*;

#[test]
fn plain_words_are_not_quoted() {
    assert_eq!(shell_word("/home/jo/a-b_c.d"), "/home/jo/a-b_c.d");
    assert_eq!(shell_word("/home/jörg"), "/home/jörg");
    assert_eq!(shell_option("--data-dir", Some(Path::new("a b"))), " --data-dir 'a b'");
    assert_eq!(shell_option("--data-dir", None), "");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn a_shell_reads_the_same_text(texts in prop::collection::vec("[ -~éß\n]{0,12}", 1..8)) {
        let line: Vec<String> = texts.iter().map(|text| shell_word(text)).collect();
        let script = format!("printf '%s\\0' {}", line.join(" "));
        let out = Command::new("sh").arg("-c").arg(script).output().unwrap();
        let expected: String = texts.iter().map(|text| format!("{text}\0")).collect();
        prop_assert_eq!(String::from_utf8(out.stdout).unwrap(), expected);
    }
}
