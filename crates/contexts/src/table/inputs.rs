//! Inputs of the operations that no session carries out, and the table as a value.

use schemars::JsonSchema;
use serde::Serialize;

use super::{OPERATIONS, OperationEntry};
use crate::error::ErrorCode;
use crate::words::{Object, object};

/// `list` takes no field.
#[derive(Debug, Clone, Copy, serde::Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(description = "The open contexts, by id.")]
pub(super) struct List {}

/// All operations, with the schemas of their inputs and outputs and their error codes.
#[derive(Debug, Clone, Copy, serde::Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Describe {}

/// The table of operations.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(super) struct OperationList {
    /// Each operation.
    operations: Vec<DescribedOperation>,
}

/// An operation, as the table has it.
#[derive(Debug, Clone, Serialize, JsonSchema)]
struct DescribedOperation {
    /// Its name.
    name: &'static str,
    /// What it does.
    about: String,
    /// The JSON schema of its input, with `context` and `key`.
    input: Object,
    /// The JSON schema of its output.
    output: Object,
    /// The codes of the errors that it may return.
    errors: Vec<ErrorCode>,
}

/// The table as a value.
pub(super) fn described() -> OperationList {
    let describe = |entry: &OperationEntry| DescribedOperation {
        name: entry.name,
        about: entry.about(),
        input: object(entry.whole_input()),
        output: object(entry.whole_output()),
        errors: entry.errors().collect(),
    };
    OperationList { operations: OPERATIONS.iter().map(describe).collect() }
}

/// Writes what is pending and closes the context. Its session stays, also in memory.
#[derive(Debug, Clone, Copy, serde::Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Close {
    /// Forgets the session, which is only in memory. A session that is stored is deleted elsewhere: the error `not_possible`.
    #[serde(default)]
    pub(super) forget: bool,
}
