//! The text that is typed.

use expect_test::expect;
use proptest::prelude::*;

use super::Editor;

/// The text with the cursor as `|`.
fn seen(editor: &Editor) -> String {
    let before = editor.before();
    format!("{before}|{}", editor.text().get(before.len()..).unwrap())
}

fn typed(text: &str) -> Editor {
    let mut editor = Editor::default();
    editor.insert(text);
    editor
}

#[test]
fn words_and_lines_are_cut_and_put_back() {
    let mut editor = typed("one two\nthree four");
    editor.kill_word();
    expect!["one two\nthree |"].assert_eq(&seen(&editor));
    editor.kill_to_start();
    expect!["one two\n|"].assert_eq(&seen(&editor));
    editor.yank();
    expect!["one two\nthree |"].assert_eq(&seen(&editor));
    editor.home();
    editor.word_right();
    expect!["one two\nthree| "].assert_eq(&seen(&editor));
    editor.kill_to_end();
    editor.word_left();
    editor.word_left();
    expect!["one |two\nthree"].assert_eq(&seen(&editor));
    editor.kill_to_end();
    editor.kill_to_end();
    expect!["one |three"].assert_eq(&seen(&editor));
    editor.undo();
    editor.undo();
    expect!["one |two\nthree"].assert_eq(&seen(&editor));
}

#[test]
fn moves_are_by_grapheme_clusters() {
    let mut editor = typed("ae\u{301}👨\u{200d}👩\u{200d}👧");
    editor.left();
    editor.left();
    expect!["a|é👨‍👩‍👧"].assert_eq(&seen(&editor));
    editor.delete();
    expect!["a|👨‍👩‍👧"].assert_eq(&seen(&editor));
    editor.right();
    editor.backspace();
    expect!["a|"].assert_eq(&seen(&editor));
}

#[test]
fn up_and_down_stay_in_the_column() {
    let mut editor = typed("abcdef\nab\nabcdef");
    assert!(editor.up(20));
    expect!["abcdef\nab|\nabcdef"].assert_eq(&seen(&editor));
    assert!(editor.up(20));
    assert!(!editor.up(20));
    expect!["ab|cdef\nab\nabcdef"].assert_eq(&seen(&editor));
    assert!(editor.down(20) && editor.down(20) && !editor.down(20));
}

#[test]
fn a_large_paste_is_one_mark_and_is_sent_whole() {
    let pasted = "line\n".repeat(120);
    let mut editor = typed("see ");
    editor.paste(&pasted);
    editor.paste(&pasted);
    editor.insert(" end");
    expect!["see [pasted 120 lines][pasted 120 lines #2] end|"].assert_eq(&seen(&editor));
    assert_eq!(editor.full_text(), format!("see {pasted}{pasted} end"));
    for _ in 0..5 {
        editor.backspace();
    }
    expect!["see [pasted 120 lines]|"].assert_eq(&seen(&editor));
    editor.left();
    expect!["see |[pasted 120 lines]"].assert_eq(&seen(&editor));
    assert_eq!(editor.take(), format!("see {pasted}"));
    assert!(editor.is_empty());
}

#[test]
fn a_large_paste_is_there_again_with_its_mark() {
    let pasted = "line\n".repeat(120);
    let other = "another line\n".repeat(120);
    let mut editor = typed("see ");
    editor.paste(&pasted);
    editor.clear();
    editor.undo();
    assert_eq!(editor.full_text(), format!("see {pasted}"));
    editor.set("something earlier");
    editor.undo();
    assert_eq!(editor.full_text(), format!("see {pasted}"));
    // Cut out here, and put into the next input, which has one of the same size.
    editor.kill_to_start();
    editor.insert("first");
    assert_eq!(editor.take(), "first");
    editor.paste(&other);
    editor.yank();
    editor.yank();
    expect!["[pasted 120 lines]see [pasted 120 lines #2]see [pasted 120 lines #2]|"]
        .assert_eq(&seen(&editor));
    assert_eq!(editor.take(), format!("{other}see {pasted}see {pasted}"));
}

#[test]
fn what_was_typed_around_a_paste_can_be_edited_when_it_comes_back() {
    let pasted = "line\n".repeat(40);
    let mut editor = typed("before ");
    editor.paste(&pasted);
    editor.insert("after");
    let sent = editor.take();
    editor.set(&sent);
    expect!["before [pasted 40 lines]after|"].assert_eq(&seen(&editor));
    editor.set(&format!("{sent}\nand once more: {}", pasted.trim_end()));
    expect!["before [pasted 40 lines]after\nand once more: [pasted 40 lines #2]|"].assert_eq(&seen(&editor));
    assert_eq!(editor.full_text(), format!("{sent}\nand once more: {}", pasted.trim_end()));
    // What was never pasted here is text, unless it is very large.
    editor.set(&"own\n".repeat(40));
    assert_eq!(editor.text(), "own\n".repeat(40));
    editor.set(&"own\n".repeat(400));
    expect!["[pasted 400 lines]|"].assert_eq(&seen(&editor));
}

#[test]
fn the_mark_of_a_paste_is_one_word() {
    let pasted = "line\n".repeat(120);
    let mut editor = typed("see");
    editor.paste(&pasted);
    editor.insert(" ");
    editor.word_left();
    expect!["see|[pasted 120 lines] "].assert_eq(&seen(&editor));
    editor.word_right();
    expect!["see[pasted 120 lines]| "].assert_eq(&seen(&editor));
    editor.right();
    editor.kill_word();
    expect!["see|"].assert_eq(&seen(&editor));
    editor.yank();
    editor.home();
    editor.word_right();
    editor.kill_word_right();
    expect!["see| "].assert_eq(&seen(&editor));
    editor.undo();
    assert_eq!(editor.full_text(), format!("see{pasted} "));
    // A letter's mark that follows joins its bracket.
    let mut editor = Editor::default();
    editor.paste(&pasted);
    editor.insert("\u{301}");
    editor.left();
    assert_eq!(editor.before(), "");
    editor.right();
    editor.backspace();
    assert!(editor.is_empty());
}

#[test]
fn a_small_paste_is_text() {
    let mut editor = Editor::default();
    editor.paste("a\r\nb\rc");
    expect!["a\nb\nc|"].assert_eq(&seen(&editor));
}

#[test]
fn rows_are_what_is_seen() {
    let rows = typed("abcdefgh\n日本語\tx").rows(6);
    expect!["abcde/fgh/日本/語/    x"].assert_eq(&rows.rows.join("/"));
    assert_eq!((rows.row, rows.column), (4, 5));
}

proptest! {
    #[test]
    fn the_cursor_is_never_inside_a_letter(
        steps in proptest::collection::vec((0_u8..20, "[a\n\t 日é\u{301}👍\u{200d}🏽]{0,4}"), 0..60),
        columns in 1_usize..30,
    ) {
        let mut editor = Editor::default();
        for (step, text) in steps {
            match step {
                0..=3 => editor.insert(&text),
                4 => editor.paste(&"long\n".repeat(20)),
                5 => editor.left(),
                6 => editor.right(),
                7 => editor.word_left(),
                8 => editor.word_right(),
                9 => { editor.up(columns); }
                10 => { editor.down(columns); }
                11 => editor.backspace(),
                12 => editor.delete(),
                13 => editor.kill_word(),
                14 => editor.kill_to_end(),
                15 => editor.yank(),
                16 => editor.undo(),
                17 => editor.kill_word_right(),
                18 => editor.set(&text),
                _ => editor.home(),
            }
            let at = editor.before().len();
            let whole = editor.text();
            prop_assert!(at <= whole.len());
            let mark = editor.before().rfind("[pasted ").and_then(|open| editor.before().get(open..));
            prop_assert!(mark.is_none_or(|mark| mark.contains(']')), "{mark:?}");
            prop_assert!(editor.before().len() + whole.get(at..).unwrap().len() == whole.len());
            let rows = editor.rows(columns);
            prop_assert!(rows.row < rows.rows.len());
            prop_assert!(rows.column < columns.max(2));
        }
    }
}

/// What the keys do that change the text. None of them writes a letter of a mark.
fn change(editor: &mut Editor, step: u8, text: &str, number: usize) {
    match step {
        0 => editor.insert(text),
        1 => editor.paste(&format!("§{number}§\n").repeat(20)),
        2 => editor.set(text),
        3 => editor.set(&format!("€{number}€\n").repeat(20)),
        4 => editor.backspace(),
        5 => editor.delete(),
        6 => editor.kill_word(),
        7 => editor.kill_word_right(),
        8 => editor.kill_to_end(),
        9 => editor.kill_to_start(),
        10 => editor.yank(),
        11 => editor.undo(),
        12 => editor.clear(),
        13 => drop(editor.take()),
        14 => editor.left(),
        15 => editor.right(),
        16 => editor.word_left(),
        17 => editor.word_right(),
        18 => editor.home(),
        19 => _ = editor.up(10),
        _ => _ = editor.down(10),
    }
}

proptest! {
    #[test]
    fn what_was_pasted_survives(steps in proptest::collection::vec((0_u8..21, "[日本 ,\n]{0,4}"), 0..60)) {
        let mut editor = Editor::default();
        for (number, (step, text)) in steps.into_iter().enumerate() {
            let before = editor.clone();
            change(&mut editor, step, &text, number);
            let whole = editor.full_text();
            // Neither a mark nor a piece of one is ever sent.
            let of_a_mark = |letter: char| letter.is_ascii_lowercase() || "[]#".contains(letter);
            prop_assert!(!whole.contains(of_a_mark), "{whole:?}");
            if matches!(step, 1..=10 | 12) && editor.text() != before.text() {
                let mut back = editor.clone();
                back.undo();
                prop_assert_eq!(back.full_text(), before.full_text());
            }
            if matches!(step, 6..=9) && editor.text() != before.text() {
                let mut back = editor.clone();
                back.take();
                back.yank();
                let (killed, mut there) = (back.full_text(), editor.clone());
                there.yank();
                prop_assert_eq!(there.full_text(), before.full_text());
                prop_assert_eq!(whole.len() + killed.len(), before.full_text().len());
            }
        }
    }
}
