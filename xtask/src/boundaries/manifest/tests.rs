//! Manifests as text: the shared lints, and versions that stand once.

use super::check;

#[track_caller]
fn violations(body: &str, expect: &[&str]) {
    let text =
        format!("[package]\nversion = \"1\"\npublish.workspace = true\n{body}\n[lints]\nworkspace = true\n");
    assert_eq!(check("budget", &text), expect);
}

#[test]
fn every_form_of_taking_from_the_workspace_is_fine() {
    violations("[dependencies]\nserde.workspace = true", &[]);
    violations("[dependencies]\nmockall = { workspace = true, optional = true }", &[]);
    violations("[dependencies]\ntokio.workspace = true\ntokio.features = [\"fs\"]", &[]);
    violations("[dev-dependencies.tokio]\nworkspace = true\nfeatures = [\"fs\"]", &[]);
    violations("[dependencies]\ntokio = { workspace = true, features = [\n    \"fs\",\n] }", &[]);
}

#[test]
fn a_version_of_its_own_is_a_violation() {
    let line = "budget -> serde: write `serde.workspace = true` and the version in the root Cargo.toml";
    violations("[dependencies]\nserde = \"1\"", &[line]);
    violations("[dev-dependencies]\nserde = { version = \"1\" }", &[line]);
    violations("[target.'cfg(unix)'.dependencies]\nserde = { path = \"../serde\" }", &[line]);
    violations("[build-dependencies.serde]\nversion = \"1\"", &[line]);
    violations("[dependencies]\n# serde.workspace = true\nserde.version = \"1\"", &[line]);
}

#[test]
fn crates_that_test_each_other_name_a_path() {
    violations("[dev-dependencies]\nthroughline-agent = { path = \"../agent\" }", &[]);
    let line = "budget -> agent: write `agent.workspace = true` and the version in the root Cargo.toml";
    violations("[dependencies]\nagent = { path = \"../agent\" }", &[line]);
    violations("[dev-dependencies]\nagent = { path = \"../agent\", version = \"1\" }", &[line]);
}

#[test]
fn features_are_not_dependencies() {
    violations("[features]\nmock = [\"dep:mockall\"]", &[]);
}

#[test]
fn a_manifest_without_the_shared_lints_is_a_violation() {
    let found =
        check("budget", "[package]\nname = \"budget\"\npublish = false\n[lints.rust]\nunused = \"warn\"\n");
    assert_eq!(found, ["budget: no `[lints] workspace = true`: the lints hold for every crate"]);
}

#[test]
fn a_crate_that_can_be_published_is_described() {
    let text =
        "[package]\ndescription = \"a\"\nkeywords = []\nreadme = \"README.md\"\n[lints]\nworkspace = true\n";
    let expect = "budget: no `categories` in `[package]`: a crate that can be published has one";
    assert_eq!(check("budget", text), [expect]);
}
