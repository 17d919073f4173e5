//! The rows of the expanded transcript.

use serde_json::json;

use super::expanded_at;
use crate::excerpt::ResultExcerpt;
use crate::palette::Palette;
use crate::port::Earlier;

/// The text without codes of attributes, such as bold.
fn unstyled(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let first = parts.next().unwrap().to_owned();
    parts.fold(first, |out, part| out + part.split_once('m').map_or(part, |(_, rest)| rest))
}

#[test]
fn nothing_is_left_out_and_nothing_reaches_the_terminal_raw() {
    let rows = |from: usize, to: usize| (from..=to).map(|row| format!("row {row}\n")).collect::<String>();
    let earlier = [
        Earlier::User(rows(1, 14)),
        Earlier::Thinking("I look.\n\nThen I **read**.".to_owned()),
        Earlier::Tool {
            name: "read_file".to_owned(),
            input: json!({ "path": "a.txt" }),
            is_error: false,
            result: ResultExcerpt::whole(format!("{}\u{1b}[2Jend", rows(15, 21))),
            stored: Some(2_048),
        },
        Earlier::Assistant("It is **fixed**.".to_owned()),
    ];
    let text = unstyled(&expanded_at(&earlier, 60, Palette::None));
    for row in 1..=21 {
        assert!(text.contains(&format!("row {row}\n")), "row {row}: {text}");
    }
    assert!(!text.contains("\u{1b}[2J"), "{text:?}");
    for part in ["∴ I look.", "Then I read.", "✓ read a.txt", "It is fixed."] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let colours = expanded_at(&earlier, 60, Palette::Terminal);
    assert!(colours.contains("\u{1b}[38;5;2m✓"), "{colours:?}");
}

#[test]
fn a_result_of_many_kilobytes_is_whole() {
    let long: String = (0..3_000).map(|row| format!("line {row}\n")).collect();
    let call = Earlier::Tool {
        name: "shell".to_owned(),
        input: json!({ "command": "seq" }),
        is_error: false,
        result: ResultExcerpt::whole(long),
        stored: None,
    };
    let text = unstyled(&expanded_at(&[call], 80, Palette::None));
    assert!(text.contains("line 1500\n") && !text.contains("more lines"));
}
