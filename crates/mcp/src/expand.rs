//! Expands variables in configuration values.

/// Replaces `${NAME}` by the variable, and `${NAME:-text}` by the variable or, if it is unset or empty, by the text. Any
/// other `$` is unchanged.
///
/// # Errors
/// What is wrong, for the user: an unset variable, or an open brace.
pub(crate) fn expand(text: &str, lookup: &dyn Fn(&str) -> Option<String>) -> Result<String, String> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${") {
        out.push_str(before);
        let Some((inside, after_brace)) = after.split_once('}') else {
            return Err("a `${` has no `}`".to_owned());
        };
        let (name, default) = match inside.split_once(":-") {
            Some((name, default)) => (name, Some(default)),
            None => (inside, None),
        };
        if !is_name(name) {
            return Err("a `${…}` contains something that is not a variable name".to_owned());
        }
        match (lookup(name), default) {
            (Some(value), Some(default)) if value.is_empty() => out.push_str(default),
            (Some(value), _) => out.push_str(&value),
            (None, Some(default)) => out.push_str(default),
            (None, None) => {
                return Err(format!(
                    "the environment variable {name} is not set; set it, or write `${{{name}:-default}}`"
                ));
            }
        }
        rest = after_brace;
    }
    out.push_str(rest);
    Ok(out)
}

fn is_name(text: &str) -> bool {
    let mut bytes = text.bytes();
    bytes.next().is_some_and(|first| first.is_ascii_alphabetic() || first == b'_')
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

#[cfg(test)]
mod tests;
