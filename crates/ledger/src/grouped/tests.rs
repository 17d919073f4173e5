//! What is grouped is read back.

use proptest::prelude::*;

use super::{can_be_grouped, grouped, ungrouped};

#[test]
fn what_paths_share_is_written_once() {
    for (paths, line) in [
        (&["a.rs"][..], "a.rs"),
        (&["src/a.rs", "src/b/c.rs", "README.md", "src/b/d.rs"], "src/{a.rs, b/{c.rs, d.rs}}, README.md"),
        (&["/w/x/a.rs", "/w/x/b.rs"], "/w/x/{a.rs, b.rs}"),
        (&["a", "a/b"], "a, a/b"),
        (&["über/größe.md", "über/a,b.md"], "über/{größe.md, a,b.md}"),
    ] {
        assert_eq!(grouped(paths), line);
        let mut back = ungrouped(line);
        let mut sorted: Vec<_> = paths.to_vec();
        back.sort_unstable();
        sorted.sort_unstable();
        assert_eq!(back, sorted, "{line}");
    }
}

#[test]
fn a_line_that_does_not_add_up_gives_what_can_be_read() {
    assert_eq!(ungrouped("src/first.rs, src/second.rs"), ["src/first.rs", "src/second.rs"]);
    assert_eq!(ungrouped("a/{b, c"), ["a/b"]);
    assert_eq!(ungrouped("a}, b"), ["a", "b"]);
    assert_eq!(ungrouped("{}, ,"), [","]);
    assert!(ungrouped("").is_empty());
    assert!(ungrouped(&"{a, ".repeat(5_000)).len() <= 2_000);
}

proptest! {
    #[test]
    fn every_path_comes_back_once(
        paths in proptest::collection::btree_set("/?([a-c]{1,2}/){0,3}[a-c,é]{1,3}", 1..20)
    ) {
        let paths: Vec<&str> = paths.iter().map(String::as_str).filter(|path| can_be_grouped(path)).collect();
        let mut back = ungrouped(&grouped(&paths));
        back.sort_unstable();
        prop_assert_eq!(back, paths);
    }

    #[test]
    fn any_line_can_be_read(line in "[{}, a/]{0,40}") {
        ungrouped(&line);
    }
}
