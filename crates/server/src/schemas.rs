//! The objects of answers and bodies: the fields that each always has, with their types.

mod turns;

use serde_json::{Map, Value, json};

pub(crate) use turns::{ANSWER, ANSWERED, CANCELLED, NEW_SESSION, PROMPT, RUNNING};

pub(crate) const OPENAPI: &str = "OpenApi";
pub(crate) const SESSION: &str = "Session";
pub(crate) const TURN: &str = "Turn";
pub(crate) const GROUP: &str = "Group";
pub(crate) const RECEIPT: &str = "Receipt";
pub(crate) const REQUEST: &str = "Request";
pub(crate) const PIECE: &str = "Piece";
pub(crate) const POINT: &str = "BudgetPoint";
pub(crate) const CAUSE: &str = "CauseCost";
pub(crate) const COMPACTION: &str = "Compaction";
pub(crate) const DIFF: &str = "CompactionDiff";
pub(crate) const SUMMARY: &str = "Summary";
pub(crate) const REVISION: &str = "Revision";
pub(crate) const CONTEXT: &str = "Context";
pub(crate) const CONTINUITY: &str = "Continuity";
pub(crate) const CHECKPOINT: &str = "Checkpoint";
pub(crate) const HANDOFF: &str = "Handoff";
pub(crate) const CHANGE: &str = "Change";
pub(crate) const CHANGED: &str = "Changed";
pub(crate) const COMPACT: &str = "Compact";
pub(crate) const COMPACTED: &str = "Compacted";
pub(crate) const REFRESH: &str = "Refresh";
pub(crate) const REFRESHED: &str = "Refreshed";
pub(crate) const CONFIRM: &str = "Confirm";
pub(crate) const DELETED: &str = "Deleted";
pub(crate) const TURN_DELETED: &str = "TurnDeleted";
pub(crate) const HIT: &str = "SearchHit";
pub(crate) const WATCHED: &str = "WatchedSession";
pub(crate) const MEMO: &str = "Memo";
pub(crate) const PREFERENCE: &str = "Preference";
pub(crate) const VALUE: &str = "PreferenceValue";

/// Fields with their JSON types; `any` is every type, and `?` behind a type allows null.
type Fields = &'static [(&'static str, &'static str)];

const SCHEMAS: &[(&str, Fields)] = &[
    (OPENAPI, &[("openapi", "string"), ("info", "object"), ("paths", "object"), ("components", "object")]),
    (
        SESSION,
        &[
            ("session", "string"),
            ("title", "string"),
            ("workspace", "string"),
            ("model", "string"),
            ("created_ms", "integer"),
            ("last_activity_ms", "integer"),
            ("records", "integer"),
            ("exchanges", "integer"),
            ("requests", "integer"),
            ("cost_usd", "number?"),
            ("cost_usd_at_least", "number?"),
        ],
    ),
    (
        TURN,
        &[
            ("group", "integer"),
            ("status", "string"),
            ("shown", "string"),
            ("tokens", "integer?"),
            ("parts", "array"),
        ],
    ),
    (
        GROUP,
        &[
            ("group", "integer"),
            ("status", "string"),
            ("shown", "string"),
            ("at_ms", "integer"),
            ("first_record", "integer"),
            ("last_record", "integer"),
            ("messages", "integer"),
            ("calls", "integer"),
            ("tokens", "integer?"),
            ("request", "string"),
        ],
    ),
    (
        RECEIPT,
        &[
            ("turn", "integer"),
            ("request", "integer"),
            ("upto", "integer"),
            ("epoch", "integer"),
            ("model", "string"),
            ("window", "object"),
            ("pressure", "string"),
            ("decisions", "array"),
            ("predicted", "object"),
            ("stop", "string"),
        ],
    ),
    (REQUEST, &[("receipt", "object"), ("request", "object")]),
    (
        PIECE,
        &[
            ("kind", "string"),
            ("name", "string"),
            ("source", "object"),
            ("tokens", "integer"),
            ("cached", "boolean"),
            ("text", "string"),
            ("cost", "object"),
            ("reason", "object"),
        ],
    ),
    (
        POINT,
        &[
            ("request", "integer"),
            ("turn", "integer"),
            ("record", "integer"),
            ("at_ms", "integer"),
            ("model", "string"),
            ("window", "object"),
            ("usage", "object"),
            ("is_reported", "boolean"),
            ("compacted", "integer?"),
            ("idle_ms", "integer?"),
            ("miss", "string?"),
            ("dollars", "number?"),
        ],
    ),
    (
        CAUSE,
        &[
            ("cause", "string"),
            ("requests", "integer"),
            ("tokens", "integer"),
            ("dollars", "number"),
            ("unpriced", "integer"),
        ],
    ),
    (
        COMPACTION,
        &[
            ("number", "integer"),
            ("record", "integer"),
            ("undone", "boolean"),
            ("reason", "string?"),
            ("strategies", "array?"),
            ("request", "integer?"),
            ("before_tokens", "integer?"),
            ("after_tokens", "integer?"),
        ],
    ),
    (
        DIFF,
        &[
            ("number", "integer"),
            ("of", "integer"),
            ("edit", "integer"),
            ("at", "integer"),
            ("reason", "any"),
            ("strategies", "array"),
            ("undone", "boolean"),
            ("before", "object"),
            ("after", "object"),
            ("covers", "array"),
            ("replaced", "array"),
            ("pictures", "array"),
            ("needed", "object?"),
        ],
    ),
    (
        SUMMARY,
        &[
            ("record", "integer"),
            ("at", "integer"),
            ("span", "object"),
            ("tokens", "integer"),
            ("status", "string"),
            ("first_line", "string"),
        ],
    ),
    (
        REVISION,
        &[
            ("document", "string"),
            ("revision", "integer"),
            ("at_ms", "integer"),
            ("by", "any"),
            ("status", "string"),
            ("text", "string"),
        ],
    ),
    (
        CONTEXT,
        &[
            ("sessionId", "string"),
            ("workerId", "string"),
            ("timestamp", "integer"),
            ("source", "string"),
            ("covers", "integer"),
        ],
    ),
    (
        CONTINUITY,
        &[
            ("agent", "string?"),
            ("state", "string"),
            ("contexts", "integer"),
            ("newest", "string?"),
            ("newest_ms", "integer?"),
            ("behind", "integer"),
            ("handoff", "boolean"),
        ],
    ),
    (
        CHECKPOINT,
        &[
            ("number", "integer"),
            ("record", "integer"),
            ("reason", "any"),
            ("at_ms", "integer"),
            ("handoff", "boolean"),
        ],
    ),
    (HANDOFF, &[("task_title", "string"), ("continuation_prompt", "string")]),
    (CHANGE, &[("change", "string")]),
    (CHANGED, &[("mark", "object"), ("before", "object"), ("after", "object")]),
    (COMPACT, &[("instructions", "string?")]),
    (COMPACTED, &[("compaction", "object")]),
    (REFRESH, &[("worker", "string?")]),
    (REFRESHED, &[("context", "object"), ("text", "string")]),
    (CONFIRM, &[("confirm", "string")]),
    (DELETED, &[("session", "string"), ("memos", "integer")]),
    (
        TURN_DELETED,
        &[
            ("group", "integer"),
            ("records", "integer"),
            ("results", "integer"),
            ("memos", "integer"),
            ("repeated_in", "array"),
            ("title", "string?"),
        ],
    ),
    (
        HIT,
        &[
            ("session", "string"),
            ("title", "string"),
            ("turn", "integer?"),
            ("record", "integer?"),
            ("kind", "string"),
            ("excerpt", "string"),
        ],
    ),
    (
        WATCHED,
        &[
            ("agent", "string"),
            ("session", "string"),
            ("title", "string"),
            ("workspace", "string"),
            ("last_activity_ms", "integer"),
            ("continuity", "object"),
        ],
    ),
    (
        MEMO,
        &[
            ("memo", "string"),
            ("content", "string"),
            ("tags", "array"),
            ("workspace", "string?"),
            ("created_ms", "integer"),
            ("updated_ms", "integer"),
        ],
    ),
    (PREFERENCE, &[("key", "string"), ("value", "string"), ("from", "string")]),
    (VALUE, &[("value", "string?")]),
];

/// The schemas as an OpenAPI document holds them.
pub(crate) fn schemas() -> Value {
    let all = SCHEMAS.iter().chain(turns::SCHEMAS).map(|(name, fields)| ((*name).to_owned(), schema(fields)));
    Value::Object(all.collect::<Map<String, Value>>())
}

fn schema(fields: Fields) -> Value {
    let optional = |kind: &str| kind.ends_with('?');
    let properties = fields.iter().map(|(name, kind)| {
        let kind = match (*kind, kind.strip_suffix('?')) {
            ("any", _) => json!({}),
            (_, Some(kind)) => json!({ "type": [kind, "null"] }),
            (kind, None) => json!({ "type": kind }),
        };
        ((*name).to_owned(), kind)
    });
    let required: Vec<&str> =
        fields.iter().filter(|(_, kind)| !optional(kind)).map(|(name, _)| *name).collect();
    json!({
        "type": "object",
        "properties": properties.collect::<Map<String, Value>>(),
        "required": required,
    })
}
