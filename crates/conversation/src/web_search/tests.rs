//! What a search is shown as.

use super::{SearchOutcome, WebSearch, WebSource};

fn source(number: usize) -> WebSource {
    WebSource { url: format!("https://example.com/{number}"), title: format!("Page {number}") }
}

fn summary(outcome: SearchOutcome) -> String {
    WebSearch { id: "s1".to_owned(), query: "herons".to_owned(), outcome }.summary()
}

#[test]
fn the_first_pages_are_listed_and_the_rest_is_counted() {
    let text = summary(SearchOutcome::Found((1..=12).map(source).collect()));
    assert!(text.starts_with("12 results\n1. Page 1 · https://example.com/1\n2. "), "{text}");
    assert!(text.ends_with("10. Page 10 · https://example.com/10\n[and 2 more]"), "{text}");
    assert_eq!(summary(SearchOutcome::Found(vec![source(1)])), "1 result\n1. Page 1 · https://example.com/1");
    assert_eq!(
        summary(SearchOutcome::Failed("too_many_requests".to_owned())),
        "[the provider's search failed: too_many_requests]"
    );
}

#[test]
fn a_page_is_listed_once_and_none_without_an_address() {
    let mut list = vec![source(1)];
    let nowhere = WebSource { url: String::new(), title: "Nowhere".to_owned() };
    WebSource::add_new(&mut list, [source(2), source(1), nowhere]);
    assert_eq!(list, [source(1), source(2)]);
}
