//! Outputs as a terminal shows them.

use super::screen_text;

#[test]
fn an_output_is_what_a_terminal_shows_in_the_end() {
    let bar: String = (0..=4_000).map(|n| format!("\rDownloading {}% {n} MB/s", n / 40)).collect();
    let cases = [
        (format!("{bar}\ndone\n"), "Downloading 100% 4000 MB/s\ndone\n"),
        ("long line\rab\n".to_owned(), "abng line\n"),
        ("long line\r\u{1b}[Kab\n".to_owned(), "ab\n"),
        ("\u{1b}[1;31merror\u{1b}[0m: x\n".to_owned(), "error: x\n"),
        ("a: 0%\nb: 0%\n\u{1b}[2Aa: 9%\n\u{1b}[2Kb: 8%\nend".to_owned(), "a: 9%\nb: 8%\nend"),
        ("\u{1b}]0;title\u{7}x\u{1b}]8;;http://h\u{1b}\\link\u{1b}]8;;\u{1b}\\\n".to_owned(), "xlink\n"),
        ("ab\u{8}c\r\nnext\n".to_owned(), "ac\nnext\n"),
        ("\u{1b}[999999999Bx".to_owned(), &"\n".repeat(1_000)),
    ];
    for (written, shown) in cases {
        let text = String::from_utf8(screen_text(written.clone().into_bytes())).unwrap();
        assert_eq!(text.trim_end_matches('x'), shown.trim_end_matches('x'), "{written:?}");
    }
}

#[test]
fn plain_and_binary_outputs_are_unchanged() {
    for output in [&b"a\r\nb\n"[..], b"plain  \n", b"\x1b[31m\xff", b"\0\x1b[0m", b"", b"x\r"] {
        assert_eq!(screen_text(output.to_vec()), output);
    }
}
