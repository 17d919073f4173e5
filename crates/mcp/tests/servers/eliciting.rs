//! Servers that want to know something from the user while a call runs.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use serde_json::{Map, Value, json};
use throughline_conversation::ToolCall;
use throughline_mcp::McpServers;
use throughline_tools::{
    Elicitation, ElicitationAnswer, ElicitationRequest, Elicitor, ToolContext, ToolOutput,
};
use tokio::sync::watch;

use crate::fake::{Fake, Say, find, hello, options, text};

/// A user who gives one answer after some time.
#[derive(Debug)]
struct User {
    answer: ElicitationAnswer,
    thinks: Duration,
    asked: Mutex<Vec<Elicitation>>,
}

impl User {
    fn new(answer: ElicitationAnswer) -> Arc<Self> {
        Self::slow(answer, Duration::ZERO)
    }

    fn slow(answer: ElicitationAnswer, thinks: Duration) -> Arc<Self> {
        Arc::new(Self { answer, thinks, asked: Mutex::default() })
    }

    fn asked(&self) -> Vec<Elicitation> {
        self.asked.lock().unwrap().clone()
    }
}

#[async_trait]
impl Elicitor for User {
    async fn elicit(&self, elicitation: &Elicitation) -> ElicitationAnswer {
        self.asked.lock().unwrap().push(elicitation.clone());
        tokio::time::sleep(self.thinks).await;
        self.answer.clone()
    }
}

fn accept(values: &Value) -> ElicitationAnswer {
    ElicitationAnswer::Accept(values.as_object().unwrap().clone())
}

fn question() -> Value {
    json!({
        "message": "Which project?",
        "requestedSchema": {
            "type": "object",
            "properties": {"zone": {"type": "string"}, "area": {"type": "string", "enum": ["a", "b"]}},
            "required": ["zone"],
        },
    })
}

/// A server that asks over its connection, and answers the call with what it has learned.
fn asks(params: Value) -> Fake {
    let call: Arc<Mutex<Value>> = Arc::default();
    let of_call = Arc::clone(&call);
    Fake::new("s", &["x"])
        .on("tools/call", move |message| {
            *of_call.lock().unwrap() = message["id"].clone();
            let ask = json!({"jsonrpc": "2.0", "id": "e", "method": "elicitation/create", "params": params});
            vec![Say::Raw(ask.to_string().into())]
        })
        .on_answer("e", move |answer| {
            let learned = answer.get("result").unwrap_or(&answer["error"]);
            let id = call.lock().unwrap().clone();
            let result = json!({"jsonrpc": "2.0", "id": id, "result": text(&learned.to_string())});
            vec![Say::Raw(result.to_string().into())]
        })
}

async fn started(fake: &Fake, limit: Duration) -> McpServers {
    let mut config = fake.config();
    config.timeout = limit;
    let mut options = options(None);
    options.attended = true;
    let servers = McpServers::new([config], options);
    servers.start().await;
    servers
}

async fn call(servers: &McpServers, user: Option<&Arc<User>>) -> ToolOutput {
    let call = ToolCall { id: "c1".to_owned(), name: "mcp__s__x".to_owned(), input: json!({"k": 1}) };
    let elicitor = user.map(|user| Arc::clone(user) as Arc<dyn Elicitor>);
    let context = ToolContext { elicitor, ..ToolContext::new("/tmp") };
    find(servers, "mcp__s__x").call(&call, &context).await
}

/// What the server has learned.
async fn learned(servers: &McpServers, user: Option<&Arc<User>>) -> Value {
    let output = call(servers, user).await;
    assert!(!output.is_error, "{}", output.to_text());
    serde_json::from_str(&output.to_text()).unwrap()
}

#[tokio::test]
async fn a_form_reaches_the_user_and_the_values_reach_the_server() {
    let fake = asks(question());
    let servers = started(&fake, Duration::from_secs(20)).await;
    let user = User::new(accept(&json!({"zone": "eu", "area": "b"})));
    assert_eq!(
        learned(&servers, Some(&user)).await,
        json!({"action": "accept", "content": {"area": "b", "zone": "eu"}})
    );
    let asked = user.asked();
    assert_eq!((asked[0].server.as_str(), asked[0].message.as_str()), ("s", "Which project?"));
    let ElicitationRequest::Form(form) = &asked[0].request else { panic!("{asked:?}") };
    let names: Vec<&str> = form.fields.iter().map(|field| field.name.as_str()).collect();
    assert_eq!(names, ["zone", "area"], "the order of the server");
    let hello = fake.received().into_iter().find(|message| message["method"] == "initialize").unwrap();
    assert_eq!(
        hello["params"]["capabilities"],
        json!({
            "roots": {}, "elicitation": {"form": {}, "url": {}},
            "extensions": {"io.modelcontextprotocol/tasks": {}},
        })
    );
}

#[tokio::test]
async fn a_page_is_agreed_to_without_values() {
    let page = |url: &str| json!({"mode": "url", "message": "Log in.", "url": url, "elicitationId": "1"});
    let servers = started(&asks(page("https://example.org/a?b=c")), Duration::from_secs(20)).await;
    let user = User::new(accept(&json!({})));
    assert_eq!(learned(&servers, Some(&user)).await, json!({"action": "accept"}));
    let url = "https://example.org/a?b=c".to_owned();
    assert_eq!(user.asked()[0].request, ElicitationRequest::Page { url });
    // A name that looks like another is shown as what it is, and no program is started by an address.
    let servers = started(&asks(page("https://exаmple.org/")), Duration::from_secs(20)).await;
    let user = User::new(ElicitationAnswer::Decline);
    assert_eq!(learned(&servers, Some(&user)).await, json!({"action": "decline"}));
    let url = "https://xn--exmple-4nf.org/".to_owned();
    assert_eq!(user.asked()[0].request, ElicitationRequest::Page { url });
    for url in ["file:///etc/passwd", "javascript:alert(1)", "no address"] {
        let servers = started(&asks(page(url)), Duration::from_secs(20)).await;
        let user = User::new(accept(&json!({})));
        let why = learned(&servers, Some(&user)).await["message"].to_string();
        assert!(why.contains("the url"), "{why}");
        assert_eq!(user.asked(), []);
    }
}

#[tokio::test]
async fn without_a_person_the_server_learns_that_there_is_no_answer() {
    let servers = started(&asks(question()), Duration::from_secs(20)).await;
    assert_eq!(learned(&servers, None).await, json!({"action": "cancel"}));
}

#[tokio::test]
async fn the_time_in_which_the_user_thinks_does_not_count() {
    let limit = Duration::from_millis(300);
    let servers = started(&asks(question()), limit).await;
    let user = User::slow(ElicitationAnswer::Decline, limit * 4);
    assert_eq!(learned(&servers, Some(&user)).await, json!({"action": "decline"}));
    // What the server itself takes does.
    let silent = asks(question()).on_answer("e", |_| vec![]);
    let servers = started(&silent, limit).await;
    let output = call(&servers, Some(&user)).await;
    assert!(output.to_text().contains("did not answer within 0.3 s"), "{}", output.to_text());
}

#[tokio::test]
async fn a_question_for_one_of_two_users_reaches_neither() {
    // The first call waits, and the second one asks.
    let fake = asks(question());
    let servers = Arc::new(started(&fake, Duration::from_secs(2)).await);
    let (one, other) = (
        User::slow(accept(&json!({"zone": "eu"})), Duration::from_millis(500)),
        User::new(accept(&json!({"zone": "us"}))),
    );
    let first = tokio::spawn({
        let (servers, one) = (Arc::clone(&servers), Arc::clone(&one));
        async move { call(&servers, Some(&one)).await }
    });
    while one.asked().is_empty() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert_eq!(learned(&servers, Some(&other)).await, json!({"action": "cancel"}));
    assert_eq!((one.asked().len(), other.asked().len()), (1, 0));
    drop(first.await);
}

#[tokio::test]
async fn a_call_that_is_stopped_takes_its_question_along() {
    let fake = asks(question());
    let servers = started(&fake, Duration::from_secs(20)).await;
    let user = User::slow(accept(&json!({"zone": "eu"})), Duration::from_secs(60));
    let stopped = tokio::time::timeout(Duration::from_millis(200), call(&servers, Some(&user))).await;
    assert!(stopped.is_err());
    let answer = fake.wait_for(|message| message["id"] == "e" && message.get("method").is_none()).await;
    assert_eq!(answer["result"], json!({"action": "cancel"}));
}

/// A user who never answers, and knows when a question is there and when it is gone.
#[derive(Debug, Clone, Default)]
struct Patient(Arc<watch::Sender<usize>>);

struct Shown(Patient);

impl Drop for Shown {
    fn drop(&mut self) {
        self.0.0.send_modify(|open| *open -= 1);
    }
}

#[async_trait]
impl Elicitor for Patient {
    async fn elicit(&self, _: &Elicitation) -> ElicitationAnswer {
        self.0.send_modify(|open| *open += 1);
        let _shown = Shown(self.clone());
        std::future::pending().await
    }
}

#[tokio::test]
async fn a_question_that_the_server_withdraws_is_gone() {
    let fake = Fake::new("s", &["x", "y"]).on("tools/call", |message| {
        if message["params"]["name"] == "x" {
            let ask =
                json!({"jsonrpc": "2.0", "id": "e", "method": "elicitation/create", "params": question()});
            return vec![Say::Raw(ask.to_string().into())];
        }
        let cancel = json!({"requestId": "e", "reason": "it is late"});
        let cancel = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": cancel});
        vec![Say::Raw(cancel.to_string().into()), Say::Result(text("withdrawn"))]
    });
    let servers = started(&fake, Duration::from_secs(20)).await;
    let user = Patient::default();
    let context = ToolContext { elicitor: Some(Arc::new(user.clone())), ..ToolContext::new("/tmp") };
    let call = |name: &str| {
        let (tool, context) = (find(&servers, &format!("mcp__s__{name}")), context.clone());
        let call = ToolCall { id: name.to_owned(), name: format!("mcp__s__{name}"), input: json!({}) };
        tokio::spawn(async move { tool.call(&call, &context).await })
    };
    let asking = call("x");
    let mut open = user.0.subscribe();
    open.wait_for(|open| *open == 1).await.unwrap();
    assert_eq!(call("y").await.unwrap().to_text(), "withdrawn");
    let gone = tokio::time::timeout(Duration::from_secs(20), open.wait_for(|open| *open == 0)).await;
    assert!(gone.is_ok(), "it is still open");
    asking.abort();
}

#[tokio::test]
async fn a_question_that_no_person_can_read_is_refused() {
    let mut long = question();
    long["message"] = json!("why ".repeat(20_000));
    let servers = started(&asks(long), Duration::from_secs(20)).await;
    let user = User::new(accept(&json!({"zone": "eu"})));
    let why = learned(&servers, Some(&user)).await["message"].to_string();
    assert!(why.contains("the question has 78 KiB, the limit is 64 KiB"), "{why}");
    assert_eq!(user.asked(), []);
}

/// A server of the newest version of the protocol, which answers the call with its questions.
fn newest(requests: Value) -> Fake {
    Fake::new("s", &["x"])
        .on("initialize", |_| {
            let mut hello = hello();
            hello["protocolVersion"] = json!("2026-07-28");
            vec![Say::Result(hello)]
        })
        .on("tools/call", move |message| match &message["params"]["inputResponses"] {
            Value::Null => vec![Say::Result(json!({
                "resultType": "input_required", "inputRequests": requests, "requestState": "opaque",
            }))],
            answers => {
                let params = &message["params"];
                let learned = json!([answers, params["requestState"], params["arguments"], params["name"]]);
                vec![Say::Result(text(&learned.to_string()))]
            }
        })
}

#[tokio::test]
async fn a_call_that_needs_input_is_made_again_with_it() {
    let ask = json!({"method": "elicitation/create", "params": question()});
    let fake = newest(json!({"q": ask, "r": {"method": "roots/list"}}));
    let servers = started(&fake, Duration::from_secs(20)).await;
    let user = User::new(accept(&json!({"zone": "eu"})));
    let roots = json!({"roots": [{"uri": "file:///tmp", "name": "workspace"}]});
    assert_eq!(
        learned(&servers, Some(&user)).await,
        json!([
            {"q": {"action": "accept", "content": {"zone": "eu"}}, "r": roots},
            "opaque", {"k": 1}, "x"
        ])
    );
    assert_eq!(learned(&servers, None).await[0]["q"], json!({"action": "cancel"}));
}

#[tokio::test]
async fn a_call_that_never_has_enough_ends() {
    let ask = json!({"q": {"method": "elicitation/create", "params": question()}});
    let fake = Fake::new("s", &["x"]).on("tools/call", move |_| {
        vec![Say::Result(json!({"resultType": "input_required", "inputRequests": ask}))]
    });
    let servers = started(&fake, Duration::from_secs(20)).await;
    let user = User::new(ElicitationAnswer::Accept(Map::new()));
    let output = call(&servers, Some(&user)).await;
    assert!(output.is_error && output.to_text().contains("asked for input 10 times"), "{}", output.to_text());
    assert_eq!(user.asked().len(), 10);
    let model =
        json!({"m": {"method": "sampling/createMessage", "params": {"messages": [], "maxTokens": 1}}});
    let servers = started(&newest(model), Duration::from_secs(20)).await;
    let output = call(&servers, Some(&user)).await;
    assert!(output.is_error && output.to_text().contains("the answer of a model"), "{}", output.to_text());
}
