//! Cut and joined output.

use super::*;

#[test]
fn a_character_in_two_parts_is_joined() {
    let outputs = Outputs::default();
    let text = |call: &str, part: &[u8]| outputs.newest(call, part).map(|(text, _)| text);
    let all = "aü€😀".as_bytes();
    for cut in 1..all.len() {
        let (one, two) = all.split_at(cut);
        let (one, two) = (text("c", one).unwrap_or_default(), text("c", two).unwrap_or_default());
        assert_eq!(one + &two, "aü€😀", "cut at {cut}");
    }
    // Invalid text is replaced by a mark, and calls do not mix.
    assert_eq!(text("c", b"x\xff"), Some("x\u{fffd}".to_owned()));
    assert_eq!(text("c", &all[1..2]), None);
    assert_eq!(text("d", b"y"), Some("y".to_owned()));
    outputs.ended("c");
    assert_eq!(text("c", b"z"), Some("z".to_owned()));
}

#[test]
fn a_stalled_screen_bounds_the_output() {
    let outputs = Outputs::default();
    let part = vec![b'x'; 64 * 1024];
    let mut waiting: Vec<_> = (0..10_000).filter_map(|_| outputs.newest("c", &part)).collect();
    let bytes: usize = waiting.iter().map(|(text, _)| text.len()).sum();
    assert!(
        waiting.len() >= WAITING && bytes <= (WAITING + 2) * NEWEST,
        "{} parts, {bytes} bytes",
        waiting.len()
    );
    waiting.clear();
    assert!(outputs.newest("c", &part).is_some(), "it continues when the screen does");
}
