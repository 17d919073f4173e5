//! Cargo's answer, read as data.

use super::parse;

const ANSWER: &str = r#"{"packages": [{
    "name": "throughline-budget", "manifest_path": "/w/crates/budget/Cargo.toml",
    "dependencies": [
        {"name": "serde", "kind": null, "optional": false},
        {"name": "mockall", "kind": null, "optional": true},
        {"name": "throughline-testkit", "kind": "dev", "path": "/w/crates/testkit"}
    ]}]}"#;

#[test]
fn members_and_edges_are_read() {
    let members = parse(ANSWER.as_bytes()).unwrap();
    let [budget] = members.as_slice() else { panic!("{members:?}") };
    assert_eq!(budget.package, "throughline-budget");
    let edges: Vec<_> =
        budget.dependencies.iter().map(|edge| (edge.package.as_str(), edge.dev, edge.optional)).collect();
    assert_eq!(
        edges,
        [("serde", false, false), ("mockall", false, true), ("throughline-testkit", true, false)]
    );
    assert_eq!(budget.dependencies.iter().filter(|edge| edge.in_workspace).count(), 1);
}

#[test]
fn an_answer_without_packages_is_an_error() {
    assert_eq!(parse(b"{}").unwrap_err().to_string(), "cargo metadata without `packages`");
    assert!(parse(b"not json").is_err());
}
