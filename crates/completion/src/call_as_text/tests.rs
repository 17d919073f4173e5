//! Calls in texts, and texts about calls.

use super::{called_as_text, holds_call};

#[test]
fn a_whole_call_at_the_end_names_its_tool() {
    let call =
        "I look.\n<tool_call>\n{\"name\": \"read_file\", \"arguments\": {\"path\": \"a\"}}\n</tool_call>\n";
    assert_eq!(called_as_text(call).as_deref(), Some("read_file"));
    let cut = "<tool_call>\n{\"name\": \"read_file\", \"arguments\": {\"pa";
    assert_eq!((called_as_text(cut), holds_call(cut)), (None, true));
    assert_eq!(called_as_text(&format!("{call}That is all.")), None);
}

#[test]
fn a_text_about_calls_makes_no_call() {
    let text = "Qwen writes `<tool_call>` before its calls.";
    assert_eq!((called_as_text(text), holds_call(text)), (None, false));
}
