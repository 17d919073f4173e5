//! Tools and fields that a server refuses are left out from then on, and the user hears of the tools.

#![expect(clippy::unwrap_used, reason = "a client that does otherwise fails the test")]

use std::sync::Arc;

use futures_util::StreamExt as _;
use serde_json::{Value, json};
use throughline_completion::{AnswerDetail, CompletionEvent, CompletionRequest, LanguageModel};
use throughline_conversation::{CacheBreakpoint, CacheTtl, Message, Place, ToolDefinition};
use throughline_providers::anthropic::AnthropicModel;
use throughline_providers::gemini::GeminiModel;
use throughline_providers::http::{Endpoint, ReqwestTransport};
use throughline_providers::openai_chat::OpenAiChatModel;
use throughline_providers::openai_responses::OpenAiResponsesModel;
use throughline_testserver::{Answer, Script, Server};
use throughline_wire::openai::OpenAiOptions;

use crate::contract::{info, request};

fn tool(name: &str) -> ToolDefinition {
    let text = json!({"type": "string", "pattern": "[a-z]+", "minLength": 2});
    let schema = json!({"type": "object", "properties": {"pattern": text}});
    ToolDefinition::new(name, "does", schema)
}

/// A request with a tool of the program, some of others, and a marker at the last.
fn tools(others: &[String]) -> CompletionRequest {
    let others = others.iter().map(|name| tool(name).deferrable());
    let tools: Vec<ToolDefinition> =
        others.chain([ToolDefinition::new("read_file", "reads", json!({}))]).collect();
    let place = CacheBreakpoint { place: Place::Tool(tools.len() - 1), ttl: CacheTtl::FiveMinutes };
    CompletionRequest { tools: tools.into(), breakpoints: vec![place], ..request([Message::user("hello")]) }
}

fn named(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// What a body asks for, and what the user hears.
struct Asked {
    bodies: Vec<Value>,
    news: Vec<String>,
}

impl Asked {
    /// The names of the tools of a request.
    fn names(&self, at: usize) -> Vec<String> {
        let body = self.bodies.get(at).unwrap();
        let tools = body.get("tools").and_then(Value::as_array).unwrap();
        let declared = tools.first().and_then(|tool| tool.get("functionDeclarations"));
        let functions = declared.and_then(Value::as_array).unwrap_or(tools);
        let name = |tool: &Value| {
            let name = tool.get("name").or_else(|| tool.pointer("/function/name"));
            name.unwrap().as_str().unwrap().to_owned()
        };
        functions.iter().map(name).collect()
    }
}

/// Sends a request twice to a server that refuses it with these answers first.
async fn ask(
    request: &CompletionRequest,
    refusals: &[&str],
    model: impl Fn(Endpoint) -> Box<dyn LanguageModel>,
) -> Asked {
    let refusal = |words: &&str| Answer::status(400, json!({"error": {"message": words}}));
    let script = refusals.iter().map(refusal).fold(Script::new(), Script::then);
    let server = Server::start(script.then(Answer::text("ok")).repeat_last()).await.unwrap();
    let model = model(Endpoint::new(&server.url()).unwrap());
    let mut news = Vec::new();
    for _ in 0..2 {
        let mut events = model.stream(request).await.unwrap();
        while let Some(event) = events.next().await {
            if let CompletionEvent::Detail(AnswerDetail::News(text)) = event.unwrap() {
                news.push(text);
            }
        }
    }
    Asked { bodies: server.received().into_iter().map(|one| one.body).collect(), news }
}

fn chat(endpoint: Endpoint) -> Box<dyn LanguageModel> {
    let options = OpenAiOptions::compatible();
    Box::new(OpenAiChatModel::new(
        info("compatible"),
        endpoint,
        Arc::new(ReqwestTransport::default()),
        options,
    ))
}

fn anthropic(endpoint: Endpoint) -> Box<dyn LanguageModel> {
    Box::new(AnthropicModel::new(info("anthropic"), endpoint, Arc::new(ReqwestTransport::default())))
}

fn gemini(endpoint: Endpoint) -> Box<dyn LanguageModel> {
    Box::new(GeminiModel::new(info("gemini"), endpoint, Arc::new(ReqwestTransport::default())))
}

fn ollama(endpoint: Endpoint) -> Box<dyn LanguageModel> {
    Box::new(crate::ollama::model(endpoint))
}

fn responses(endpoint: Endpoint) -> Box<dyn LanguageModel> {
    let (http, options) = (Arc::new(ReqwestTransport::default()), OpenAiOptions::openai());
    Box::new(OpenAiResponsesModel::new(info("openai"), endpoint, http, options))
}

#[tokio::test]
async fn a_tool_whose_schema_is_refused_is_left_out_alone() {
    let request = tools(&named(&["mcp__odd__pat", "mcp__odd__pattern"]));
    let by_name = "Invalid schema for function 'mcp__odd__pat': 'pattern' is not permitted.";
    for asked in [
        ask(&request, &[by_name], chat).await,
        ask(&request, &["Invalid 'tools[0].function.parameters': unsupported regex lookahead"], chat).await,
        ask(&request, &["tools.0.custom.input_schema: JSON schema is invalid."], anthropic).await,
        ask(&request, &[by_name], responses).await,
        ask(
            &request,
            &["* GenerateContentRequest.tools[0].function_declarations[0].parameters.properties[a].enum[0]: cannot be empty"],
            gemini,
        )
        .await,
    ] {
        assert_eq!(asked.bodies.len(), 3);
        assert_eq!(asked.names(0), ["mcp__odd__pat", "mcp__odd__pattern", "read_file"]);
        for later in 1..3 {
            assert_eq!(asked.names(later), ["mcp__odd__pattern", "read_file"]);
        }
        assert!(asked.news.len() == 1 && asked.news[0].contains("refuses the tool mcp__odd__pat,"), "{:?}", asked.news);
    }
}

#[tokio::test]
async fn a_place_is_one_in_the_body_that_was_sent() {
    let request = tools(&named(&["mcp__odd__pat", "mcp__odd__pattern"]));
    let words = "tools[0].function.parameters: unsupported regex";
    for asked in [ask(&request, &[words, words], chat).await, ask(&request, &[words, words], ollama).await] {
        assert_eq!(asked.names(1), ["mcp__odd__pattern", "read_file"]);
        assert_eq!((asked.names(2), asked.names(3)), (named(&["read_file"]), named(&["read_file"])));
    }
}

#[tokio::test]
async fn schemas_become_plain_where_the_server_does_not_say_which_it_refuses() {
    let request = tools(&named(&["mcp__odd__pat"]));
    let words = "Failed to initialize samplers: failed to parse grammar";
    let asked = ask(&request, &[words], chat).await;
    let text =
        |at: usize| asked.bodies[at]["tools"][0]["function"]["parameters"]["properties"]["pattern"].clone();
    assert_eq!(text(0), json!({"type": "string", "pattern": "[a-z]+", "minLength": 2}));
    assert_eq!(
        (text(1), text(2), asked.news.len()),
        (json!({"type": "string"}), json!({"type": "string"}), 0)
    );
    let asked = ask(&request, &[words, words], chat).await;
    assert_eq!((asked.names(2), asked.news.len()), (named(&["read_file"]), 1));
    let plain = ToolDefinition::new("mcp__odd__plain", "does", json!({"type": "object"})).deferrable();
    let tools = request.tools.iter().cloned().chain([plain]).collect();
    let asked = ask(&CompletionRequest { tools, ..request }, &[words, words, words], chat).await;
    assert_eq!((asked.names(2).len(), asked.names(3)), (2, named(&["read_file"])));
}

#[tokio::test]
async fn an_error_that_only_quotes_the_name_of_a_tool_changes_nothing() {
    let server = Script::new().then(Answer::status(
        400,
        json!({"error": {"message": "messages.3: the result of read_file does not fit the schema"}}),
    ));
    let server = Server::start(server).await.unwrap();
    let model = chat(Endpoint::new(&server.url()).unwrap());
    assert!(model.stream(&tools(&[])).await.is_err());
    assert_eq!(server.received().len(), 1);
}

#[tokio::test]
async fn tools_of_others_beyond_what_the_server_takes_are_left_out_by_name() {
    let others: Vec<String> = (0..140).map(|number| format!("mcp__odd__{number}")).collect();
    for asked in [ask(&tools(&others), &[], chat).await, ask(&tools(&others), &[], responses).await] {
        let names = asked.names(0);
        assert_eq!((names.len(), names.last().unwrap().as_str()), (128, "read_file"));
        assert_eq!(asked.news.len(), 1);
        assert!(asked.news[0].ends_with("mcp__odd__138, mcp__odd__139"), "{}", asked.news[0]);
    }
    let words = "Invalid 'tools': array too long. Expected an array with maximum length 64, but got an array with length 128 instead.";
    assert_eq!(ask(&tools(&others), &[words], chat).await.names(1).len(), 64);
}

#[tokio::test]
async fn an_optional_field_that_the_server_does_not_know_is_left_out() {
    for field in ["prompt_cache_key", "store", "max_output_tokens"] {
        let words = format!("Unknown parameter: '{field}'.");
        let asked = ask(&tools(&[]), &[&words], responses).await;
        let has: Vec<bool> = asked.bodies.iter().map(|body| body.get(field).is_some()).collect();
        assert_eq!(has, [true, false, false], "{field}");
    }
    let words = "Invalid schema for function 'mcp__memory__store': 'pattern' is not permitted.";
    let asked = ask(&tools(&named(&["mcp__memory__store"])), &[words], responses).await;
    let has: Vec<bool> = asked.bodies.iter().map(|body| body.get("store").is_some()).collect();
    assert_eq!(
        (has, asked.names(1)),
        (vec![true; 3], named(&["read_file"])),
        "the tool is meant, not the field"
    );
}

/// DeepSeek's endpoint for clients of Anthropic.
#[tokio::test]
async fn unsigned_thinking_is_sent_back_where_it_must_be() {
    use throughline_conversation::{ContentBlock, Role, Thinking, ToolCall, ToolResult};
    let call = |id: &str| {
        ContentBlock::ToolCall(ToolCall { id: id.to_owned(), name: "read_file".to_owned(), input: json!({}) })
    };
    let thought = ContentBlock::Thinking(Thinking { text: "hm".to_owned(), signature: None, redacted: None });
    let messages = [
        Message::user("look"),
        Message { role: Role::Assistant, content: vec![thought, call("a")] },
        Message::results([ToolResult::text("a", "read")]),
        Message { role: Role::Assistant, content: vec![call("b")] },
        Message::results([ToolResult::text("b", "read")]),
    ];
    let request = CompletionRequest { tools: tools(&[]).tools, ..request(messages) };
    let words = "The `content[].thinking` in the thinking mode must be passed back to the API.";
    let asked = ask(&request, &[words], anthropic).await;
    let first =
        |at: usize, message: usize| asked.bodies[at]["messages"][message]["content"][0]["thinking"].clone();
    assert_eq!([first(0, 1), first(0, 3)], [Value::Null, Value::Null]);
    assert_eq!([first(1, 1), first(1, 3)], [json!("hm"), json!(" ")]);
}
