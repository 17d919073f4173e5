//! Pages of lists.

use axum::http::Uri;
use serde_json::{Value, json};

use super::Page;
use crate::params::Params;

fn page(query: &str) -> Option<Page> {
    let uri = Uri::try_from(format!("/list?{query}")).unwrap();
    Page::read(&Params::read(&uri, &["limit", "offset"]).ok()?).ok()
}

#[test]
fn a_page_names_the_next_one_until_the_list_ends() {
    let all: Vec<u32> = (0..5).collect();
    let object = |query| {
        let page = page(query).unwrap();
        let shown: Vec<Value> = page.of(&all).iter().map(|n| json!(n)).collect();
        page.object("n", &shown, all.len())
    };
    let first = object("limit=2");
    assert_eq!(first, json!({"n": [0, 1], "total": 5, "offset": 0, "next_offset": 2}));
    assert_eq!(object("limit=2&offset=4")["next_offset"], Value::Null);
    assert_eq!(object("limit=2&offset=3")["next_offset"], Value::Null);
    assert_eq!(object("")["n"], json!([0, 1, 2, 3, 4]));
    let beyond = object("offset=9223372036854775807");
    assert_eq!((&beyond["n"], &beyond["next_offset"]), (&json!([]), &Value::Null));
}

#[test]
fn numbers_that_cannot_be_used_are_refused() {
    for query in [
        "limit=0",
        "limit=201",
        "limit=x",
        "limit=-1",
        "offset=-1",
        "offset=1.5",
        "limt=5",
        "limit=1&limit=2",
        "offset=18446744073709551615",
        "limit=1%00",
    ] {
        assert!(page(query).is_none(), "{query}");
    }
}
