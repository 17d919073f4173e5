//! Groups of related words.

use super::related;

#[test]
fn words_of_one_line_are_related() {
    let check = |word: &str, after: &[&str]| assert_eq!(related(word).collect::<Vec<_>>(), after, "{word}");
    check("ticket", &["bug", "issu"]);
    check("issu", &["bug", "ticket"]);
    check("db", &["databas"]);
    check("s", &[]);
    check("zebra", &[]);
}

#[test]
fn a_word_of_two_lines_has_the_words_of_both() {
    let all: Vec<&str> = related("post").collect();
    assert!(all.contains(&"creat") && all.contains(&"send"), "{all:?}");
    assert!(!related("send").any(|word| word == "creat"), "it goes one step only");
}
