//! Which targets are examples.

use serde_json::json;

use super::names;

#[track_caller]
fn check(targets: &[(&str, &str)], expect: Result<&[&str], &str>) {
    let targets: Vec<_> = targets.iter().map(|(kind, name)| json!({"kind": [kind], "name": name})).collect();
    let found = names(&json!({"packages": [{"targets": targets}]}));
    let found = found.map(|names| names.into_iter().collect::<Vec<_>>()).map_err(|error| error.to_string());
    let expect =
        expect.map(|names| names.iter().map(|name| (*name).to_owned()).collect()).map_err(str::to_owned);
    assert_eq!(found, expect);
}

#[test]
fn examples_are_found_and_other_programs_are_not() {
    check(&[("lib", "a"), ("example", "embed"), ("bin", "bench_turn"), ("test", "b")], Ok(&["embed"]));
}

#[test]
fn a_name_that_two_crates_use_is_an_error() {
    check(
        &[("example", "embed"), ("example", "embed")],
        Err("two crates have an example `embed`: rename one"),
    );
}
