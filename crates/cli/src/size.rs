//! Parses numbers of tokens: `64k`, `200000`, `1m`.

/// Parses a number of tokens above 0: digits, with `k` or `m` for thousands or millions.
pub(crate) fn parse_tokens(text: &str) -> Result<u64, String> {
    match parse_budget(text)? {
        0 => Err(format!("{text:?} is not a number of tokens; write for example 64k or 200000")),
        tokens => Ok(tokens),
    }
}

/// The same, or 0.
pub(crate) fn parse_budget(text: &str) -> Result<u64, String> {
    let wrong = || format!("{text:?} is not a number of tokens; write for example 64k or 200000");
    let lower = text.trim().to_ascii_lowercase().replace(['_', ','], "");
    let (digits, factor) = match (lower.strip_suffix('k'), lower.strip_suffix('m')) {
        (Some(digits), _) => (digits.to_owned(), 1_000),
        (_, Some(digits)) => (digits.to_owned(), 1_000_000),
        _ => (lower.clone(), 1),
    };
    let number: u64 = digits.parse().map_err(|_| wrong())?;
    number.checked_mul(factor).ok_or_else(wrong)
}

#[cfg(test)]
mod tests;
