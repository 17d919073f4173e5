//! The token of a request.

/// The token in the value of the header `Authorization`, for the scheme `Bearer` in any case (RFC 9110, 11.1).
#[must_use]
pub fn bearer_token(value: &str) -> Option<&str> {
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim_matches(' '))
}

#[cfg(test)]
mod tests;
