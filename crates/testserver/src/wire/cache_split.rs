//! How much of what was written to Anthropic's cache is kept for 5 minutes, and how much for an hour.

use serde_json::Value;

/// Tokens kept for 5 minutes and for an hour.
///
/// Markers for an hour come before those for 5 minutes, so what is written up to the last of them is kept for
/// an hour. The tokens are shared out by the bytes in front of the markers.
pub(super) fn split(body: &Value, written: u64) -> (u64, u64) {
    let (mut before, mut hour, mut all) = (0_usize, 0_usize, 0_usize);
    for block in blocks(body) {
        before += block.to_string().len();
        if let Some(marker) = block.get("cache_control").filter(|marker| !marker.is_null()) {
            all = before;
            if marker.get("ttl").and_then(Value::as_str) == Some("1h") {
                hour = before;
            }
        }
    }
    let whole = u128::try_from(all.max(1)).unwrap_or(1);
    let share = u128::from(written) * u128::try_from(hour).unwrap_or(0) / whole;
    let hour = u64::try_from(share).unwrap_or(written).min(written);
    (written - hour, hour)
}

/// All that can carry a marker, in the order of the prefix.
fn blocks(body: &Value) -> impl Iterator<Item = &Value> {
    let list = |field: &'static str| body.get(field).and_then(Value::as_array).into_iter().flatten();
    let contents = list("messages").filter_map(|message| message.get("content")).flat_map(|content| {
        let parts: &[Value] = match content {
            Value::Array(parts) => parts,
            other => std::slice::from_ref(other),
        };
        parts
    });
    list("tools").chain(list("system")).chain(contents)
}
