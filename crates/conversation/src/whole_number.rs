//! Whole numbers in JSON, as servers, models and clients write them.

use serde_json::Value;

/// A whole number, 0 or more: `12`, `12.0`, or the text `"12"`. `None` for anything else.
#[must_use]
pub fn whole_number(value: &Value) -> Option<u64> {
    /// From here on not every whole number has a fraction of its own.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    let whole = |number: &f64| (0.0..EXACT).contains(number) && number.fract() == 0.0;
    match value {
        Value::String(text) => text.trim().parse().ok(),
        _ => value.as_u64().or_else(|| value.as_f64().filter(whole).map(|number| number as u64)),
    }
}
