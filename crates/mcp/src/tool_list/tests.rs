//! Tests of tool lists.

use serde_json::{Value, json};

use super::{ToolList, ToolListReader};
use crate::{ServerConfig, Transport};

fn config() -> ServerConfig {
    let transport = Transport::Http { url: "http://h".to_owned(), headers: Default::default() };
    let mut config = ServerConfig::new("s", transport);
    config.disabled_tools.insert("off".to_owned());
    config
}

fn read(mut page: impl FnMut(Option<String>) -> Value) -> ToolList {
    let config = config();
    let mut listing = ToolListReader::new(&config);
    let mut cursor = None;
    loop {
        let next = listing.add_page(&page(cursor));
        if next.is_none() {
            return listing.finish();
        }
        cursor = next;
    }
}

fn names(listed: &ToolList) -> Vec<&str> {
    listed.tools.iter().map(|tool| tool.name.as_str()).collect()
}

#[test]
fn pages_are_merged_in_order_of_name() {
    let listed = read(|cursor| match cursor.as_deref() {
        None => json!({"tools": [{"name": "b"}, {"name": "off"}, {}], "nextCursor": "2"}),
        Some(_) => json!({"tools": [{"name": "a"}, {"name": "b"}, 7], "nextCursor": null}),
    });
    assert_eq!(names(&listed), ["a", "b"]);
    assert_eq!(
        listed.notes,
        [
            "a tool without a name is not offered",
            "the tool \"b\" is listed twice; the second entry is ignored",
            "a tool without a name is not offered",
        ]
    );
    assert_eq!(read(|_| json!({"tools": "none"})), ToolList::default());
    assert_eq!(read(|_| json!(null)), ToolList::default());
}

#[test]
fn a_list_without_an_end_is_truncated() {
    let same = read(|_| json!({"tools": [{"name": "a"}], "nextCursor": "again"}));
    assert_eq!(names(&same), ["a"]);
    assert!(same.notes.iter().any(|note| note.contains("its pages repeat")), "{:?}", same.notes);
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
