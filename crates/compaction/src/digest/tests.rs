//! Which names a digest takes.

use super::*;

#[test]
fn takes_the_most_frequent_that_are_not_visible_in_order_of_first_place() {
    let policy = CompactionPolicy { digest_bytes_per_name: 30, ..CompactionPolicy::default() };
    let text = "src/once.rs src/a.rs other_name src/a.rs seen_name seen_name other_name src/a.rs";
    let mut visible = HashSet::from(["seen_name"]);
    assert_eq!(digest(text, &mut visible, &policy), ["src/a.rs", "other_name"]);
    assert!(visible.contains("src/a.rs") && !visible.contains("src/once.rs"));
    assert_eq!(digest(text, &mut visible, &policy), ["src/once.rs"]);
}

#[test]
fn never_takes_more_than_the_policy_allows() {
    let policy = CompactionPolicy { digest_max_names: 3, ..CompactionPolicy::default() };
    let text: String = (0..500).map(|n| format!("name_{n} ")).collect();
    assert_eq!(digest(&text, &mut HashSet::new(), &policy), ["name_0", "name_1", "name_2"]);
}
