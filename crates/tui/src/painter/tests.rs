//! Pictures on an emulated terminal: what a user would see after each step, also above the edge.

use expect_test::expect;
use proptest::prelude::*;

use super::Painter;
use crate::ink::Line;
use crate::screen::Live;

/// A terminal of this size and the painter that draws on it.
struct Stage {
    terminal: vt100::Parser,
    painter: Painter,
}

impl Stage {
    fn new(rows: u16, columns: u16) -> Self {
        let [rows, columns] = [rows, columns].map(|size| size.try_into().unwrap());
        Self { terminal: vt100::Parser::new(rows, columns, 1_000), painter: Painter::new(true) }
    }

    fn paint(&mut self, finished: &[&str], live: &[&str], cursor: (usize, usize)) -> usize {
        let finished: Vec<Line> = finished.iter().map(Line::plain).collect();
        let live = Live { lines: live.iter().map(Line::plain).collect(), cursor: Some(cursor) };
        let columns = self.terminal.screen().size().1.get();
        let bytes = self.painter.paint(&finished, &live, columns.into());
        self.terminal.process(bytes.as_bytes());
        bytes.len()
    }

    fn seen(&mut self) -> String {
        let screen = self.terminal.screen();
        let (row, column) = screen.cursor_position();
        let text = screen.contents();
        format!("{}\n@{row},{column}", text.trim_end())
    }

    /// Everything, the lines above the screen too.
    fn all(&mut self) -> Vec<String> {
        let rows = self.terminal.screen().size().0.get();
        self.terminal.screen_mut().set_scrollback(usize::MAX);
        let above = self.terminal.screen().scrollback();
        let mut lines = Vec::new();
        let columns = self.terminal.screen().size().1.get();
        for back in (1..=above).rev() {
            self.terminal.screen_mut().set_scrollback(back);
            lines.extend(self.terminal.screen().rows(0, columns).take(1));
        }
        self.terminal.screen_mut().set_scrollback(0);
        lines.extend(self.terminal.screen().rows(0, columns).take(rows.into()));
        while lines.last().is_some_and(String::is_empty) {
            lines.pop();
        }
        lines
    }
}

#[test]
fn finished_lines_scroll_and_the_live_part_stays_below() {
    let mut stage = Stage::new(6, 20);
    stage.paint(&[], &["rule", "> input", "status"], (1, 7));
    expect![["rule\n> input\nstatus\n@1,7"]].assert_eq(&stage.seen());
    stage.paint(&["one", "two"], &["rule", "> ", "status"], (1, 2));
    expect![["one\ntwo\nrule\n> \nstatus\n@3,2"]].assert_eq(&stage.seen());
    stage.paint(&["three", "four", "five"], &["rule", "> ", "status"], (1, 2));
    expect![["three\nfour\nfive\nrule\n> \nstatus\n@4,2"]].assert_eq(&stage.seen());
    expect![["one two three four five rule >  status"]].assert_eq(&stage.all().join(" "));
}

#[test]
fn the_live_part_grows_and_shrinks() {
    let mut stage = Stage::new(6, 20);
    stage.paint(&["text"], &["> ", "status"], (0, 2));
    stage.paint(&[], &["open", "call", "> ", "status"], (2, 2));
    expect![["text\nopen\ncall\n> \nstatus\n@3,2"]].assert_eq(&stage.seen());
    stage.paint(&[], &["> x", "status"], (0, 3));
    expect![["text\n> x\nstatus\n@1,3"]].assert_eq(&stage.seen());
    assert_eq!(stage.paint(&[], &["> x", "status"], (0, 3)), 0, "nothing changed, nothing is written");
}

#[test]
fn a_line_as_wide_as_the_screen_takes_one_row() {
    let mut stage = Stage::new(5, 8);
    stage.paint(&["12345678", "123456789"], &["abcdefgh", "> "], (1, 2));
    stage.paint(&[], &["ABCDEFGH", "> "], (1, 2));
    expect![[r#"
        12345678
        123456789
        ABCDEFGH
        >
        @4,2"#]]
    .assert_eq(&stage.seen());
    stage.paint(&[], &["ABCDEFGH"], (0, 0));
    expect![[r#"
        12345678
        123456789
        ABCDEFGH
        @3,0"#]]
    .assert_eq(&stage.seen());
}

#[test]
fn taking_the_live_part_away_leaves_what_is_finished() {
    let mut stage = Stage::new(5, 20);
    stage.paint(&["kept"], &["a", "b"], (0, 0));
    let bytes = stage.painter.clear(20);
    stage.terminal.process(bytes.as_bytes());
    expect![["kept\n@1,0"]].assert_eq(&stage.seen());
}

proptest! {
    /// Whatever comes, the terminal shows the finished lines and then the live part, and nothing else.
    #[test]
    fn nothing_is_left_behind(
        steps in proptest::collection::vec(
            (proptest::collection::vec("[a-z日]{0,9}", 0..4), proptest::collection::vec("[a-z日]{0,9}", 1..6), 0_usize..9),
            1..12,
        ),
    ) {
        let mut stage = Stage::new(7, 20);
        let mut finished = Vec::new();
        for (more, live, at) in &steps {
            let more: Vec<&str> = more.iter().map(String::as_str).collect();
            let live: Vec<&str> = live.iter().map(String::as_str).collect();
            stage.paint(&more, &live, (at % live.len(), 0));
            finished.extend(more.iter().map(|line| (*line).to_owned()));
            let mut expected: Vec<String> = finished.clone();
            expected.extend(live.iter().map(|line| (*line).to_owned()));
            while expected.last().is_some_and(String::is_empty) {
                expected.pop();
            }
            prop_assert_eq!(stage.all(), expected);
        }
    }
}
