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
fn a_call_in_the_form_of_any_template_names_its_tool() {
    for call in [
        r#"[TOOL_CALLS][{"name": "read_file", "arguments": {"path": "a.txt"}}]"#,
        r#"[TOOL_CALLS]read_file[ARGS]{"path": "a.txt"}"#,
        "I will look.\n<function=read_file>\n<parameter=path>\na.txt\n</parameter>\n</function>",
        "<tool_call>\n<function=read_file>\n<parameter=path>a.txt</parameter>\n</function>\n</tool_call>",
        "<tool_call>read_file\n<arg_key>path</arg_key>\n<arg_value>a.txt</arg_value>\n</tool_call>",
        "<function_calls>\n<invoke name=\"read_file\">\n<parameter name=\"path\">a.txt</parameter>\n</invoke>\n</function_calls>",
        "<minimax:tool_call>\n<invoke name=\"read_file\">\n<parameter name=\"path\">a</parameter>\n</invoke>\n</minimax:tool_call>",
        r#"<|tool_calls_section_begin|><|tool_call_begin|>functions.read_file:0<|tool_call_argument_begin|>{"path":"a.txt"}<|tool_call_end|><|tool_calls_section_end|>"#,
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>read_file\n```json\n{\"path\":\"a.txt\"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
        r#"<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>read_file<｜tool▁sep｜>{"path":"a.txt"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>"#,
        "<｜DSML｜function_calls>\n<｜DSML｜invoke name=\"read_file\">\n<｜DSML｜parameter name=\"path\">a</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>",
        r#"<|start|>assistant<|channel|>commentary to=functions.read_file <|constrain|>json<|message|>{"path":"a.txt"}<|call|>"#,
        r#"<|tool_call|>[{"name": "read_file", "arguments": {"path": "a.txt"}}]"#,
        "<start_function_call>call:read_file{path:<escape>a.txt<escape>}<end_function_call>",
        "Reading.\n```tool_code\nprint(default_api.read_file(path=\"a.txt\"))\n```",
        r#"{"name": "read_file", "parameters": {"path": "a.txt"}}"#,
        "```json\n{\"name\": \"read_file\", \"arguments\": {\"path\": \"a.txt\"}}\n```",
    ] {
        assert_eq!(called_as_text(call).as_deref(), Some("read_file"), "{call}");
        assert_eq!(called_as_text(&format!("{call}\nThat is how it reads.")), None, "{call}");
        let cut: String = call.chars().take(call.chars().count() * 2 / 3).collect();
        assert_eq!(called_as_text(cut.trim_end_matches(['>', '`'])), None, "{cut}");
    }
}

#[test]
fn a_text_about_calls_makes_no_call() {
    let text = "Qwen writes `<tool_call>` before its calls.";
    assert_eq!((called_as_text(text), holds_call(text)), (None, false));
}
