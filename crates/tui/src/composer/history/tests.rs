//! Earlier inputs.

use expect_test::expect;

use super::{History, Search};

#[test]
fn earlier_inputs_come_back_and_the_draft_stays() {
    let mut history = History::default();
    history.push("two");
    history.push("three");
    history.prepend(vec!["one".to_owned()]);
    let mut seen = vec![history.previous("draft").map(str::to_owned)];
    for _ in 0..3 {
        seen.push(history.previous("").map(str::to_owned));
    }
    for _ in 0..4 {
        seen.push(history.next().map(str::to_owned));
    }
    let shown: Vec<String> = seen.into_iter().map(|entry| entry.unwrap_or_else(|| "-".to_owned())).collect();
    expect!["three two one - two three draft -"].assert_eq(&shown.join(" "));
}

#[test]
fn earlier_inputs_are_found() {
    let mut history = History::default();
    for entry in ["run the Tests", "build it", "test again"] {
        history.push(entry);
    }
    let mut search = Search::default();
    search.query.push_str("test");
    search.restart(&history);
    assert_eq!(search.found(&history), Some("test again"));
    search.older(&history);
    assert_eq!(search.found(&history), Some("run the Tests"));
    search.older(&history);
    assert_eq!(search.found(&history), Some("run the Tests"));
}
