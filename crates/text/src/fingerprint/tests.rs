//! The published test vectors.

use super::{fingerprint, fingerprints};

// The published test vectors of FNV-1a, 64 bits: stored records hold these numbers.
#[test]
fn fingerprints_never_change() {
    assert_eq!(fingerprint(b""), 0xcbf2_9ce4_8422_2325);
    assert_eq!(fingerprint(b"a"), 0xaf63_dc4c_8601_ec8c);
    assert_eq!(fingerprint(b"foobar"), 0x8594_4171_f739_67e8);
}

#[test]
fn four_at_once_are_those_of_each() {
    let contents: [&[u8]; 4] = [b"foobar", b"", b"a", b"a longer content than the others"];
    for shift in 0..4 {
        let mut contents = contents;
        contents.rotate_left(shift);
        assert_eq!(fingerprints(contents), contents.map(fingerprint));
    }
    let equal: [&[u8]; 4] = [b"abcd", b"bcde", b"cdef", b"defg"];
    assert_eq!(fingerprints(equal), equal.map(fingerprint));
}
