//! Names of plugins and marketplaces.

/// Maximum bytes of a name: with the name behind it, it is the name of a tool or a command.
const MAX_BYTES: usize = 64;

/// Returns true for 1 to 64 of `a-z`, `0-9` and `-` that neither begin nor end with `-`. Such a name is one part of a path.
pub(crate) fn is_name(text: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    !text.is_empty()
        && text.len() <= MAX_BYTES
        && text.bytes().all(is_plain)
        && !text.starts_with('-')
        && !text.ends_with('-')
}

/// What a name may have, for an error.
pub(crate) const RULE: &str = "use 1 to 64 of a-z, 0-9 and -, such as code-review";
