//! Fingerprints of content.

/// Computes FNV-1a with 64 bits (RFC 9923). It detects damage and accidental changes; it is not collision resistant
/// against an attacker. Stored records hold it, so it must not change.
#[must_use]
pub fn fingerprint(bytes: &[u8]) -> u64 {
    const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0000_0100_0000_01b3;
    bytes.iter().fold(OFFSET, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(PRIME))
}

#[cfg(test)]
mod tests;
