//! The published test vectors.

use super::fingerprint;

// The published test vectors of FNV-1a, 64 bits: stored records hold these numbers.
#[test]
fn fingerprints_never_change() {
    assert_eq!(fingerprint(b""), 0xcbf2_9ce4_8422_2325);
    assert_eq!(fingerprint(b"a"), 0xaf63_dc4c_8601_ec8c);
    assert_eq!(fingerprint(b"foobar"), 0x8594_4171_f739_67e8);
}
