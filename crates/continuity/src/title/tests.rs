//! Which texts a title was made of.

use super::{is_title_of, title_of, title_of_fork};

#[test]
fn a_title_is_recognized_in_the_text_that_gave_it() {
    let led = format!("Fix this:\n\n# {}", "long ".repeat(100));
    for text in ["Fix the parser.", "\n  Fix \u{202e}it.\nThen test.", &"long ".repeat(100), &led] {
        let title = title_of(text);
        assert!(title.chars().count() <= 120, "{title}");
        assert!(is_title_of(&title, text), "{title}");
        assert!(!is_title_of(&title, "Another request."));
    }
}

#[test]
fn an_empty_title_was_made_of_no_text() {
    assert!(!is_title_of("", "Fix the parser."));
}

#[test]
fn each_fork_has_a_title_of_its_own_that_is_still_made_of_the_same_text() {
    let mut titles = vec![title_of("Fix the parser.")];
    for _ in 0..3 {
        let newest = titles.last().unwrap();
        let next = title_of_fork(newest, |title| titles.iter().any(|taken| taken == title));
        assert!(is_title_of(&next, "Fix the parser."), "{next}");
        titles.push(next);
    }
    let says =
        ["Fix the parser.", "Fix the parser. (fork)", "Fix the parser. (fork 2)", "Fix the parser. (fork 3)"];
    assert_eq!(titles, says);
    assert_eq!(title_of_fork("Compare (fork or copy)", |_| false), "Compare (fork or copy) (fork)");
    for whole in ["Compare (fork1)", "Compare (fork )", "Compare (fork 1a)"] {
        assert_eq!(title_of_fork(whole, |_| false), format!("{whole} (fork)"), "it is no mark of a fork");
    }
    assert_eq!(title_of_fork("", |_| false), "");
}

#[test]
fn a_line_that_leads_to_the_next_one_has_it_in_the_title() {
    for (text, title) in [
        ("Implement this plan:\n\n# Move the parser\n\nFirst …", "Implement this plan: Move the parser"),
        ("原因：\n- 解析器", "原因： 解析器"),
        ("Why does this fail:\n```\nerror\n```", "Why does this fail:"),
        ("Explain this:", "Explain this:"),
        ("Fix the parser.\nThen test.", "Fix the parser."),
    ] {
        assert_eq!(title_of(text), title);
    }
}
