//! The record format by its specification.

use super::{Value, values, varint};

#[test]
fn a_number_of_one_to_nine_bytes_is_read_and_a_cut_one_is_not() {
    for (bytes, expected) in [
        (&[0][..], 0),
        (&[0x7f], 127),
        (&[0x81, 0], 128),
        (&[0xff, 0x7f], 16_383),
        (&[0x81, 0x80, 0], 16_384),
        (&[0x81, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1], (1 << 49) + 1),
        (&[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f], (1 << 56) - 1),
        (&[0x80, 0xc0, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0], 1 << 56),
        (&[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], u64::MAX),
        (&[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1], u64::MAX - 0xfe),
    ] {
        let bytes = [&[0x55], bytes, &[0xff]].concat();
        let end = bytes.len() - 1;
        assert_eq!(varint(&bytes, 1), Some((expected, end)), "{bytes:x?}");
        assert_eq!(varint(&bytes[..end - 1], 1), None, "{bytes:x?}");
    }
    assert_eq!(varint(&[], 0), None);
    assert_eq!(varint(&[1], 2), None);
}

#[test]
fn a_payload_whose_header_and_length_do_not_fit_is_no_row() {
    // One number of two bytes, a text of one letter, a blob of one byte.
    let sound = [4, 2, 15, 14, 0x12, 0x34, b'a', 7];
    let row = vec![Value::Number(0x1234), Value::Text("a".to_owned()), Value::Bytes(vec![7])];
    assert_eq!(values(&sound), Some(row));
    assert_eq!(values(&sound[..7]), None, "a byte is missing");
    assert_eq!(values(&[&sound[..], &[0]].concat()), None, "a byte is left");
    assert_eq!(values(&[3, 0, 8]), Some(vec![Value::Null, Value::Number(0)]), "a header alone");
    assert_eq!(values(&[4, 0, 8]), None, "a header that is longer than the payload");
    assert_eq!(values(&[2, 0x81]), None, "a header that ends within a number");
    assert_eq!(values(&[]), None);
    for reserved in [10, 11] {
        assert_eq!(values(&[2, reserved]), None, "{reserved} is no kind of value");
    }
}

#[test]
fn each_kind_has_the_size_of_the_specification() {
    for (kind, size) in
        [(0, 0), (1, 1), (2, 2), (3, 3), (4, 4), (5, 6), (6, 8), (7, 8), (8, 0), (9, 0), (20, 4), (21, 4)]
    {
        let payload = |size: usize| [&[2, kind][..], &vec![b'x'; size]].concat();
        assert!(values(&payload(size)).is_some_and(|row| row.len() == 1), "{kind}");
        assert_eq!(values(&payload(size + 1)), None, "{kind}");
    }
}

#[test]
fn a_value_is_asked_for_by_its_kind() {
    let of =
        |value: &Value| (value.text().map(str::to_owned), value.number(), value.bytes().map(<[u8]>::to_vec));
    assert_eq!(of(&Value::Null), (None, None, None));
    assert_eq!(of(&Value::Number(7)), (None, Some(7), None));
    assert_eq!(of(&Value::Text("a".to_owned())), (Some("a".to_owned()), None, Some(vec![b'a'])));
    assert_eq!(of(&Value::Bytes(vec![1, 2])), (None, None, Some(vec![1, 2])));
}
