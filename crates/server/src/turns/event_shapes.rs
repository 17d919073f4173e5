//! The events of a turn as the API promises them: the fields that each always has, and more may follow.

use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value};

/// An object whose fields the API does not promise. It has a name because generators of clients give an object without one
/// a class per event that holds it, and fail where two events make the same.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
pub(crate) struct Details(Map<String, Value>);

/// An event of a turn: the data of a server-sent event whose name is its `type`. One of a sub-agent has `agent`.
#[derive(JsonSchema)]
#[schemars(tag = "type", rename_all = "snake_case", transform = with_agent)]
#[expect(dead_code, reason = "only its schema is used")]
pub(crate) enum TurnEvent {
    /// The first: the session and its model.
    Session { session: String, provider: String, model: String, window: u64 },
    /// The message of the user is in the log.
    Accepted { exchange: u64 },
    /// How full the window is.
    Window { figures: Details, pressure: String },
    /// The view was compacted.
    Compacted { receipt: Details },
    /// A compaction was due and would have changed nothing.
    NotCompacted { why: String },
    /// Other tools are in the requests.
    ToolsChanged { why: String, active: u64, deferred: u64 },
    /// A sentence for the user.
    Notice { text: String },
    /// A line for a log.
    Log { text: String },
    /// A note that the model gets.
    Note { text: String },
    /// A request was sent.
    Request { request: u64, messages: u64, predicted: Details },
    /// The prompt cache gave less than expected.
    CacheMissed { warm: u64, read: u64, cause: Value },
    /// A request is sent again after a pause.
    Retrying { cause: String, wait_ms: u64 },
    /// Another model answers.
    Switched { from: String, to: String, why: String },
    /// What the model had written since the request was sent does not count.
    Withdrawn { why: String },
    /// A piece of the model's text.
    Text { text: String },
    /// A piece of its thinking.
    Thinking { text: String },
    /// A request besides those of the session was paid for.
    Spent { provider: String, model: String, requests: u64, usage: Details, unreported: u64 },
    /// Pages of the web that the answer cites: each with `url`, and `title` where there is one.
    Cited { sources: Vec<Details> },
    /// The answer to a request is complete.
    Answered { usage: Option<Details>, stop: String },
    /// A tool begins.
    ToolStarted { call_id: String, name: String, input: Value },
    /// A tool has ended. `output` may be cut.
    ToolFinished {
        call_id: String,
        name: String,
        bytes: u64,
        is_error: bool,
        output: String,
        offloaded: Option<Details>,
    },
    /// A sub-agent begins to work.
    AgentStarted { title: String, provider: String, model: String, agent: EventAgent },
    /// A sub-agent has ended: why its model stopped, or the kind of the error.
    AgentEnded { stop: Option<String>, error: Option<String>, agent: EventAgent },
    /// Records up to this one are written.
    Acknowledged { seq: u64 },
    /// A snapshot up to this record is written.
    Snapshot { covers: u64 },
    /// A part failed, and a fallback took over.
    Degraded { note: Details },
    /// A call waits for approval.
    Question {
        question: String,
        call_id: String,
        name: String,
        input: Value,
        why: String,
        rule: Option<String>,
        choices: Vec<String>,
        timeout_ms: u64,
    },
    /// The server of a tool asks the user while a call runs: for values of a form, with its JSON Schema in `schema`, or to visit the
    /// page `url`. `mode` is `form` or `url`.
    Elicitation {
        question: String,
        server: String,
        message: String,
        mode: String,
        schema: Option<Details>,
        url: Option<String>,
        choices: Vec<String>,
        timeout_ms: u64,
    },
    /// A question is closed by `answer`, `timeout` or `cancel`.
    QuestionClosed { question: String, by: String },
    /// This many events have left the memory of the server before they were read.
    Missed { events: u64 },
    /// The last: how the turn ended. The figures are there unless it failed before it began.
    Result {
        outcome: String,
        is_error: bool,
        text: String,
        error: Option<Value>,
        usage: Option<Details>,
        cost_usd: Option<f64>,
        duration_ms: Option<u64>,
    },
}

/// The sub-agent that an event is of: its session, its kind, how deep it is (1: the session has started it), and the call that
/// started it. Without it the event is of the session itself.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
pub(crate) struct EventAgent {
    id: String,
    kind: String,
    depth: u64,
    call_id: String,
}

/// Gives each event the field that those of sub-agents have.
fn with_agent(schema: &mut Schema) {
    let shapes = schema.get_mut("oneOf").and_then(Value::as_array_mut);
    let shapes: Vec<_> =
        shapes.into_iter().flatten().filter_map(|shape| shape.get_mut("properties")).collect();
    let agent = shapes.iter().find_map(|properties| properties.get("agent").cloned());
    for properties in shapes {
        if let (Some(properties), Some(agent)) = (properties.as_object_mut(), &agent) {
            properties.insert("agent".to_owned(), agent.clone());
        }
    }
}

/// An event of a session: a record of its log, or with `stream=turn` an event of the turn.
#[derive(JsonSchema)]
#[schemars(untagged)]
#[expect(dead_code, reason = "only its schema is used")]
pub(crate) enum SessionEvent {
    Turn(TurnEvent),
    Record(RecordEvent),
}

/// A record.
#[derive(JsonSchema)]
#[schemars(rename = "Record")]
#[expect(dead_code, reason = "only its schema is used")]
pub(crate) struct RecordEvent {
    seq: u64,
    at: i64,
    exchange: u64,
    body: Details,
}
