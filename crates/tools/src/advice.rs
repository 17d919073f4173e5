//! Which part of a refused call's output is for the model alone.

/// Begins the advice behind a refusal by the permissions.
pub const NO_OTHER_WAY: &str = "Do not try to reach the same in another way";

/// How the advice begins that refusals give a model.
const ADVICE: [&str; 4] = [
    NO_OTHER_WAY,
    "and the answer is not going to change. Look at what it said before",
    "The turn ends soon if that continues",
    "The same call would be cut off again",
];

/// The output of a refused call without the advice for the model: what a user needs to read of it.
#[must_use]
pub fn without_advice(output: &str) -> &str {
    let start = ADVICE.iter().filter_map(|advice| output.find(advice)).min().unwrap_or(output.len());
    output.get(..start).unwrap_or(output).trim_end_matches([' ', ','])
}

#[cfg(test)]
mod tests;
