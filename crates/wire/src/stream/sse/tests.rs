//! The form of the stream.

use expect_test::{Expect, expect};

use super::SseLines;

fn read(mut lines: SseLines, pieces: &[&[u8]]) -> String {
    let mut events: Vec<_> = pieces.iter().flat_map(|piece| lines.push(piece)).collect();
    events.extend(lines.finish());
    let line = |event: Result<super::SseEvent, crate::stream::LineTooLong>| match event {
        Ok(event) => format!("[{}] {:?}\n", event.event, event.data),
        Err(error) => format!("{error}\n"),
    };
    events.into_iter().map(line).collect()
}

/// As one piece and byte by byte.
fn check(text: &str, after: &Expect) {
    after.assert_eq(&read(SseLines::new(), &[text.as_bytes()]));
    let bytes: Vec<&[u8]> = text.as_bytes().chunks(1).collect();
    after.assert_eq(&read(SseLines::new(), &bytes));
}

#[test]
fn ends_of_lines_comments_and_other_fields() {
    check(
        "\u{feff}: hello\r\nid: 7\nevent: a\rdata: 1\r\rretry: 5\r\ndata:two\r\n\r\ndata\n\nevent: lost\n\ndata:  ы\n\n",
        &expect![[r#"
            [a] "1"
            [] "two"
            [] " ы"
        "#]],
    );
}

#[test]
fn data_of_several_lines_and_no_blank_line_at_the_end() {
    check(
        "event: a\ndata: {\ndata:  \"x\": 1\ndata: }\n\nevent: b\ndata: [DONE]",
        &expect![[r#"
            [a] "{\n \"x\": 1\n}"
            [b] "[DONE]"
        "#]],
    );
}

#[test]
fn bytes_that_are_no_text_spoil_no_other_event() {
    let after = expect![[r#"
        [] "a�b"
        [] "c"
    "#]];
    after.assert_eq(&read(SseLines::new(), &[b"data: a\xd0b\n", b"\ndata: c\n\n"]));
}

#[test]
fn too_much_is_an_error_once() {
    let after = expect![[r#"
        [] "12345"
        the stream holds a line or an event of more than 12 bytes
    "#]];
    let line = b"data: 12345\n\ndata: 1234567\n\ndata: 1\n\n";
    after.assert_eq(&read(SseLines::with_limit(12), &[line]));
    after.assert_eq(&read(SseLines::with_limit(12), &line.chunks(1).collect::<Vec<_>>()));
    // Many short lines are as long as one long line.
    let lines = b"data: 12345\n\ndata: 12345\ndata: 12345\ndata: 12345\n\ndata: 1\n\n";
    after.assert_eq(&read(SseLines::with_limit(12), &[lines]));
}
