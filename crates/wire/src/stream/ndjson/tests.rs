//! The form of the stream.

use super::NdjsonLines;

#[test]
fn lines_whatever_the_pieces() {
    let text = "{\"a\":\"привет\"}\r\n\n  \n{\"b\":1}\n{\"c\"";
    for size in [1, 2, 3, 100] {
        let mut lines = NdjsonLines::new();
        let mut all: Vec<String> =
            text.as_bytes().chunks(size).flat_map(|piece| lines.push(piece)).map(Result::unwrap).collect();
        all.extend(lines.finish());
        assert_eq!(all, ["{\"a\":\"привет\"}", "{\"b\":1}", "{\"c\""]);
    }
}

#[test]
fn too_much_is_an_error_once() {
    let mut lines = NdjsonLines::with_limit(4);
    let all = lines.push(b"1234\n12345\n1\n");
    assert_eq!(all.len(), 2);
    assert_eq!(all[0].as_deref(), Ok("1234"));
    assert_eq!(all[1], Err(crate::stream::LineTooLong { limit: 4 }));
    assert_eq!(lines.push(b"1\n"), []);
    assert_eq!(lines.finish(), None);
}
