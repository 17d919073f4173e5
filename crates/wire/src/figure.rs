//! Figures of a usage report.

use serde_json::Value;

/// A number of tokens, as servers write it: `12`, `12.0`, or the text `"12"`. Anything else is no figure.
pub(crate) fn figure(value: &Value) -> Option<u64> {
    match value {
        Value::String(text) => text.trim().parse().ok(),
        // Exact below 2⁵³, which is far beyond any number of tokens.
        Value::Number(number) => number.as_u64().or_else(|| {
            let float = number.as_f64().filter(|float| (0.0..9e15).contains(float))?;
            (float.fract() == 0.0).then_some(float as u64)
        }),
        _ => None,
    }
}

/// The figure at this field of a report; 0 without one.
pub(crate) fn field(report: &Value, name: &str) -> u64 {
    report.get(name).and_then(figure).unwrap_or(0)
}
