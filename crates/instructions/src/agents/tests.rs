//! Files of sub-agents.

use super::*;

fn kind(head: &str) -> Result<AgentKind, String> {
    let text = format!("---\nname: tester\ndescription: Runs tests\n{head}---\nYou run tests.\n");
    kind_of(&text, SkillOrigin::User, "agents/tester.md")
}

#[test]
fn a_kind_has_its_prompt_and_what_its_front_matter_says() {
    let made = kind("tools: Read, Bash\nmodel: haiku\nmax_requests: 12\ncolor: green\n").unwrap();
    assert_eq!(made.prompt, "You run tests.");
    assert_eq!(made.tools, Some(vec!["Read".to_owned(), "Bash".to_owned()]));
    assert_eq!((made.model.as_deref(), made.max_requests), (Some("haiku"), Some(12)));
    let listed = kind("tools:\n  - Read\n  - mcp__gh__issue\nmodel: inherit\n").unwrap();
    assert_eq!(listed.tools, Some(vec!["Read".to_owned(), "mcp__gh__issue".to_owned()]));
    assert_eq!((listed.model, listed.max_requests), (None, None));
    assert_eq!(kind("tools: \"*\"\n").unwrap().tools, None, "all tools");
    assert_eq!(kind("tools: \"[Read, Grep]\"\n").unwrap().tools.map(|tools| tools.len()), Some(2));
    assert_eq!(kind("tools: [\"Read\", Grep] # both\n").unwrap().tools.map(|tools| tools.len()), Some(2));
    assert_eq!(kind("maxTurns: 3\n").unwrap().max_requests, Some(3));
    assert_eq!(made.settings, []);
    let set = kind("model: haiku\neconomy: \"lean\"\npolicy: dex # small\n").unwrap().settings;
    let set: Vec<_> = set.iter().map(|set| (set.key, set.text.as_str(), set.line)).collect();
    assert_eq!(set, [("agent.policy", "dex", 6), ("agent.economy", "lean", 5)]);
}

#[test]
fn a_mistake_is_named() {
    assert_eq!(
        kind("max_requests: many\n"),
        Err("max_requests is \"many\"; write a whole number from 1 on".to_owned())
    );
    let error = kind_of("You run tests.", SkillOrigin::User, "a.md").unwrap_err();
    assert!(error.contains("front matter"), "{error}");
}

#[test]
fn the_users_kinds_come_first_and_a_project_needs_trust() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    let text = |name: &str, body: &str| format!("---\nname: {name}\ndescription: d\n---\n{body}\n");
    place("config/agents/a.md", &text("a", "the user's"));
    place("work/.claude/agents/a.md", &text("a", "the project's"));
    place("work/.claude/agents/b.md", &text("b", "the project's"));
    place("work/.throughline/agents/broken.md", "nothing");
    let places = SessionFolders::of(&folder.path().join("work"), Some(&folder.path().join("config")));
    let names = |kinds: &AgentKinds| kinds.iter().map(|kind| kind.name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&AgentKinds::discover(&places, false, &[])), ["a"]);
    let all = AgentKinds::discover(&places, true, &[]);
    assert_eq!(names(&all), ["a", "b"]);
    assert_eq!(all.get("a").map(|kind| kind.prompt.as_str()), Some("the user's"));
    let problems: Vec<&str> = all.problems().iter().map(|problem| problem.place.as_str()).collect();
    assert_eq!(problems, [".throughline/agents/broken.md", ".claude/agents/a.md"]);
}

#[test]
fn kinds_of_a_plugin_have_its_name_in_front_and_are_read_as_written() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    let long = "d".repeat(2_000);
    let write = |name: &str, text: String| {
        std::fs::write(root.join(name), text).unwrap();
        root.join(name)
    };
    let agents = vec![
        write(
            "reviewer.md",
            format!("---\nname: Code Reviewer\ndescription: {long}\n---\nRead ${{ROOT}}/rules.\n"),
        ),
        write("broken.md", "no front matter".to_owned()),
    ];
    let parts = PluginParts {
        name: "quality".to_owned(),
        root: root.clone(),
        agents,
        root_mark: "${ROOT}".to_owned(),
        ..PluginParts::default()
    };
    let places = SessionFolders::of(&root, None);
    let kinds = AgentKinds::discover(&places, false, &[parts]);
    let kind = kinds.get("quality:reviewer").unwrap();
    assert_eq!(kind.prompt, format!("Read {}/rules.", root.display()));
    assert_eq!((kind.description.len(), kind.shown.as_str()), (1_024, "plugin quality: reviewer.md"));
    assert_eq!(
        kinds.problems().iter().map(|problem| &problem.place).collect::<Vec<_>>(),
        ["plugin quality: broken.md"]
    );
}
