//! The plugin and the configuration of one run.

use serde_json::{Value, json};

use super::{opencode_config, opencode_plugin};

#[test]
fn the_plugin_has_the_command_as_a_text() {
    let plugin = opencode_plugin("'/it''s' \"x\" ${a} `b`\n", None);
    assert!(plugin.contains(r#"const COMMAND = "'/it''s' \"x\" ${a} `b`\n""#), "{plugin}");
    assert!(!plugin.contains("{{") && plugin.contains("const OFFERED = null\n"), "{plugin}");
    assert!(opencode_plugin("x", Some(6_000)).contains("const OFFERED = 6000\n"));
}

#[test]
fn the_configuration_of_the_user_stays() {
    let own = r#"{"plugin":["a"],"mcp":{"mine":{"enabled":false}},"model":"m"}"#;
    let command = ["/t".to_owned(), "mcp".to_owned()];
    let server = ("throughline", &command[..]);
    let read = |text: &str| serde_json::from_str::<Value>(text).unwrap();
    let config = read(&opencode_config(Some(own), "file:///p.js", server).unwrap());
    assert_eq!((&config["plugin"], &config["model"]), (&json!(["a", "file:///p.js"]), &json!("m")));
    assert_eq!(config["mcp"]["mine"], json!({"enabled": false}));
    assert_eq!(config["mcp"]["throughline"]["command"], json!(["/t", "mcp"]));
    for none in [None, Some(" ")] {
        assert!(opencode_config(none, "file:///p.js", server).unwrap().contains("throughline"));
    }
    for wrong in ["[]", "// c\n{}", r#"{"plugin":1}"#, r#"{"mcp":[]}"#] {
        let error = opencode_config(Some(wrong), "file:///p.js", server).unwrap_err().to_string();
        assert!(error.contains("OPENCODE_CONFIG_CONTENT"), "{error}");
    }
}
