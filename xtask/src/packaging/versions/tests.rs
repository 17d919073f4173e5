//! What a release would stumble over.

use serde_json::json;

use super::{Packages, problems};

fn packages(version: &str) -> Packages {
    let package = format!("throughline-cli@{version}");
    Packages {
        npm: json!({"version": version}),
        acp: json!({"version": version, "distribution": {"npx": {"package": package}}}),
    }
}

#[test]
fn one_version_everywhere_is_good() {
    let crates = json!({"packages": [
        {"name": "a", "version": "1.2.0", "description": "A.", "license": "MIT", "repository": "r", "readme": "README.md"},
        {"name": "b", "version": "1.2.0", "publish": []},
    ]});
    let none: &[String] = &[];
    assert_eq!(problems(&crates, &packages("1.2.0"), "## [1.2.0] - Unreleased\n"), none);
}

#[test]
fn another_version_and_a_missing_field_are_named() {
    let crates = json!({"packages": [
        {"name": "a", "version": "1.2.0", "description": "A.", "license": "MIT", "readme": "README.md"},
        {"name": "b", "version": "1.1.0", "publish": []},
    ]});
    let expected = [
        "a is published and has no `repository`",
        "b has another version than 1.2.0",
        "bindings/node/package.json has another version than 1.2.0",
        "deploy/acp-registry/throughline/agent.json has another version than 1.2.0",
        "deploy/acp-registry/throughline/agent.json does not start `throughline-cli@1.2.0`",
        "CHANGELOG.md has no heading `## [1.2.0] - …`",
    ];
    assert_eq!(problems(&crates, &packages("1.1.0"), "## [1.1.0] - 2026-01-01\n"), expected);
}
