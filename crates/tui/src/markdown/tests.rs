//! Markdown as lines, whole and as it streams in.

use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::{Stream, render};
use crate::layout::break_at_width;
use crate::line::Line;
use crate::palette::Palette;

fn text(lines: &[Line]) -> String {
    lines.iter().map(Line::text).collect::<Vec<_>>().join("\n")
}

fn check(source: &str, columns: usize, expected: &Expect) {
    expected.assert_eq(&text(&render(source, columns)));
}

#[test]
fn blocks_have_an_empty_line_between_them() {
    check(
        "# Title\nSome *words* and `code`.\n\n- one\n- two\n  - deep\n\n  more\n\n1. first\n2. second\n\n> quote\n> more\n\n---\nend",
        40,
        &expect![[r#"
            Title

            Some words and code.

            - one
            - two
              - deep
              more

            1. first
            2. second

            │ quote
            │ more

            ────────────────────────────────────────

            end"#]],
    );
}

#[test]
fn code_is_unchanged() {
    check(
        "```rust\nfn main() {\n\n    long_line_that_is_not_broken_by_us();\n}\n```\nafter",
        20,
        &expect![[r#"
            fn main() {

                long_line_that_is_not_broken_by_us();
            }

            after"#]],
    );
    check(
        "- item\n\n      indented code\n",
        30,
        &expect![[r#"
            - item
              indented code"#]],
    );
}

#[test]
fn code_is_lightly_coloured() {
    let source = "```rust\nlet a = \"x\\\"y\"; // why\n```\n\n```py\n# all\ndef f(a): return a#1\n```\n\n```diff\n-old\n+new\n```\n\n```\nplain \"text\"\n```";
    let lines = render(source, 60);
    let shown: Vec<String> =
        lines.iter().map(|line| line.encoded(Palette::Terminal, 80).replace('\u{1b}', "")).collect();
    expect![[r#"
        [38;5;5mlet[39m a = [38;5;2m"x\"y"[39m; [2m// why[0m

        [2m# all[0m
        [38;5;5mdef[39m f(a): [38;5;5mreturn[39m a#1

        [38;5;1m-old[39m
        [38;5;2m+new[39m

        plain "text""#]]
    .assert_eq(&shown.join("\n"));
    assert!(
        lines.iter().all(|line| !line.encoded(Palette::None, 80).contains("[3")),
        "without colours there are none"
    );
}

#[test]
fn tables_are_aligned_or_listed() {
    let table = "| name | size |\n|---|---:|\n| a.rs | 12 |\n| 日本語.rs | 3,400 |\n";
    check(
        table,
        40,
        &expect![[r#"
            name        size
            ─────────  ─────
            a.rs          12
            日本語.rs  3,400"#]],
    );
    check(
        table,
        9,
        &expect![[r#"
        name:
        a.rs
        size: 12

        name: 日
        本語.rs
        size:
        3,400"#]],
    );
}

#[test]
fn a_link_says_where_it_leads() {
    check(
        "[docs](https://example.org) and <https://example.org>",
        80,
        &expect!["docs (https://example.org) and https://example.org"],
    );
}

#[test]
fn html_is_shown_verbatim() {
    check(
        "a <b>bold</b>\n\n<script>\nalert(1)\n</script>\n",
        40,
        &expect![[r#"
        a <b>bold</b>

        <script>
        alert(1)
        </script>"#]],
    );
}

/// What is given out after each piece, and what is open.
fn streamed(pieces: &[&str]) -> String {
    let mut stream = Stream::default();
    let mut out = String::new();
    for piece in pieces {
        stream.push(piece);
        let given = text(&stream.complete(40));
        let open = text(&stream.open(40));
        out.push_str(&format!("given {given:?} open {open:?}\n"));
    }
    out.push_str(&format!("end {:?}\n", text(&stream.finish(40))));
    out
}

#[test]
fn whole_blocks_are_given_out_and_the_open_one_stays() {
    let shown = streamed(&[
        "Some te",
        "xt.\n",
        "\nMore",
        " text\n\n",
        "```sh\nls\n",
        "cat",
        " x\n```",
        "\n\nThe end",
    ]);
    expect![[r#"
        given "" open "Some te"
        given "" open "Some text."
        given "" open "Some text.\n\nMore"
        given "Some text." open "\nMore text"
        given "\nMore text\n\nls" open ""
        given "" open "cat"
        given "cat x" open "```"
        given "" open "\nThe end"
        end "\nThe end"
    "#]]
    .assert_eq(&shown);
}

#[test]
fn a_list_is_given_out_item_by_item() {
    let shown = streamed(&["Items:\n\n- a\n", "- b\n  more\n", "- c\n", "\nThen text.\n"]);
    expect![[r#"
        given "Items:" open "\n- a"
        given "\n- a" open "- b\n  more"
        given "- b\n  more" open "- c"
        given "- c" open "\nThen text."
        end "\nThen text."
    "#]]
    .assert_eq(&shown);
}

#[test]
fn a_very_long_block_shows_its_end_and_comes_out_whole() {
    let mut stream = Stream::default();
    let mut given = Vec::new();
    for line in 0..4_000 {
        stream.push(&format!("line {line} of one paragraph  \n"));
        given.extend(stream.complete(60));
    }
    let open = stream.open(60);
    assert!(given.is_empty() && open.len() < 1_500, "{}", open.len());
    assert_eq!(open.last().map(Line::text).as_deref(), Some("line 3999 of one paragraph"));
    stream.push("\nnext\n");
    given.extend(stream.finish(60));
    assert_eq!(given.iter().filter(|line| line.text().starts_with("line ")).count(), 4_000);
}

#[test]
fn a_line_that_is_not_at_its_end_decides_nothing() {
    expect![[r#"
        given "" open "para\n"
        given "" open "para\n#hash"
        given "" open "para\n#hash continues"
        given "para\n#hash continues" open "\nnext"
        end "\nnext"
    "#]]
    .assert_eq(&streamed(&["para\n#", "hash", " continues\n", "\nnext\n"]));
}

proptest! {
    /// However an answer is cut into pieces, what is given out in the end says the same as the whole.
    #[test]
    fn pieces_give_the_same_words(
        blocks in proptest::collection::vec("(# h\n|word [a-z ]{0,30}\n|- item\n|1\\. n\n|\n|```\n|> q\n|\\| a \\| b \\|\n|    code\n|~~~x\n|\\*\\*b)", 0..12),
        cuts in proptest::collection::vec(1_usize..9, 1..40),
    ) {
        let source: String = blocks.concat();
        let mut stream = Stream::default();
        let mut lines = Vec::new();
        let mut rest = source.as_str();
        for cut in cuts.iter().cycle() {
            if rest.is_empty() {
                break;
            }
            let (piece, behind) = rest.split_at(rest.ceil_char_boundary(*cut));
            stream.push(piece);
            lines.extend(stream.complete(30));
            let _ = stream.open(30);
            rest = behind;
        }
        lines.extend(stream.finish(30));
        let words = |lines: &[Line]| -> String {
            text(lines).chars().filter(|letter| letter.is_alphabetic()).collect()
        };
        prop_assert_eq!(words(&lines), words(&render(&source, 30)));
    }

    #[test]
    fn any_text_fits(source in "\\PC{0,80}|[-#>|`*_ \n0-9a-z.\\[\\]()!~]{0,80}", columns in 1_usize..40) {
        for line in render(&source, columns) {
            // Code is broken by the terminal; narrower than a list's own marks nothing fits.
            let least = columns.max(24);
            prop_assert!(line.is_whole() || break_at_width(&line, least).len() == 1, "{:?}", line.text());
        }
    }
}
