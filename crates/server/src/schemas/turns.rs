//! The objects of turns.

use super::Fields;

pub(crate) const NEW_SESSION: &str = "NewSession";
pub(crate) const PROMPT: &str = "Prompt";
pub(crate) const RUNNING: &str = "RunningTurn";
pub(crate) const CANCELLED: &str = "Cancelled";
pub(crate) const ANSWER: &str = "Answer";
pub(crate) const ANSWERED: &str = "Answered";

pub(super) const SCHEMAS: &[(&str, Fields)] = &[
    (NEW_SESSION, &[("prompt", "string"), ("model", "string?"), ("workspace", "string?")]),
    (PROMPT, &[("prompt", "string?"), ("model", "string?")]),
    (
        RUNNING,
        &[
            ("session", "string?"),
            ("started_ms", "integer"),
            ("cancelled", "boolean"),
            ("questions", "array"),
        ],
    ),
    (CANCELLED, &[("session", "string"), ("ended", "boolean")]),
    (ANSWER, &[("answer", "string"), ("rule", "string?"), ("feedback", "string?")]),
    (ANSWERED, &[("session", "string"), ("question", "string")]),
];
