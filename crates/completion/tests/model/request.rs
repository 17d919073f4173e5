//! What makes a request one that a provider would refuse.

use expect_test::{Expect, expect};
use serde_json::json;
use throughline_completion::CompletionRequest;
use throughline_conversation::{
    CacheBreakpoint, CacheTtl, Place, SectionText, ToolDefinition, ToolOrigin, Transcript,
};
use throughline_testkit::{parse, view};

/// A sound request of these messages, with one tool and one section. Messages count a token a word.
pub(crate) fn request(transcript: &str) -> CompletionRequest {
    CompletionRequest {
        model: "test".to_owned(),
        session: None,
        tools: [tool("read")].into(),
        system: [section("You help.")].into(),
        transcript: view(transcript).transcript().clone(),
        tail: Vec::new(),
        breakpoints: Vec::new(),
        max_output_tokens: 10,
    }
}

/// A tool: with [`throughline_testkit::WordCounter`] it is 16 tokens (name 1, description 2, schema 1, frame 12).
pub(crate) fn tool(name: &str) -> ToolDefinition {
    ToolDefinition {
        name: name.to_owned(),
        description: "Reads files.".to_owned(),
        input_schema: json!({"type": "object"}),
        origin: ToolOrigin::Builtin,
    }
}

pub(crate) fn section(text: &str) -> SectionText {
    SectionText { name: "base".to_owned(), text: text.to_owned(), cacheable: true, skill: false }
}

pub(crate) fn marker(place: Place) -> CacheBreakpoint {
    CacheBreakpoint { place, ttl: CacheTtl::FiveMinutes }
}

#[expect(clippy::needless_pass_by_value, reason = "the form in which expectations are written")]
fn check(change: impl FnOnce(&mut CompletionRequest), faults: Expect) {
    let mut request = request("user: hello there");
    assert_eq!(request.faults(), [], "the request is sound before the change");
    change(&mut request);
    let found: Vec<String> = request.faults().iter().map(ToString::to_string).collect();
    faults.assert_eq(&found.join("\n"));
}

#[test]
fn faults_of_tools() {
    check(
        |request| request.tools = [tool("read"), tool("read")].into(),
        expect![[r#"two tools are named "read""#]],
    );
    check(
        |request| request.tools = [tool(""), tool("a b"), tool(&"x".repeat(65))].into(),
        expect![[r#"
        tool name "" must be 1 to 64 letters, digits, '_' or '-'
        tool name "a b" must be 1 to 64 letters, digits, '_' or '-'
        tool name "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" must be 1 to 64 letters, digits, '_' or '-'"#]],
    );
    check(
        |request| request.tools = [ToolDefinition { input_schema: json!("any"), ..tool("read") }].into(),
        expect![[r#"the schema of tool "read" must be a JSON object"#]],
    );
}

#[test]
fn faults_of_texts_and_limits() {
    check(
        |request| request.system = [section("x"), section(" \n")].into(),
        expect![[r#"section "base" is empty"#]],
    );
    check(|request| request.tail = vec!["a note".to_owned(), String::new()], expect!["tail note 1 is empty"]);
    check(|request| request.max_output_tokens = 0, expect!["max_output_tokens is 0"]);
}

#[test]
fn markers_must_be_at_something() {
    check(
        |request| {
            request.breakpoints = [Place::Tool(0), Place::Section(0), Place::Message(0)].map(marker).into();
        },
        expect![[r#""#]],
    );
    check(
        |request| {
            request.breakpoints = [Place::Tool(1), Place::Section(1), Place::Message(1)].map(marker).into();
        },
        expect![[r#"
            cache breakpoint Tool(1) is at no tool, section or message of the request
            cache breakpoint Section(1) is at no tool, section or message of the request
            cache breakpoint Message(1) is at no tool, section or message of the request"#]],
    );
}

#[test]
fn faults_of_messages_come_last() {
    check(
        |request| {
            request.max_output_tokens = 0;
            request.transcript = Transcript::from_messages(parse("user: a\nassistant: b"));
        },
        expect![[r#"
            max_output_tokens is 0
            the last message is the model's; a request must end with the user's side"#]],
    );
}

#[test]
fn the_shell_is_checked_without_the_messages() {
    let mut request = request("user: a\nassistant: b");
    assert_eq!(request.shell_faults(), []);
    request.max_output_tokens = 0;
    assert_eq!(request.shell_faults().len(), 1);
    assert_eq!(request.faults().len(), 2);
}
