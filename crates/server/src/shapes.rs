//! Objects that other crates write, as the API promises them: the fields that each always has, and more may follow. What is
//! written or read here derives its schema where it is defined.

use schemars::JsonSchema;
use serde_json::{Map, Value};

type Object = Map<String, Value>;

/// Types that have nothing but a schema.
macro_rules! shapes {
    ($($name:ident { $($field:ident: $kind:ty),+ $(,)? })+) => {$(
        #[derive(JsonSchema)]
        #[expect(dead_code, reason = "only its schema is used")]
        pub(crate) struct $name {
            $($field: $kind),+
        }
    )+};
}

shapes! {
    Session {
        session: String, title: String, workspace: String, model: String, created_ms: i64, last_activity_ms: i64,
        records: u64, exchanges: u64, requests: u64, cost_usd: Option<f64>, cost_usd_at_least: Option<f64>,
    }
    Turn { group: u64, status: String, shown: String, tokens: Option<u64>, parts: Vec<TurnPart> }
    TurnPart {
        id: i64, record: u64, role: String, kind: String, status: String, tool: Option<String>, call_id: Option<String>,
        is_error: bool, model: Option<String>, tokens: Option<u64>, at_ms: i64, stored: Vec<StoredPart>,
        content: String,
    }
    StoredPart { r#ref: String, bytes: u64, tool: String }
    Group {
        group: u64, status: String, shown: String, at_ms: i64, first_record: u64, last_record: u64, messages: u64,
        calls: u64, tokens: Option<u64>, request: String,
    }
    Receipt {
        turn: u64, request: u64, upto: u64, epoch: u64, model: String, window: Object, pressure: String,
        decisions: Vec<Value>, predicted: Object, stop: String,
    }
    Request { receipt: Receipt, request: Object }
    Compaction {
        number: u64, record: u64, undone: bool, reason: Option<String>, strategies: Option<Vec<String>>,
        request: Option<u64>, before_tokens: Option<u64>, after_tokens: Option<u64>,
    }
    CompactionDiff {
        number: u64, of: u64, edit: u64, at: i64, reason: Value, strategies: Vec<String>, undone: bool, before: Object,
        after: Object, covers: Vec<Object>, replaced: Vec<Object>, pictures: Vec<Object>, needed: Option<Object>,
    }
    Summary { record: u64, at: i64, span: Object, tokens: u64, status: String, first_line: String }
    Revision { document: String, revision: u64, at_ms: i64, by: Value, status: String, text: String }
    Checkpoint { number: u64, record: u64, reason: Value, at_ms: i64, handoff: bool }
    Handoff { task_title: String, continuation_prompt: String }
    Changed { mark: Object, before: ViewSize, after: ViewSize }
    ViewSize { messages: u64, tokens: u64 }
    Compacted { compaction: Object }
    Refreshed { context: Object, text: String }
    Memo {
        memo: String, content: String, tags: Vec<String>, workspace: Option<String>, created_ms: i64, updated_ms: i64,
    }
    Change {
        change: String, turn: Option<u64>, turns: Option<u64>, pin: Option<u64>, record: Option<u64>, part: Option<u64>,
        text: Option<String>, files: Option<bool>, confirm: Option<String>,
    }
    Confirm { confirm: String }
    PreferenceValue { value: Option<String> }
    Preference { key: String, value: String, from: String }
}

/// A context that was stored for an agent.
#[derive(JsonSchema)]
#[schemars(rename_all = "camelCase")]
#[expect(dead_code, reason = "only its schema is used")]
pub(crate) struct Context {
    session_id: String,
    worker_id: String,
    timestamp: i64,
    source: String,
    covers: u64,
}
