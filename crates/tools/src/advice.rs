//! Which part of a refused call's output is for the model alone.

use std::fmt::Display;

use serde_json::Value;

use crate::output::ToolOutput;

/// Begins the advice behind a refusal by the permissions.
pub const NO_OTHER_WAY: &str = "Do not try to reach the same in another way";

/// Begins the schema behind a complaint about arguments.
const FOLLOW_SCHEMA: &str = "Call it again with arguments that follow this schema";

/// How the advice begins that refusals give a model.
const ADVICE: [&str; 6] = [
    NO_OTHER_WAY,
    FOLLOW_SCHEMA,
    "and the answer is not going to change. Look at what it said before",
    "The turn ends soon if that continues",
    "The same call would be cut off again",
    SMALLER_PICTURE,
];

/// What the model does with a picture that is too large.
pub(crate) const SMALLER_PICTURE: &str = "Make a smaller copy with shell and read that.";

/// The output of a refused call without the advice for the model: what a user needs to read of it.
#[must_use]
pub fn without_advice(output: &str) -> &str {
    let start = ADVICE.iter().filter_map(|advice| output.find(advice)).min().unwrap_or(output.len());
    output.get(..start).unwrap_or(output).trim_end_matches([' ', ','])
}

/// The output of a call whose arguments do not follow the schema of its tool.
#[must_use]
pub fn wrong_arguments(tool: &str, why: &dyn Display, schema: &Value) -> ToolOutput {
    ToolOutput::error(format!("The arguments of {tool} are wrong: {why}. {FOLLOW_SCHEMA}: {schema}"))
}

#[cfg(test)]
mod tests;
