//! Prompts as commands.

use throughline_config::ConfigSources;

use super::*;

fn commands() -> PromptCommands {
    let mut all = PromptCommands::default();
    for (name, text) in [
        ("review", "Review $ARGUMENTS carefully, for $5.\n"),
        ("tests", "---\ndescription: All of them\n---\nRun the tests.\n"),
        ("no prompt", "x"),
    ] {
        let (name, text) = (name.to_owned(), text.to_owned());
        let path = format!("{name}.md").into();
        all.add_of_project(&ProjectCommand { name, path, of_claude: false, text });
    }
    all
}

#[test]
fn a_prompt_in_a_file_is_a_command() {
    let commands = commands();
    let rows: Vec<(&str, &str)> =
        commands.rows().into_iter().map(|row| (row.name.as_str(), row.about.as_str())).collect();
    assert_eq!(rows, [("review", "Review $ARGUMENTS carefully, for $5."), ("tests", "All of them")]);
    assert_eq!(commands.message("/review src/a.rs").as_deref(), Some("Review src/a.rs carefully, for $5."));
    assert_eq!(commands.message("/tests").as_deref(), Some("Run the tests."));
    assert_eq!(commands.message("/tests only unit").as_deref(), Some("Run the tests.\n\nonly unit"));
    assert_eq!(commands.message("/unknown"), None);
}

#[test]
fn a_message_of_a_command_is_known_by_what_was_typed() {
    let mut commands = commands();
    for (name, about, prompt) in BUILT_IN {
        let file = PromptFile { description: Some(about.to_owned()), ..PromptFile::parse(prompt) };
        let name = if name == "review" { "look" } else { name };
        commands.add(PromptCommand::new(name, file, "prompts", 0));
    }
    for line in ["/init", "/look", "/look the last commit", "/review src/a.rs", "/tests", "/tests only unit"]
    {
        let message = commands.message(line).unwrap();
        assert_eq!(commands.typed(&message).as_deref(), Some(line));
    }
    assert_eq!(commands.typed("Run the tests, please."), None);
    assert_eq!(commands.typed("Review it."), None);
}

#[test]
fn a_command_of_a_plugin_has_a_short_name_where_nothing_else_has_it() {
    let mut all = commands();
    for name in ["a:ship", "a:tests", "a:help", "a:same", "b:same", "b:fix2", "a:sub:deep"] {
        let file =
            PromptFile::parse("---\nargument-hint: TARGET\n---\nDo $1 and $2, then $ARGUMENTS; $HOME.");
        let group = format!("plugin {}", name.split(':').next().unwrap());
        all.add(PromptCommand { of_claude: true, ..PromptCommand::new(name, file, &group, 2) });
    }
    all.shorten();
    let names: Vec<&str> = all.rows().into_iter().map(|row| row.name.as_str()).collect();
    assert_eq!(
        names,
        [
            "review",
            "tests",
            "a:help",
            "a:same",
            "a:ship",
            "a:sub:deep",
            "a:tests",
            "deep",
            "ship",
            "b:fix2",
            "b:same"
        ]
    );
    let message = Some("Do it and , then it; $HOME.".to_owned());
    assert_eq!((all.message("/a:ship it"), all.message("/ship it")), (message.clone(), message));
    assert_eq!(all.message("/tests").as_deref(), Some("Run the tests."), "the project's own stays");
    let help = all.help();
    assert!(
        help.contains("plugin a\n") && help.contains("/a:ship TARGET") && !help.contains(" /ship"),
        "{help}"
    );
}

/// Writes the files of a project and of its user, and reads the commands.
fn read(files: &[(&str, &str)]) -> PromptCommands {
    let place = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = place.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let (settings, workspace) = (place.path().join("user/config.toml"), place.path().join("project"));
    fs::write(&settings, "").unwrap();
    fs::create_dir_all(workspace.join(".git")).unwrap();
    let sources = ConfigSources {
        file: Some(&settings),
        workspace: Some(&workspace),
        data_dir: Some(place.path().join("data")),
        assume_trust: true,
        ..ConfigSources::default()
    };
    PromptCommands::of(&Config::load(sources).unwrap())
}

#[test]
fn the_users_own_commands_are_there_in_each_project_and_win() {
    let commands = read(&[
        ("user/commands/go.md", "Mine."),
        ("user/commands/db/copy.md", "Copy $ARGUMENTS."),
        ("project/.throughline/commands/go.md", "Theirs."),
    ]);
    assert_eq!(commands.message("/go").as_deref(), Some("Mine."));
    assert_eq!(commands.message("/db:copy all").as_deref(), Some("Copy all."));
    assert!(commands.rows().iter().any(|row| row.name == "go" && row.group == "your own"));
}

#[test]
fn a_file_that_is_no_command_is_listed_with_the_reason() {
    let large = "x".repeat(70_000);
    let commands = read(&[
        ("user/commands/help all.md", "Fix."),
        ("user/commands/compact.md", "Compact."),
        ("project/.claude/commands/db/copy all.md", "Copy."),
        ("project/.claude/commands/fix2.md", "Fix."),
        ("project/.claude/commands/large.md", &large),
    ]);
    let help = commands.help();
    let (_, listed) = help.split_once("\nignored files\n").unwrap();
    let rule = "a command is named by letters, `-` and `_`; rename the file";
    assert_eq!(
        listed.lines().map(|line| line.split_once("commands/").unwrap().1).collect::<Vec<_>>(),
        [
            format!("db/copy all.md: {rule} to copy-all.md"),
            format!("fix2.md: {rule}"),
            "large.md: it has more than 65536 bytes; shorten it".to_owned(),
            "compact.md: /compact is a command of the program; rename the file".to_owned(),
            format!("help all.md: {rule} to help-all.md"),
        ]
    );
}

#[test]
fn a_skill_is_a_command_where_nothing_else_has_its_name() {
    let skill =
        |name: &str, more: &str| format!("---\nname: {name}\ndescription: About it.\n{more}---\nDo it.\n");
    let commands = read(&[
        ("user/x", ""),
        ("project/.claude/skills/birds/SKILL.md", &skill("birds", "")),
        ("project/.claude/skills/inner/SKILL.md", &skill("inner", "user-invocable: false\n")),
        ("project/.claude/skills/compact/SKILL.md", &skill("compact", "")),
        ("project/.claude/skills/go/SKILL.md", &skill("go", "")),
        ("project/.throughline/commands/go.md", "Go."),
    ]);
    let message = commands.message("/birds of prey").unwrap();
    assert_eq!(message, "Read the skill `birds` with `use_skill` and do what it says.\n\nof prey");
    assert_eq!(commands.typed(&message).as_deref(), Some("/birds of prey"));
    assert_eq!(commands.message("/inner"), None);
    assert_eq!(commands.message("/compact"), None);
    assert_eq!(commands.message("/go").as_deref(), Some("Go."));
    assert!(commands.help().contains("/birds [TEXT]"), "{}", commands.help());
}
