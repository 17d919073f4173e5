//! Fingerprints of content.

/// Computes FNV-1a with 64 bits (RFC 9923). It detects damage and accidental changes; it is not collision resistant
/// against an attacker. Stored records hold it, so it must not change.
#[must_use]
pub fn fingerprint(bytes: &[u8]) -> u64 {
    proceed(OFFSET, bytes)
}

/// The fingerprints of four contents, side by side: each step of one waits for the step before it, so four take hardly
/// longer than one, up to the length of the shortest.
#[must_use]
pub fn fingerprints(contents: [&[u8]; 4]) -> [u64; 4] {
    let common = contents.iter().map(|content| content.len()).min().unwrap_or_default();
    let [(one, one_rest), (two, two_rest), (three, three_rest), (four, four_rest)] =
        contents.map(|content| content.split_at_checked(common).unwrap_or_default());
    let mut hashes = [OFFSET; 4];
    for (((one, two), three), four) in one.iter().zip(two).zip(three).zip(four) {
        let [a, b, c, d] = hashes;
        hashes = [step(a, *one), step(b, *two), step(c, *three), step(d, *four)];
    }
    let [a, b, c, d] = hashes;
    [proceed(a, one_rest), proceed(b, two_rest), proceed(c, three_rest), proceed(d, four_rest)]
}

const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;

fn proceed(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, byte| step(hash, *byte))
}

fn step(hash: u64, byte: u8) -> u64 {
    (hash ^ u64::from(byte)).wrapping_mul(PRIME)
}

#[cfg(test)]
mod tests;
