//! Which programs are taken out of cargo's messages.

use super::programs;

#[test]
fn programs_of_suites_and_of_crates_are_separated() {
    let message = |manifest: &str, kind: &str, name: &str, is_test: bool, executable: &str| {
        format!(
            r#"{{"reason":"compiler-artifact","manifest_path":"{manifest}","target":{{"kind":["{kind}"],"name":"{name}"}},"profile":{{"test":{is_test}}},"executable":{executable}}}"#
        )
    };
    let messages = [
        message("/w/crates/cli/Cargo.toml", "test", "crash", true, r#""/t/crash-1""#),
        message("/w/crates/server/Cargo.toml", "test", "server", true, r#""/t/server-1""#),
        message("/w/crates/cli/Cargo.toml", "lib", "throughline_cli", true, r#""/t/throughline_cli-1""#),
        message("/w/crates/cli/Cargo.toml", "bin", "throughline", false, r#""/t/throughline""#),
        message("/w/crates/cli/Cargo.toml", "lib", "throughline_cli", false, "null"),
        r#"{"reason":"build-finished","success":true}"#.to_owned(),
        "no JSON".to_owned(),
    ];
    let found = programs(&messages.join("\n"));
    assert_eq!(found.suites.len(), 1);
    assert_eq!(found.suites["crash"].to_str(), Some("/t/crash-1"));
    let units = found.units.iter().map(|unit| (unit.name.as_str(), unit.package.to_str().unwrap()));
    assert_eq!(
        units.collect::<Vec<_>>(),
        [("server test server", "/w/crates/server"), ("cli lib throughline_cli", "/w/crates/cli")]
    );
}
