//! The forms of settings in an address.

use super::*;

fn read(text: &str) -> Option<Vec<String>> {
    Some(read_options(text)?.into_iter().map(|(name, value)| format!("{name}: {value}")).collect())
}

#[test]
fn settings_are_read_in_all_forms_of_the_programs_of_postgresql() {
    let own =
        read(r"-csearch_path=team -c  work_mem=8MB --statement-timeout=5s -c search_path=a,\ b\\c").unwrap();
    assert_eq!(own, ["search_path: team", "work_mem: 8MB", "statement_timeout: 5s", r"search_path: a, b\c"]);
    assert_eq!(read("").unwrap(), [""; 0]);
    for wrong in ["-c", "-csearch_path", "search_path=team", "-d 5", "--geqo"] {
        assert_eq!(read(wrong), None, "{wrong}");
    }
}
