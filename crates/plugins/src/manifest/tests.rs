//! Manifests as people write them.

use serde_json::json;

use super::*;

#[test]
fn a_manifest_names_its_parts_in_all_forms() {
    let text = json!({
        "name": "one-plugin", "version": "1.2.0", "description": " Does it. ", "author": { "name": "A. Person" },
        "homepage": "https://example.com", "commands": "./cmd", "agents": ["./a.md", "./b.md"], "skills": ["./s"],
        "hooks": { "Stop": [] }, "mcpServers": ["./mcp.json", { "files": { "command": "x" } }],
    });
    let manifest = Manifest::parse(&text.to_string()).unwrap();
    assert_eq!((manifest.name.as_str(), manifest.version.as_deref()), ("one-plugin", Some("1.2.0")));
    assert_eq!(
        (manifest.description.as_deref(), manifest.author.as_deref()),
        (Some("Does it."), Some("A. Person"))
    );
    assert_eq!((manifest.commands.len(), manifest.agents.len(), manifest.skills.len()), (1, 2, 1));
    assert_eq!(manifest.hooks, [Part::Inline(json!({ "Stop": [] }))]);
    assert_eq!(manifest.servers.first(), Some(&Part::Path("./mcp.json".to_owned())));
}

#[track_caller]
fn refused(text: &str, why: &str) {
    let said = Manifest::parse(text).unwrap_err();
    assert!(said.contains(why), "{said}");
}

#[test]
fn a_mistake_is_named() {
    refused("{", "no JSON: EOF");
    refused("[]", "an object is expected");
    refused("{}", "the key \"name\" is missing");
    refused(r#"{"name": "Not A Name"}"#, "use 1 to 64 of a-z");
    refused(r#"{"name": "../x"}"#, "use 1 to 64 of a-z");
    refused(r#"{"name": "x", "version": 1}"#, "version: a text is expected");
    refused(r#"{"name": "x", "commands": {}}"#, "commands: a path or a list of paths");
    refused(r#"{"name": "x", "hooks": [1]}"#, "hooks: a path");
    refused(r#"{"name": "x", "author": 1}"#, "author: a text");
}
