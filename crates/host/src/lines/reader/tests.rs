//! Lines, and lines that are too long.

use super::*;

#[tokio::test]
async fn a_line_that_is_too_long_is_skipped_whole() {
    let text = b"one\n\n0123456789\ntwo\nlast".as_slice();
    for capacity in [1, 3, 64] {
        let mut input = tokio::io::BufReader::with_capacity(capacity, text);
        let mut lines = Vec::new();
        loop {
            match read_line(&mut input, 5).await.unwrap() {
                Line::End => break,
                line => lines.push(line),
            }
        }
        let whole = |text: &str| Line::Whole(text.as_bytes().to_vec());
        assert_eq!(
            lines,
            [whole("one"), whole(""), Line::TooLong, whole("two"), whole("last")],
            "{capacity}"
        );
    }
}
