//! Tests of tool lists.

use serde_json::{Value, json};

use super::{Listed, Listing};
use crate::{ServerConfig, Transport};

fn config() -> ServerConfig {
    let transport = Transport::Http { url: "http://h".to_owned(), headers: Default::default() };
    let mut config = ServerConfig::new("s", transport);
    config.disabled_tools.insert("off".to_owned());
    config
}

fn read(mut page: impl FnMut(Option<String>) -> Value) -> Listed {
    let config = config();
    let mut listing = Listing::new(&config);
    let mut cursor = None;
    loop {
        let next = listing.take(&page(cursor));
        if next.is_none() {
            return listing.finish();
        }
        cursor = next;
    }
}

fn names(listed: &Listed) -> Vec<&str> {
    listed.tools.iter().map(|tool| tool.name.as_str()).collect()
}

#[test]
fn pages_are_put_together_in_order_of_name() {
    let listed = read(|cursor| match cursor.as_deref() {
        None => json!({"tools": [{"name": "b"}, {"name": "off"}, {}], "nextCursor": "2"}),
        Some(_) => json!({"tools": [{"name": "a"}, {"name": "b"}, 7], "nextCursor": null}),
    });
    assert_eq!(names(&listed), ["a", "b"]);
    assert_eq!(
        listed.notes,
        [
            "a tool without a name is left out",
            "the tool \"b\" is named twice; the first counts",
            "a tool without a name is left out",
        ]
    );
    assert_eq!(read(|_| json!({"tools": "none"})), Listed::default());
    assert_eq!(read(|_| json!(null)), Listed::default());
}

#[test]
fn a_list_without_an_end_is_cut_off() {
    let same = read(|_| json!({"tools": [{"name": "a"}], "nextCursor": "again"}));
    assert_eq!(names(&same), ["a"]);
    assert!(same.notes.iter().any(|note| note.contains("a page that was read already")), "{:?}", same.notes);
    let mut page = 0;
    let pages = read(|_| {
        page += 1;
        json!({"tools": [{"name": format!("t{page}")}], "nextCursor": page.to_string()})
    });
    assert_eq!((page, pages.tools.len()), (100, 100));
    let mut tool = 0;
    let many = read(|_| {
        let tools: Vec<Value> = (0..300).map(|i| json!({"name": format!("t{tool}-{i}")})).collect();
        tool += 1;
        json!({"tools": tools, "nextCursor": tool.to_string()})
    });
    assert_eq!(many.tools.len(), 1_000);
    assert!(many.notes[0].contains("too many tools"), "{:?}", many.notes);
}
