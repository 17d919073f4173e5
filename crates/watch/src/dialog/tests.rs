//! Dialogs on screens.

use super::shows_dialog;

#[test]
fn lists_with_a_chosen_item_and_questions_are_dialogs() {
    for row in [
        "│ ● 1. Allow once                │",
        "❯ 1. Yes, proceed",
        "  › 2) No",
        "Overwrite a.txt? [Y/n]",
        "Press Enter to confirm or Esc to go back",
        "(Use Enter to select)",
    ] {
        assert!(shows_dialog(["some text", row]), "{row}");
    }
}

#[test]
fn an_input_field_and_a_text_are_none() {
    for row in [
        " *   Type your message or @path/to/file",
        "> fix it",
        "› Ask Codex to do anything",
        "1. first, 2. second",
        "● Done.",
        "",
    ] {
        assert!(!shows_dialog([row]), "{row}");
    }
}

#[test]
fn the_recorded_screens_of_agents_at_work_show_none() {
    for screen in [
        include_str!("../../recordings/claude_task.txt"),
        include_str!("../../recordings/codex_task.txt"),
        include_str!("../../recordings/opencode_task.txt"),
    ] {
        assert!(!shows_dialog(screen.lines()), "{screen}");
    }
}

#[test]
fn the_recorded_question_of_gemini_is_one() {
    let asked = include_str!("../../recordings/gemini_dialog.txt");
    assert!(shows_dialog(asked.lines()), "{asked}");
}
