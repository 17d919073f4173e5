//! Earlier inputs.

use expect_test::expect;

use super::{History, Search};

#[test]
fn earlier_inputs_come_back_and_the_draft_stays() {
    let mut history = History::default();
    history.sent("two");
    history.sent("three");
    history.earlier(vec!["one".to_owned()]);
    let mut seen = vec![history.back("draft").map(str::to_owned)];
    for _ in 0..3 {
        seen.push(history.back("").map(str::to_owned));
    }
    for _ in 0..4 {
        seen.push(history.forth().map(str::to_owned));
    }
    let shown: Vec<String> = seen.into_iter().map(|entry| entry.unwrap_or_else(|| "-".to_owned())).collect();
    expect!["three two one - two three draft -"].assert_eq(&shown.join(" "));
}

#[test]
fn earlier_inputs_are_found() {
    let mut history = History::default();
    for entry in ["run the Tests", "build it", "test again"] {
        history.sent(entry);
    }
    let mut search = Search::default();
    search.query.push_str("test");
    search.again(&history);
    assert_eq!(search.found(&history), Some("test again"));
    search.older(&history);
    assert_eq!(search.found(&history), Some("run the Tests"));
    search.older(&history);
    assert_eq!(search.found(&history), Some("run the Tests"));
}
