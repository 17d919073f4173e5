//! Objects that other crates write, as the API promises them: the fields that each always has, and more may follow. What is
//! written or read here derives its schema where it is defined.

use schemars::JsonSchema;
use serde_json::{Map, Value};
use throughline_stored::{SessionObject, ViewSize};

use crate::inspector::LostRecords;

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
    Handoff { task_title: String, continuation_prompt: String }
    Changed { mark: Object, before: ViewSize, after: ViewSize }
    Compacted { compaction: Object }
    Refreshed { context: Object, text: String }
    Change {
        change: String, turn: Option<u64>, turns: Option<u64>, pin: Option<u64>, record: Option<u64>, part: Option<u64>,
        text: Option<String>, files: Option<bool>, confirm: Option<String>,
    }
    Confirm { confirm: String }
    PreferenceValue { value: Option<String> }
}

/// A session, and what of its log is lost.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
pub(crate) struct SessionDetails {
    #[schemars(flatten)]
    session: SessionObject<'static>,
    lost: Vec<LostRecords>,
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
