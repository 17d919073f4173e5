//! Plugins as read from their folders.

use std::os::unix::fs::symlink;

use super::*;
use crate::stage::Stage;

#[test]
fn default_places_and_named_ones_are_both_used() {
    let stage = Stage::of(&[
        (
            ".claude-plugin/plugin.json",
            r#"{ "name": "full", "commands": "./more/extra.md", "skills": ["./other/deploy"],
                 "hooks": ["./hooks/hooks.json", "./more/hooks.json"], "mcpServers": { "inline": { "command": "x" } } }"#,
        ),
        ("commands/hello.md", "Hello."),
        ("commands/notes.txt", "no command"),
        ("commands/sub/deep.md", "Deep."),
        ("more/extra.md", "Extra."),
        ("agents/reviewer.md", "Review."),
        ("output-styles/poet.md", "Rhyme."),
        ("skills/testing/SKILL.md", "Test."),
        ("skills/no-skill/README.md", "x"),
        ("other/deploy/SKILL.md", "Deploy."),
        ("hooks/hooks.json", r#"{ "hooks": { "Stop": [] } }"#),
        ("more/hooks.json", r#"{ "Stop": [] }"#),
        (".mcp.json", r#"{ "files": { "command": "y" } }"#),
    ]);
    let plugin = Plugin::read(&stage.root()).unwrap();
    assert_eq!(plugin.notices, [] as [&str; 0]);
    let names: Vec<&str> = plugin.commands.iter().map(|command| command.name.as_str()).collect();
    assert_eq!(names, ["extra", "hello", "sub:deep"]);
    let inner = |path: &PathBuf| path.strip_prefix(&plugin.root).unwrap().display().to_string();
    assert_eq!(plugin.agents.iter().map(inner).collect::<Vec<_>>(), ["agents/reviewer.md"]);
    assert_eq!(plugin.output_styles.iter().map(inner).collect::<Vec<_>>(), ["output-styles/poet.md"]);
    assert_eq!(plugin.skills.iter().map(inner).collect::<Vec<_>>(), ["skills/testing", "other/deploy"]);
    let hooks: Vec<(&str, &str)> =
        plugin.hooks.iter().map(|file| (file.place.as_str(), file.text.as_str())).collect();
    let text = r#"{"hooks":{"Stop":[]}}"#;
    assert_eq!(hooks, [("plugin full: hooks/hooks.json", text), ("plugin full: more/hooks.json", text)]);
    assert_eq!(plugin.server_names(), ["files", "inline"]);
    assert!(plugin.runs_something());
}

#[test]
fn what_leads_out_or_is_missing_is_a_notice_and_the_rest_is_read() {
    let stage = Stage::of(&[
        (
            "in/.claude-plugin/plugin.json",
            r#"{ "name": "odd", "commands": "../outside.md", "agents": "./nowhere", "hooks": "/etc/hooks.json" }"#,
        ),
        ("in/commands/hello.md", "Hello."),
        ("in/commands/no word.md", "x"),
        ("in/.mcp.json", "[]"),
        ("outside.md", "secret"),
    ]);
    symlink("../../outside.md", stage.root().join("in/commands/link.md")).unwrap();
    let plugin = Plugin::read(&stage.root().join("in")).unwrap();
    assert_eq!(plugin.commands.len(), 1);
    let said = plugin.notices.join("\n");
    for part in [
        ".mcp.json: an object is expected",
        "`..`",
        "there is no ./nowhere",
        "absolute",
        "commands/link.md is a link that leads out",
        "no word.md",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert!(plugin.notices.iter().all(|notice| notice.starts_with("plugin odd: ")), "{said}");
}

#[test]
fn a_broken_manifest_is_named_with_its_file() {
    let stage = Stage::of(&[(".claude-plugin/plugin.json", "{")]);
    let said = Plugin::read(&stage.root()).unwrap_err().to_string();
    assert!(stage.shown(&said).starts_with("ROOT/.claude-plugin/plugin.json: no JSON"), "{said}");
    let empty = Stage::of(&[]);
    assert!(Plugin::read(&empty.root()).unwrap_err().to_string().contains("the file is missing"));
}
