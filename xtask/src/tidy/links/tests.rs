//! Broken and good links.

use std::collections::BTreeMap;

use super::page::Page;
use super::{Place, problem, resolved, slug};

fn links(text: &str) -> Vec<(usize, String)> {
    Page::read(text).links
}

#[test]
fn links_in_code_are_not_links() {
    let text = "see [a](b.md)\n```\n[c](d.md)\n```\n`[e](f.md)` and [g](h.md#i \"title\")\n[j]: k.md\n";
    let expected = [(1, "b.md"), (5, "h.md#i"), (6, "k.md")];
    assert_eq!(links(text), expected.map(|(line, target)| (line, target.to_owned())));
}

#[test]
fn pictures_and_elements_are_links() {
    let found = links("![a](b.svg)\n<img src=\"c.png\"> <source srcset=\"d.svg\">\n");
    let expected = [(1, "b.svg"), (2, "c.png"), (2, "d.svg")];
    assert_eq!(found, expected.map(|(line, target)| (line, target.to_owned())));
}

#[test]
fn headings_and_ids_are_anchors() {
    let page = Page::read("# The `a`, [b](c)!\n## Same\n## Same\n<a id=\"here\"></a>\n#no heading\n");
    let found: Vec<_> = page.anchors.iter().map(String::as_str).collect();
    assert_eq!(found, ["here", "same", "same-1", "the-a-b"]);
}

#[test]
fn a_slug_has_letters_digits_and_hyphens() {
    assert_eq!(slug::of("S0: long tasks that outlive a window"), "s0-long-tasks-that-outlive-a-window");
}

#[test]
fn a_path_is_seen_from_the_page() {
    assert_eq!(resolved("docs/a/b.md", "../c.md"), Place::Inside("docs/c.md".to_owned()));
    assert_eq!(resolved("docs/a.md", ""), Place::Inside("docs/a.md".to_owned()));
    assert_eq!(resolved("README.md", "../../releases/latest"), Place::OfTheHost);
    assert_eq!(resolved("README.md", "../other/a.md"), Place::Outside);
}

#[test]
fn a_missing_file_and_a_missing_heading_are_named() {
    let root = crate::tree::root().unwrap();
    let page = Page::read("# Here\n");
    let anchors = BTreeMap::from([("README.md", &page.anchors)]);
    let says = |target: &str| problem(&root, "README.md", target, &anchors);
    assert_eq!(says("#here"), None);
    assert_eq!(says("docs"), None);
    assert_eq!(says("https://host/a#b"), None);
    assert_eq!(says("#there").unwrap(), "`#there`: `README.md` has no heading `#there`");
    assert_eq!(says("docs/no.md").unwrap(), "`docs/no.md`: there is no `docs/no.md`");
}
