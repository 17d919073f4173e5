//! Vim's keys on a text.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::{Vim, VimMode, VimStep};
use crate::editor::Editor;
use crate::keyboard::KeyPress;

/// An input with vim's keys.
struct Input {
    editor: Editor,
    vim: Vim,
}

impl Input {
    /// The text before `|`, the cursor, and the text behind it, in the normal mode.
    fn of(text: &str) -> Self {
        let (before, after) = text.split_once('|').unwrap_or(("", text));
        let mut editor = Editor::default();
        editor.insert(&format!("{before}{after}"));
        for _ in after.chars() {
            editor.left();
        }
        let mut input = Self { editor, vim: Vim::default() };
        input.press(KeyCode::Esc, false);
        // Leaving the insert mode steps to the left.
        if !before.is_empty() && !before.ends_with('\n') {
            input.editor.right();
            input.editor.stand_on_letter();
        }
        input
    }

    fn press(&mut self, code: KeyCode, control: bool) {
        let modifiers = if control { KeyModifiers::CONTROL } else { KeyModifiers::NONE };
        let key = KeyPress::of(KeyEvent::new(code, modifiers));
        match self.vim.key(key, self.editor.is_empty()) {
            VimStep::Run(command) => _ = self.editor.run(command, 80),
            VimStep::Taken => {}
            VimStep::Usual => match code {
                KeyCode::Char(letter) if self.vim.mode() == VimMode::Insert => {
                    self.editor.insert(letter.encode_utf8(&mut [0; 4]));
                }
                _ => {}
            },
        }
    }

    /// Presses keys: letters, `⎋` for Esc, `⌃` for Ctrl and the next letter.
    fn type_keys(&mut self, keys: &str) {
        let mut control = false;
        for letter in keys.chars() {
            match letter {
                '⌃' => control = true,
                '⎋' => self.press(KeyCode::Esc, false),
                letter => self.press(KeyCode::Char(letter), std::mem::take(&mut control)),
            }
        }
    }

    fn shown(&self) -> String {
        let before = self.editor.before();
        let mode = if self.vim.mode() == VimMode::Insert { " (insert)" } else { "" };
        format!("{before}|{}{mode}", self.editor.text().get(before.len()..).unwrap())
    }
}

/// Presses the keys on each text and compares what they lead to, with a dot behind it.
#[track_caller]
fn check(cases: &[(&str, &str)], expected: &Expect) {
    let run = |(text, keys): &(&str, &str)| {
        let mut input = Input::of(text);
        input.type_keys(keys);
        format!("{keys:<8} {}.\n", input.shown().replace('\n', "⏎"))
    };
    expected.assert_eq(&cases.iter().map(run).collect::<String>());
}

#[test]
fn motions_move_by_letters_words_and_lines() {
    let text = "one two.three\n  four\n\nfive";
    let cases: Vec<(&str, &str)> = [
        "l", "3l", "99l", "w", "2w", "3w", "W", "2W", "3W", "4W", "e", "2e", "3e", "E", "$", "$b", "$B", "G",
        "Gk", "gg", "2G", "2G0", "2G^", "ft", "2ft", "tt", "ft;", "tt;", "ft;,", "fx", "j", "jj", "jjj",
        "Gb", "Ge", "2Gh", "$h",
    ]
    .into_iter()
    .map(|keys| (text, keys))
    .collect();
    check(
        &cases,
        &expect![[r#"
        l        o|ne two.three⏎  four⏎⏎five.
        3l       one| two.three⏎  four⏎⏎five.
        99l      one two.thre|e⏎  four⏎⏎five.
        w        one |two.three⏎  four⏎⏎five.
        2w       one two|.three⏎  four⏎⏎five.
        3w       one two.|three⏎  four⏎⏎five.
        W        one |two.three⏎  four⏎⏎five.
        2W       one two.three⏎  |four⏎⏎five.
        3W       one two.three⏎  four⏎|⏎five.
        4W       one two.three⏎  four⏎⏎|five.
        e        on|e two.three⏎  four⏎⏎five.
        2e       one tw|o.three⏎  four⏎⏎five.
        3e       one two|.three⏎  four⏎⏎five.
        E        on|e two.three⏎  four⏎⏎five.
        $        one two.thre|e⏎  four⏎⏎five.
        $b       one two.|three⏎  four⏎⏎five.
        $B       one |two.three⏎  four⏎⏎five.
        G        one two.three⏎  four⏎⏎|five.
        Gk       one two.three⏎  four⏎|⏎five.
        gg       |one two.three⏎  four⏎⏎five.
        2G       one two.three⏎  |four⏎⏎five.
        2G0      one two.three⏎|  four⏎⏎five.
        2G^      one two.three⏎  |four⏎⏎five.
        ft       one |two.three⏎  four⏎⏎five.
        2ft      one two.|three⏎  four⏎⏎five.
        tt       one| two.three⏎  four⏎⏎five.
        ft;      one two.|three⏎  four⏎⏎five.
        tt;      one two|.three⏎  four⏎⏎five.
        ft;,     one |two.three⏎  four⏎⏎five.
        fx       |one two.three⏎  four⏎⏎five.
        j        one two.three⏎|  four⏎⏎five.
        jj       one two.three⏎  four⏎|⏎five.
        jjj      one two.three⏎  four⏎⏎|five.
        Gb       one two.three⏎  four⏎|⏎five.
        Ge       one two.three⏎  four⏎⏎fiv|e.
        2Gh      one two.three⏎ | four⏎⏎five.
        $h       one two.thr|ee⏎  four⏎⏎five.
    "#]],
    );
}

#[test]
fn operators_take_motions_counts_and_words() {
    let cases = [
        ("one |two three", "dw"),
        ("one two |three", "dw"),
        ("one |two\nthree", "dw"),
        ("one |two three", "d2w"),
        ("one |two three four", "2dw"),
        ("one |two three", "de"),
        ("one |two three", "db"),
        ("one |two three", "d$"),
        ("one |two three", "D"),
        ("one |two three", "d0"),
        ("one t|wo three", "diw"),
        ("one t|wo three", "daw"),
        ("one two th|ree", "daw"),
        ("one t|wo.x three", "diW"),
        ("one t|wo.x three", "ciwnew⎋"),
        ("one |two three", "cwnew⎋"),
        ("|a b", "cwx⎋"),
        ("one |two three", "Cnew⎋"),
        ("one |two three", "dt "),
        ("one |two three", "dfr"),
        ("one two| three", "dFo"),
        ("one\nt|wo\nthree", "dd"),
        ("one\nt|wo\nthree", "2dd"),
        ("one\ntwo\nth|ree", "dd"),
        ("|one", "dd"),
        ("one\nt|wo\nthree", "dj"),
        ("one\nt|wo\nthree", "dk"),
        ("one\nt|wo\nthree", "dgg"),
        ("one\nt|wo\nthree", "dG"),
        ("one\n  t|wo\nthree", "ccnew⎋"),
        ("one\n  t|wo\nthree", "Snew⎋"),
        ("|one two", "x"),
        ("|one two", "3x"),
        ("one| two", "X"),
        ("|one two", "sx⎋"),
        ("one |two three", "d⎋w"),
    ];
    check(
        &cases,
        &expect![[r#"
        dw       one |three.
        dw       one two| .
        dw       one| ⏎three.
        d2w      one| .
        2dw      one |four.
        de       one | three.
        db       |two three.
        d$       one| .
        D        one| .
        d0       |two three.
        diw      one | three.
        daw      one |three.
        daw      one tw|o.
        diW      one | three.
        ciwnew⎋  one ne|w.x three.
        cwnew⎋   one ne|w three.
        cwx⎋     |x b.
        Cnew⎋    one ne|w.
        dt       one | three.
        dfr      one |ee.
        dFo      one tw| three.
        dd       one⏎|three.
        2dd      |one.
        dd       one⏎|two.
        dd       |.
        dj       |one.
        dk       |three.
        dgg      |three.
        dG       |one.
        ccnew⎋   one⏎ne|w⏎three.
        Snew⎋    one⏎ne|w⏎three.
        x        |ne two.
        3x       | two.
        X        on| two.
        sx⎋      |xne two.
        d⎋w      one two |three.
    "#]],
    );
}

#[test]
fn text_is_put_changed_undone_and_inserted() {
    let cases = [
        ("|one two", "yiwwP"),
        ("|one two", "yw$p"),
        ("|one two", "x3p"),
        ("one|\ntwo", "yyp"),
        ("one|\ntwo", "yyjP"),
        ("one|\ntwo", "Y2p"),
        ("one|\ntwo", "ddp"),
        ("o|ne", "rx"),
        ("o|ne", "2rx"),
        ("o|ne", "9rx"),
        ("o|ne Éa", "5~"),
        ("|one\n  two\n)", "J"),
        ("|one\n  two\nthree", "3J"),
        ("|one two", "dwu"),
        ("|one two", "dwxuu⌃r"),
        ("|one two", "dwxuu2⌃r"),
        ("|two", "ione and ⎋u"),
        ("|two", "ione and ⎋u⌃r"),
        ("o|ne", "aX⎋"),
        ("  o|ne", "IX⎋"),
        ("o|ne", "AX⎋"),
        ("o|ne\ntwo", "oX⎋"),
        ("o|ne\ntwo", "OX⎋"),
        ("o|ne", "ggVx"),
    ];
    check(
        &cases,
        &expect![[r#"
        yiwwP    one on|etwo.
        yw$p     one twoone| .
        x3p      noo|oe two.
        yyp      one⏎|one⏎two.
        yyjP     one⏎|one⏎two.
        Y2p      one⏎|one⏎one⏎two.
        ddp      two⏎|one.
        rx       o|xe.
        2rx      ox|x.
        9rx      o|ne.
        5~       oNE é|A.
        J        one| two⏎).
        3J       one two| three.
        dwu      |one two.
        dwxuu⌃r  |two.
        dwxuu2⌃r |wo.
        ione and ⎋u |two.
        ione and ⎋u⌃r one and| two.
        aX⎋      on|Xe.
        IX⎋        |Xone.
        AX⎋      one|X.
        oX⎋      one⏎|X⏎two.
        OX⎋      |X⏎one⏎two.
        ggVx     |ne.
    "#]],
    );
}

#[test]
fn inserted_text_is_repeated_by_a_count() {
    check(
        &[
            ("a|b", "3ixy⎋"),
            ("a|b", "3ixy⎋u"),
            ("a|b", "2ax⎋"),
            ("ab|\ncd", "2Ix⎋"),
            ("ab|", "2A!⎋"),
            ("a|b\ncd", "3ox⎋"),
            ("a|b\ncd", "3Ox⎋"),
            ("a|b\ncd", "3Ox⎋u"),
            ("a|b", "2i⎋"),
            ("a|bc", "2sx⎋"),
        ],
        &expect![[r#"
            3ixy⎋    axyxyx|yb.
            3ixy⎋u   a|b.
            2ax⎋     abx|x.
            2Ix⎋     x|xab⏎cd.
            2A!⎋     ab!|!.
            3ox⎋     ab⏎x⏎x⏎|x⏎cd.
            3Ox⎋     x⏎x⏎|x⏎ab⏎cd.
            3Ox⎋u    |ab⏎cd.
            2i⎋      |ab.
            2sx⎋     a|x.
        "#]],
    );
}

#[test]
fn an_unfinished_command_is_shown_and_esc_drops_it() {
    let mut input = Input::of("|one two three four");
    let typed = |input: &mut Input, keys: &str| {
        input.type_keys(keys);
        input.vim.typed()
    };
    assert_eq!(typed(&mut input, "2d3"), "2d3");
    assert_eq!(typed(&mut input, "f"), "2d3f");
    assert_eq!(typed(&mut input, "⎋"), "");
    assert_eq!(typed(&mut input, "10"), "10");
    assert_eq!(typed(&mut input, "⎋ci"), "ci");
    // Esc with nothing to drop has its usual meaning.
    input.type_keys("⎋");
    let esc = KeyPress::of(KeyEvent::new(KeyCode::Esc, KeyModifiers::NONE));
    assert_eq!(input.vim.key(esc, false), VimStep::Usual);
}

#[test]
fn the_marker_of_a_paste_is_one_letter() {
    let pasted = "line\n".repeat(120);
    let mut input = Input { editor: Editor::default(), vim: Vim::default() };
    input.type_keys("see ");
    input.editor.paste(&pasted);
    input.type_keys(" end⎋02ldw");
    assert_eq!(input.editor.full_text(), format!("se{pasted} end"));
    input.type_keys("~hx");
    assert_eq!(input.editor.full_text(), "se end");
    input.type_keys("P");
    assert_eq!(input.editor.full_text(), format!("se{pasted} end"));
}

proptest! {
    #[test]
    fn no_keys_panic_or_leave_the_cursor_inside_a_letter(
        text in "[a\n\t .日é\u{301}👍\u{200d}🏽(]{0,30}",
        keys in "[hjklwbeWBE0^$GgftFT;,dcyiaxXDCSspPurRoOAIJ~Y123 né日⎋⌃]{0,60}",
        pastes in 0_usize..3,
    ) {
        let mut input = Input { editor: Editor::default(), vim: Vim::default() };
        input.editor.insert(&text);
        for _ in 0..pastes {
            input.editor.paste(&"long\n".repeat(20));
            input.editor.insert("x");
        }
        input.press(KeyCode::Esc, false);
        for key in keys.chars() {
            input.type_keys(&key.to_string());
            let (at, whole) = (input.editor.before().len(), input.editor.text());
            prop_assert!(whole.is_char_boundary(at));
            let mark = input.editor.before().rfind("[pasted ").and_then(|open| input.editor.before().get(open..));
            prop_assert!(mark.is_none_or(|mark| mark.contains(']')), "{mark:?}");
            let rows = input.editor.rows(20);
            prop_assert!(rows.row < rows.rows.len());
            if input.vim.mode() == VimMode::Normal {
                let rest = whole.get(at..).unwrap();
                let on_end = rest.is_empty() || rest.starts_with('\n');
                prop_assert!(!on_end || at == 0 || whole.get(..at).unwrap().ends_with('\n'), "{whole:?} at {at}");
            }
        }
        // Everything that was done can be undone and done again.
        input.type_keys("⎋⎋200⌃r");
        let now = input.editor.text().to_owned();
        input.type_keys("200u200⌃r");
        prop_assert_eq!(input.editor.text(), now);
    }
}
