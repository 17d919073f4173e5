//! Pictures on an emulated terminal: what a user would see after each step, also above the edge.

use expect_test::expect;
use proptest::prelude::*;
use ratatui_core::buffer::Buffer;

use super::Painter;
use super::cells::{end_of_row, letters, picture};
use crate::layout::width;
use crate::line::{BOLD, CHOSEN, Color, DIM, Line, PLAIN};
use crate::live::Live;
use crate::palette::Palette;

/// A terminal of this size and the painter that draws on it.
struct Stage {
    terminal: vt100::Parser,
    painter: Painter,
}

impl Stage {
    fn new(rows: u16, columns: u16) -> Self {
        let [rows, columns] = [rows, columns].map(|size| size.try_into().unwrap());
        Self { terminal: vt100::Parser::new(rows, columns, 1_000), painter: Painter::new(Palette::Terminal) }
    }

    fn paint(&mut self, finished: &[&str], live: &[&str], cursor: (usize, usize)) -> usize {
        let finished: Vec<Line> = finished.iter().map(Line::plain).collect();
        self.lines(&finished, live.iter().map(Line::plain).collect(), cursor).len()
    }

    fn lines(&mut self, finished: &[Line], live: Vec<Line>, cursor: (usize, usize)) -> String {
        let live = Live { lines: live, cursor: Some(cursor) };
        let columns = self.terminal.screen().size().1.get();
        let bytes = self.painter.paint(finished, &live, columns.into());
        self.terminal.process(bytes.as_bytes());
        bytes
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

/// What is written for a step from one live line to another, without the frame of a picture.
fn step(from: Line, to: Line) -> String {
    let mut stage = Stage::new(4, 40);
    stage.lines(&[], vec![from, Line::plain("> ")], (1, 2));
    let bytes = stage.lines(&[], vec![to, Line::plain("> ")], (1, 2)).replace('\u{1b}', "^");
    let bytes = bytes.strip_prefix("^[?2026h^[?25l^[?7l").unwrap();
    bytes.strip_suffix("^[?7h\n^[3G^[?25h^[?2026l").unwrap().to_owned()
}

#[test]
fn only_what_changed_is_written() {
    let plain = |from: &str, to: &str| step(Line::plain(from), Line::plain(to));
    expect!["^[1A^[8Gy"].assert_eq(&plain("- test x of it", "- test y of it"));
    expect!["^[1A^[2Gore"].assert_eq(&plain("mean", "more"));
    expect!["^[1A^[5G words"].assert_eq(&plain("some", "some words"));
    let spinner = |mark: &str, time: &str| Line::styled(mark, PLAIN.fg(Color::Cyan)).then(time, DIM);
    expect!["^[1A\r^[38;5;6m/^[39m^[5G^[2m3^[0m"]
        .assert_eq(&step(spinner("-", " 1.2s"), spinner("/", " 1.3s")));
    let chosen = step(Line::styled("a b", BOLD), Line::styled("a b", CHOSEN));
    expect!["^[1A\r^[7ma b^[0m"].assert_eq(&chosen);
}

/// Spaces would be copied with the text, and broken into rows where the terminal becomes narrower.
#[test]
fn a_row_that_becomes_shorter_ends_where_its_text_ends() {
    expect!["^[1A^[5G^[K"].assert_eq(&step(Line::plain("some words"), Line::plain("some")));
    let mut stage = Stage::new(4, 40);
    stage.paint(&[], &["some words ", "x"], (1, 0));
    stage.paint(&[], &["some", "x"], (1, 0));
    assert!((4..40).all(|column| !stage.terminal.screen().cell(0, column).unwrap().has_contents()));
}

/// Terminals give these letters one column or two, or more: behind them a row is written on, not jumped into.
#[test]
fn behind_a_letter_of_no_sure_width_the_row_is_written_again() {
    let plain = |from: &str, to: &str| step(Line::plain(from), Line::plain(to));
    expect!["^[1A\rb"].assert_eq(&plain("a · 1", "b · 1"));
    expect!["^[1A^[K· 2 end"].assert_eq(&plain("a · 1 end", "a · 2 end"));
    expect!["^[1A^[2G^[K日本x"].assert_eq(&plain("a日本", "a日本x"));
    expect!["^[1A^[2G^[K👨\u{200d}👩\u{200d}👧 2"]
        .assert_eq(&plain("a👨\u{200d}👩\u{200d}👧 1", "a👨\u{200d}👩\u{200d}👧 2"));
}

#[test]
fn a_terminal_that_became_lower_is_drawn_again() {
    let mut stage = Stage::new(6, 20);
    stage.paint(&["text"], &["one", "> ", "two", "status"], (1, 2));
    stage.terminal.screen_mut().set_size(4.try_into().unwrap(), 20.try_into().unwrap());
    stage.painter.resized(4);
    stage.paint(&[], &["one", "> ", "status"], (1, 2));
    expect![["text\none\n> \nstatus\n@2,2"]].assert_eq(&stage.seen());
}

/// The rows that a picture goes up to clear the one before.
fn climbed(painter: &mut Painter, rows: usize, columns: usize, lines: &[&str]) -> String {
    painter.resized(rows);
    let lines: Vec<Line> = lines.iter().map(Line::plain).collect();
    let cursor = Some((lines.len() - 1, 0));
    let bytes = painter.paint(&[], &Live { lines, cursor }, columns);
    let up = bytes.split("\u{1b}[").filter_map(|code| code.split_once('A')).map(|(rows, _)| rows.to_owned());
    up.take(1).collect()
}

#[test]
fn rows_that_a_lower_terminal_pushed_out_are_cleared_when_it_shows_them_again() {
    let mut painter = Painter::new(Palette::Terminal);
    let long = "123456789 123456789 123456789";
    climbed(&mut painter, 24, 80, &["a", long, "b", long, "c", "> "]);
    // Eight rows on this terminal, of which four are above its edge.
    assert_eq!(climbed(&mut painter, 4, 20, &["a", "> "]), "7");
    assert_eq!(climbed(&mut painter, 30, 80, &["a", "> "]), "4", "three of them joined, and one of now");
    assert_eq!(climbed(&mut painter, 30, 90, &["a", "> "]), "1", "nothing is left");
    climbed(&mut painter, 1, 90, &["> "]);
    // What is printed below them stays.
    painter.paint(&[Line::plain("kept")], &Live { lines: vec![Line::plain("> ")], cursor: Some((0, 0)) }, 90);
    assert_eq!(climbed(&mut painter, 30, 90, &["> "]), "");
}

#[test]
fn without_colours_there_are_bold_letters() {
    let mut painter = Painter::new(Palette::None);
    let live = Live { lines: vec![Line::styled("x", BOLD.fg(Color::Red))], cursor: None };
    let bytes = painter.paint(&[Line::styled("y", DIM.fg(Color::Red))], &live, 20).replace('\u{1b}', "^");
    expect!["^[?2026h^[?25l\r^[2K^[1C^[J\r^[2my^[0m\r\n^[?7l^[1mx^[0m^[?7h\r^[?2026l"].assert_eq(&bytes);
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

    /// However a picture came about, it is what it would be if it had been drawn at once; also on a terminal (this one)
    /// that gives a letter with its marks other columns than others do.
    #[test]
    fn steps_lead_to_the_picture(
        steps in proptest::collection::vec((proptest::collection::vec(line(), 0..3), proptest::collection::vec(line(), 1..5)), 1..8),
    ) {
        let mut stage = Stage::new(60, 80);
        let mut finished = Vec::new();
        for (more, live) in &steps {
            stage.lines(more, live.clone(), (0, 0));
            finished.extend(more.iter().cloned());
            let mut fresh = Stage::new(60, 80);
            fresh.lines(&finished, live.clone(), (0, 0));
            prop_assert_eq!(stage.all(), fresh.all());
            let looks = |stage: &Stage| stage.terminal.screen().rows_formatted(0, 80).collect::<Vec<_>>();
            prop_assert_eq!(looks(&stage), looks(&fresh));
        }
    }

    /// A line takes the columns in a picture that it is measured by, and all of it is there.
    #[test]
    fn lines_take_the_columns_they_are_measured_by(text in "(\\PC|[a-zé日👍한ﾞ\u{301}\u{fe0f}\u{94d}\u{644}\u{627}]){0,20}") {
        let line = Line::plain(&text).then(&text, BOLD);
        let columns = super::cells_of(line.width()).max(1);
        let picture = picture(std::slice::from_ref(&line), columns + 3, &Buffer::default(), &[]);
        prop_assert_eq!(usize::from(end_of_row(&picture, 0)), line.width());
        let shown: String = letters(&picture, 0, 0).map(|(_, _, cell)| cell.symbol()).collect();
        let seen: String = line.letters().map(|letter| letter.symbol).filter(|letter| width(letter) > 0).collect();
        prop_assert_eq!(shown, seen);
    }
}

/// Lines of letters about whose width terminals do not agree, among others.
fn line() -> impl Strategy<Value = Line> {
    let style = prop_oneof![Just(PLAIN), Just(BOLD), Just(CHOSEN), Just(DIM.fg(Color::Green))];
    let text = "([a-c ]|é|·|日|👍|e\u{301}|👨\u{200d}👩\u{200d}👧|❤\u{fe0f}|क्ष्म){0,5}";
    proptest::collection::vec((text, style), 0..3).prop_map(|spans| {
        let mut line = Line::blank();
        for (text, style) in spans {
            line.add(text, style);
        }
        line
    })
}
