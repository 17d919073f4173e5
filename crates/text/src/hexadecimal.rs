//! Bytes as digits.

/// Two lowercase hexadecimal digits for each byte.
#[must_use]
pub fn hexadecimal<'b>(bytes: impl IntoIterator<Item = &'b u8>) -> String {
    const DIGITS: [char; 16] =
        ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'];
    let halves = bytes.into_iter().flat_map(|byte| [byte >> 4, byte & 15]);
    halves.filter_map(|half| DIGITS.get(usize::from(half))).collect()
}

#[cfg(test)]
mod tests;
