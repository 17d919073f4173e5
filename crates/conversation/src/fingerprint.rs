//! A short number that tells contents apart.

/// FNV-1a, 64 bits (RFC 9923): tells content that was damaged or changed by accident. It is no defence against
/// intent.
#[must_use]
pub fn fingerprint(bytes: &[u8]) -> u64 {
    const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0000_0100_0000_01b3;
    bytes.iter().fold(OFFSET, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(PRIME))
}
