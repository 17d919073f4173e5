//! The scratchpad: changes, the cap, what is read from it, the tool.

mod reading;
mod tool;

use proptest::prelude::*;

use super::{SCRATCHPAD_CAP, SCRATCHPAD_TEMPLATE, Scratchpad, ScratchpadError};

fn pad(text: &str) -> Scratchpad {
    Scratchpad::restored(text, 100)
}

const NOTES: &str = "# Task Scratchpad\n\n## Current Plan\n1. [ ] a\n\n### Detail\nd\n\n## Blockers\n- None";

// S0-10
#[test]
fn the_layout() {
    let headings: Vec<&str> = SCRATCHPAD_TEMPLATE.lines().filter(|line| line.starts_with('#')).collect();
    let expected = [
        "# Task Scratchpad",
        "## Current Understanding",
        "## Current Plan",
        "## Key Decisions",
        "## Blockers",
        "## Last Action",
    ];
    assert_eq!(headings, expected);
    assert_eq!(super::plan(SCRATCHPAD_TEMPLATE).len(), 1);
    assert_eq!(super::decisions(SCRATCHPAD_TEMPLATE), [""; 0]);
    assert_eq!(super::blockers(SCRATCHPAD_TEMPLATE), [""; 0]);
}

// S0-14
#[test]
fn replacing_takes_the_whole_document() {
    assert_eq!(pad("old\n## Old").replace(" new \n").unwrap().text(), "new");
    assert_eq!(pad("old").replace("").unwrap().text(), "");
}

// S4-12
#[test]
fn appending_begins_a_line() {
    assert_eq!(pad("a").append("b").unwrap().text(), "a\nb");
    assert_eq!(pad("a").append("## B\nb").unwrap().text(), "a\n\n## B\nb");
    assert_eq!(pad("").append("b").unwrap().text(), "b");
    assert_eq!(pad("a").append(" \n").unwrap().text(), "a");
}

#[test]
fn sections() {
    let notes = pad(NOTES);
    assert_eq!(notes.section("Current Plan"), Some("1. [ ] a\n\n### Detail\nd"));
    assert_eq!(notes.section("## blockers"), Some("- None"));
    assert_eq!(notes.section("detail"), Some("d"));
    assert_eq!(notes.section("Plan"), None);
    let set = |heading: &str, body: &str| notes.set_section(heading, body).unwrap().text().to_owned();
    assert_eq!(
        set("current plan", "1. [x] a"),
        "# Task Scratchpad\n\n## Current Plan\n1. [x] a\n\n## Blockers\n- None"
    );
    assert_eq!(
        set("Detail", "### Detail\nmore"),
        NOTES.replace("\nd\n", "\nmore\n"),
        "the heading came twice"
    );
    assert_eq!(set("Last Action", "b"), format!("{NOTES}\n\n## Last Action\nb"), "a new one");
    assert_eq!(set("# Top", "b"), format!("{NOTES}\n\n# Top\nb"));
    assert_eq!(set("Blockers", ""), NOTES.replace("\n\n## Blockers\n- None", ""), "an empty one goes");
    assert_eq!(set("Nowhere", ""), NOTES);
    for bad in ["", " ## ", "a\nb"] {
        assert!(matches!(notes.set_section(bad, "x"), Err(ScratchpadError::Input(_))), "{bad:?}");
    }
}

#[test]
fn headings_in_code_are_none() {
    let notes = pad("## A\n```\n## B\nx\n```\ny");
    assert_eq!(notes.section("B"), None);
    assert_eq!(notes.section("A"), Some("```\n## B\nx\n```\ny"));
    let open = pad("## A\n```\ncode");
    let error = open.set_section("B", "x").unwrap_err().to_string();
    assert!(
        error.ends_with("has a code fence that is never closed; write it again with the action update"),
        "{error}"
    );
    assert_eq!(open.set_section("A", "x").unwrap().text(), "## A\nx");
}

// F-27
#[test]
fn what_is_too_large_is_refused() {
    let notes = Scratchpad::restored("abc", 20_000);
    let error = notes.replace(&"x".repeat(20_001)).unwrap_err();
    assert_eq!((error.size, error.cap), (20_001, 20_000));
    assert_eq!(
        error.to_string(),
        "the scratchpad would have 20,001 bytes and may have 20,000; it stays unchanged. Shorten it and write it \
         again: leave out finished steps and whatever is in files or tool results"
    );
    assert!(notes.replace(&"x".repeat(20_000)).is_ok());
    // 3 bytes, a newline and 19,996 more are 20,000.
    assert!(notes.append(&"x".repeat(19_996)).is_ok());
    assert!(notes.append(&"x".repeat(19_997)).is_err());
    assert!(notes.set_section("A", &"x".repeat(20_000)).is_err());
    let over = Scratchpad::restored(&"x".repeat(50), 20);
    assert_eq!(over.text().len(), 50, "an old one is not cut");
    assert!(over.replace(&"x".repeat(49)).is_ok(), "it may become smaller");
    assert!(over.replace(&"y".repeat(50)).is_err());
    assert_eq!(SCRATCHPAD_CAP, 16_384);
}

// S0-16
#[test]
fn invisible_characters_are_left_out() {
    let hidden = "a\u{202e}b\u{e0041}\u{200b}\u{7}c";
    assert_eq!(Scratchpad::restored(hidden, 10).text(), "abc", "on restore");
    assert_eq!(pad("").replace(hidden).unwrap().text(), "abc");
    assert_eq!(pad("x").append(hidden).unwrap().text(), "x\nabc");
    assert_eq!(pad("").set_section("H", hidden).unwrap().text(), "## H\nabc");
}

proptest! {
    #[test]
    fn any_text_is_read(text in "(## Current Plan|## Key Decisions|## Blockers|- |  |\n|\\[x\\]|\\[ \\]|None|```|[a-zé🦀 ]){0,40}") {
        for line in super::decisions(&text).into_iter().chain(super::blockers(&text)) {
            prop_assert!(!line.trim().is_empty());
        }
        prop_assert!(super::plan(&text).iter().all(|item| !item.description.is_empty()));
    }

    #[test]
    fn cleaning_is_idempotent(text in "(\u{200b}|\u{202e}|\u{200d}|\u{feff}| |\n|\r|[a-zé👩❤\u{fe0f}ا]){0,30}") {
        let once = super::cleaned(&text);
        prop_assert_eq!(super::cleaned(&once), once);
    }

    #[test]
    fn a_text_under_the_cap_comes_back(text in "[a-zé\n# -]{0,50}") {
        let new = pad("old").replace(&text).unwrap();
        prop_assert_eq!(new.text(), text.trim());
    }

    #[test]
    fn the_cap_holds_whatever_is_written(texts in prop::collection::vec("[a-zé🦀\n#]{0,30}", 1..12), cap in 0usize..60) {
        let mut pad = Scratchpad::restored("", cap);
        for text in texts {
            let before = pad.clone();
            pad = pad.append(&text).or_else(|_| pad.replace(&text)).unwrap_or(before);
            prop_assert!(pad.text().len() <= cap);
        }
    }

    #[test]
    fn a_section_says_what_was_set(body in "([a-z-][a-zé .]{0,9}\n?){0,4}", other in "[a-z\n]{0,20}", heading in "[A-Z][a-z]{1,8}") {
        let pad = Scratchpad::restored(&format!("## Q2\n{other}\n## Q\ny"), 10_000);
        let pad = pad.set_section(&heading, &body).unwrap();
        let expected = Some(body.trim()).filter(|body| !body.is_empty());
        prop_assert_eq!(pad.section(&heading), expected);
        prop_assert_eq!(pad.section("Q2"), Some(other.trim()));
        let again = pad.set_section(&heading, &body).unwrap();
        prop_assert_eq!(again, pad);
    }
}
