//! Fences of code around JSON.

/// The text without white space and a fence of code around it: models write JSON in one. A fence that is only at one end stays.
#[must_use]
pub fn without_fence(text: &str) -> &str {
    let text = text.trim();
    let inner = text.strip_prefix("```json").or_else(|| text.strip_prefix("```"));
    inner.and_then(|inner| inner.strip_suffix("```")).unwrap_or(text).trim()
}

#[cfg(test)]
mod tests;
