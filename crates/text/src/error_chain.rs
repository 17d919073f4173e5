//! Errors with their causes, in one line.

/// Formats an error and its causes in one line, the outermost first. A cause whose text is already in the line is left
/// out, because wrappers often repeat what they wrap.
#[must_use]
pub fn error_chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let message = cause.to_string();
        if !text.contains(&message) {
            text.push_str(": ");
            text.push_str(&message);
        }
        source = cause.source();
    }
    text
}

#[cfg(test)]
mod tests;
