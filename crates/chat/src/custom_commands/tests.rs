//! Prompts as commands.

use super::*;

fn commands() -> CustomCommands {
    let folder = tempfile::TempDir::new().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("review.md", "Review $ARGUMENTS carefully.\n");
    write("tests.md", "Run the tests.\n");
    write("no prompt.md", "x");
    write("notes.txt", "x");
    let mut files: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|end| end == "md"));
    CustomCommands::read(&files)
}

#[test]
fn a_prompt_in_a_file_is_a_command() {
    let commands = commands();
    let names: Vec<String> = commands.rows().map(|row| row.name).collect();
    assert_eq!(names, ["/review", "/tests"]);
    assert_eq!(commands.message("/review src/a.rs").as_deref(), Some("Review src/a.rs carefully."));
    assert_eq!(commands.message("/tests").as_deref(), Some("Run the tests."));
    assert_eq!(commands.message("/tests only unit").as_deref(), Some("Run the tests.\n\nonly unit"));
    assert_eq!(commands.message("/unknown"), None);
}
