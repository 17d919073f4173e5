//! Files of slash commands.

use super::*;

#[test]
fn front_matter_is_no_part_of_the_prompt() {
    let text = "---\ndescription: Fix an issue\nargument-hint: [number] # of it\nallowed-tools: Bash(git:*)\n---\n\nFix $1.\n";
    let file = PromptFile::parse(text);
    assert_eq!(
        (file.description.as_deref(), file.arguments.as_deref()),
        (Some("Fix an issue"), Some("[number]"))
    );
    assert_eq!(file.text, "Fix $1.");
}

#[test]
fn a_text_without_front_matter_is_the_prompt() {
    for text in ["Fix it.\n", "---\nopen: yes\nFix it.", "", "--- x\n"] {
        assert_eq!(
            PromptFile::parse(text),
            PromptFile { description: None, arguments: None, text: text.to_owned() }
        );
    }
}
