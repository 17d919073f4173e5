//! Numbers for people.

/// Formats a number with commas between thousands: `48231` is `48,231`.
#[must_use]
pub fn group_thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A number and the thing that it counts: `1 line`, `28 lines`, `2 matches`, `2 entries`, `1,200 tokens`.
#[must_use]
pub fn counted(number: u64, thing: &str) -> String {
    let (stem, end) = match thing.strip_suffix('y') {
        _ if number == 1 => (thing, ""),
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => (stem, "ies"),
        _ if thing.ends_with("ch") => (thing, "es"),
        _ => (thing, "s"),
    };
    format!("{} {stem}{end}", group_thousands(number))
}

/// The whole numbers in a text, in their order; commas and underscores between digits are skipped. Digits that are a part of a word or
/// of a fraction are no number.
#[must_use]
pub fn whole_numbers(text: &str) -> Vec<u64> {
    let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '.' | ',' | '_' | '-');
    text.split(|letter: char| !is_part(letter))
        .map(|word| word.trim_matches(|letter: char| !letter.is_alphanumeric()))
        .filter(|word| word.starts_with(|letter: char| letter.is_ascii_digit()))
        .filter_map(|word| word.replace([',', '_'], "").parse().ok())
        .collect()
}

/// A part of `whole` where the whole counts as `shown`, rounded down: parts never add up to more than the whole.
#[must_use]
pub fn scale_part(part: u64, whole: u64, shown: u64) -> u64 {
    let scaled = u128::from(part) * u128::from(shown) / u128::from(whole.max(1));
    u64::try_from(scaled).unwrap_or(shown)
}

#[cfg(test)]
mod tests;
