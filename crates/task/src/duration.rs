//! Spans of time as people write them: `4h`, `1h30m`, `90s`.

use std::time::Duration;

/// Reads a span. `None`: it has another form, or is no time at all.
pub(crate) fn parse(text: &str) -> Option<Duration> {
    let mut rest = text.trim();
    let mut seconds: u64 = 0;
    while !rest.is_empty() {
        let digits = rest.find(|letter: char| !letter.is_ascii_digit())?;
        let (number, unit) = rest.split_at_checked(digits)?;
        let unit = unit.trim_start();
        let letters = unit.find(|letter: char| !letter.is_ascii_alphabetic()).unwrap_or(unit.len());
        let (unit, after) = unit.split_at_checked(letters)?;
        let factor = match unit {
            "d" => 86_400,
            "h" => 3_600,
            "m" | "min" => 60,
            "s" => 1,
            _ => return None,
        };
        let part = number.parse::<u64>().ok()?.checked_mul(factor)?;
        seconds = seconds.checked_add(part)?;
        rest = after.trim_start();
    }
    (seconds > 0).then(|| Duration::from_secs(seconds))
}

/// Shows a span in the same form, in whole seconds.
pub(crate) fn show(span: Duration) -> String {
    let seconds = span.as_secs();
    let parts = [(seconds / 3_600, 'h'), (seconds / 60 % 60, 'm'), (seconds % 60, 's')];
    let text: String =
        parts.iter().filter(|(count, _)| *count > 0).map(|(count, unit)| format!("{count}{unit}")).collect();
    if text.is_empty() { "0s".to_owned() } else { text }
}

#[cfg(test)]
mod tests;
