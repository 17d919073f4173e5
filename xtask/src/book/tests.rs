//! Links of pages in the book.

use super::outward;
use crate::tree::TextFile;

fn in_book(path: &str, text: &str) -> String {
    outward(&TextFile { path: path.to_owned(), text: text.to_owned() }, "https://host/project")
}

#[test]
fn a_link_to_a_source_leads_to_the_repository() {
    let expected = "[a](https://host/project/blob/main/crates/a.rs)";
    assert_eq!(in_book("docs/page.md", "[a](../crates/a.rs)"), expected);
    assert_eq!(in_book("docs/guide/page.md", "[a](../../crates/a.rs)"), expected);
}

#[test]
fn a_link_within_the_book_stays() {
    assert_eq!(in_book("docs/guide/page.md", "[a](../page.md#b) [c](d.md)"), "[a](../page.md#b) [c](d.md)");
}

#[test]
fn every_page_has_a_place_in_the_book() {
    let root = crate::tree::root().unwrap();
    let files = crate::tree::text_files(&root).unwrap();
    let summary = std::fs::read_to_string(root.join("docs/SUMMARY.md")).unwrap();
    let pages =
        files.iter().filter_map(|file| file.path.strip_prefix("docs/")).filter(|path| path.ends_with(".md"));
    let missing: Vec<_> =
        pages.filter(|page| *page != "SUMMARY.md" && !summary.contains(&format!("({page})"))).collect();
    assert!(missing.is_empty(), "docs/SUMMARY.md lacks {missing:?}");
}
