//! Prompts as commands.

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
