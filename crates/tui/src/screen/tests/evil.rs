//! Texts of others that want to do something to the terminal.

use std::sync::Arc;

use serde_json::json;
use throughline_agent::Event;
use throughline_conversation::{Degradation, ToolCall};
use throughline_permission::ApprovalRequest;
use throughline_tools::{Access, Effect};

use super::Stage;
use crate::palette::Palette;
use crate::port::{CommandInfo, Earlier, Picker, PickerRow, Show, StatusLine, TurnState};

const PAYLOADS: &[&str] = &[
    "\u{1b}]0;owned\u{7}",
    "\u{1b}]2;owned\u{1b}\\",
    "\u{1b}]52;c;b3duZWQ=\u{7}",
    "\u{1b}]52;c;b3duZWQ=",
    "\u{1b}]8;;http://evil\u{1b}\\text\u{1b}]8;;\u{1b}\\",
    "\u{1b}]7501;state=done\u{1b}\\",
    "\u{1b}]1337;File=:AAAA\u{7}",
    "\u{1b}Pq#0;2;0;0;0\u{1b}\\",
    "\u{1b}_Gf=24;AAAA\u{1b}\\",
    "\u{1b}^pm\u{1b}\\",
    "\u{1b}Xsos\u{1b}\\",
    "\u{1b}[2J\u{1b}[H",
    "\u{1b}[6n\u{1b}[c\u{1b}[>q",
    "\u{1b}[?1049h\u{1b}[?1000h",
    "\u{1b}[3J\u{1b}[8;1;1t",
    "\u{1b}c",
    "\u{1b}#8",
    "\u{1b}(0lqk",
    "\u{1b}",
    "\u{9b}2J\u{9d}0;owned\u{9c}\u{90}q\u{9c}\u{85}\u{84}",
    "\u{7}\u{8}\u{b}\u{c}\u{e}\u{f}\u{7f}\u{0}",
    "\u{202e}gnp.exe\u{202c}\u{2066}\u{2069}\u{200b}\u{feff}",
    "\u{e0041}\u{e0042}\u{e007f}",
    "progress\rowned",
    "```\n\u{1b}[2J\n```\n",
    "| a\u{1b}[2J | b |\n|---|---|\n| \u{1b}]0;x\u{7} | c |\n\n",
    "[\u{1b}[2Jtext](http://x\u{1b}]0;y\u{7})",
];

/// Everything that is shown, with the text in every place that takes one.
fn everywhere(stage: &mut Stage, text: &str) {
    let own = || text.to_owned();
    stage.show(Show::Status(StatusLine {
        model: own(),
        branch: Some(own()),
        mode: own(),
        title: own(),
        ..StatusLine::default()
    }));
    stage.show(Show::Notice(own()));
    stage.show(Show::Problem(own()));
    stage.show(Show::Page { title: own(), text: own() });
    stage.show(Show::Restored(vec![Earlier::User(own()), Earlier::Assistant(own())]));
    stage.turn(TurnState::Working);
    // One letter at a time: sequences are split over pieces.
    for letter in text.chars() {
        for event in [Event::Text(letter.to_string()), Event::Thinking(letter.to_string())] {
            stage.screen.show(Show::Event(event), stage.now);
        }
    }
    stage.paint();
    stage.wait(4_000);
    stage.event(Event::Text("\n\nend\n".to_owned()));
    stage.event(Event::Retrying { cause: own(), wait_ms: 1 });
    stage.event(Event::Degraded(Degradation { subsystem: own(), fallback: own(), cause: own() }));
    stage.starts("1", text, json!({ text: text, "command": text, "path": text }));
    for letter in text.chars() {
        let output =
            Show::ToolOutput { call_id: "1".to_owned(), text: letter.to_string(), waits: Arc::default() };
        stage.screen.show(output, stage.now);
    }
    stage.paint();
    let (reply, answer) = tokio::sync::oneshot::channel();
    let input = json!({ "path": text, "old_string": text, "new_string": format!("{text}\n{text}") });
    let call = ToolCall { id: "2".to_owned(), name: own(), input };
    let request =
        ApprovalRequest { call, access: Access::unnamed(Effect::Other), why: own(), rule: Some(own()) };
    stage.show(Show::Approval { request, excerpt: None, reply });
    stage.screen.overlay.deny_all();
    drop(answer);
    stage.ends("1", text, text, true);
    stage.starts("3", "edit_file", json!({ "path": text, "old_string": text, "new_string": "x" }));
    stage.ends("3", "edit_file", text, false);
    stage.show(Show::Commands(vec![CommandInfo {
        name: format!("/x{text}"),
        arguments: own(),
        about: own(),
        group: String::new(),
        anytime: false,
    }]));
    stage.types("/x");
    stage.control('u');
    stage.types("@");
    stage.show(Show::Files { query: String::new(), paths: vec![own()] });
    stage.control('u');
    let acts = stage.screen.paste(text, stage.now);
    stage.acts.extend(acts);
    stage.paint();
    stage.show(Show::Picker(Picker {
        id: own(),
        title: own(),
        columns: vec![own()],
        rows: vec![PickerRow {
            id: own(),
            cells: vec![own(), own()],
            notes: vec![own()],
            preview: Some(own()),
        }],
        more: Vec::new(),
        letters: Vec::new(),
        figures: vec![1],
        renames: true,
        previews: true,
        search: own(),
        unasked: false,
    }));
    stage.types(" ");
}

/// Everything that the terminal was asked for besides showing text.
#[derive(Debug, Default)]
struct Alarm(Vec<String>);

impl vt100::Callbacks for Alarm {
    fn audible_bell(&mut self, _: &mut vt100::Screen) {
        self.0.push("bell".to_owned());
    }
    fn resize(&mut self, _: &mut vt100::Screen, size: (u16, u16)) {
        self.0.push(format!("size {size:?}"));
    }
    fn set_window_title(&mut self, _: &mut vt100::Screen, title: &[u8]) {
        self.0.push(format!("title {title:?}"));
    }
    fn unhandled_control(&mut self, _: &mut vt100::Screen, byte: u8) {
        self.0.push(format!("control {byte}"));
    }
    fn unhandled_osc(&mut self, _: &mut vt100::Screen, parameters: &[&[u8]]) {
        self.0.push(format!("osc {parameters:?}"));
    }
}

/// The picture after it, on a terminal that tells what it is asked for.
fn alarms(stage: &mut Stage) -> Vec<String> {
    let mut terminal =
        vt100::Parser::new_with_callbacks(super::size(24), super::size(80), 10, Alarm::default());
    terminal.process(stage.written.as_bytes());
    std::mem::take(&mut terminal.callbacks_mut().0)
}

#[test]
fn nothing_of_it_reaches_the_terminal() {
    for payload in PAYLOADS {
        let mut stage = Stage::new(80, 24);
        everywhere(&mut stage, &format!("be{payload}fore\u{1b}[31m"));
        assert_eq!(alarms(&mut stage), Vec::<String>::new(), "{payload:?}");
        let screen = stage.terminal.screen();
        assert!(!screen.alternate_screen(), "{payload:?}");
        for row in 0..24 {
            for column in 0..80 {
                let cell = screen.cell(row, column).map(vt100::Cell::contents).unwrap_or_default();
                assert!(!cell.chars().any(char::is_control), "{payload:?} in {cell:?}");
            }
        }
    }
}

/// The text without the sequences that say how it looks.
fn without_colours(encoded: &str) -> String {
    let mut parts = encoded.split("\u{1b}[");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let numbers = |letter: char| letter.is_ascii_digit() || letter == ';';
        text.push_str(part.trim_start_matches(numbers).strip_prefix('m').unwrap());
    }
    text
}

/// The same one step earlier: of what a line writes, only its own colours are sequences.
#[test]
fn lines_write_nothing_but_their_own_colours() {
    for payload in PAYLOADS {
        let mut screen = super::Screen::new(80, 24);
        let now = std::time::Instant::now();
        screen.show(Show::Notice(payload.to_string()), now);
        screen.show(Show::Page { title: payload.to_string(), text: payload.to_string() }, now);
        screen.show(Show::Restored(vec![Earlier::Assistant(payload.to_string())]), now);
        screen.submit(payload);
        let mut lines = screen.take_printed();
        lines.extend(screen.draw(now).lines);
        for line in lines {
            assert!(!line.text().chars().any(char::is_control), "{payload:?}");
            assert_eq!(without_colours(&line.encoded(Palette::Terminal, 80)), line.text(), "{payload:?}");
        }
        assert!(!screen.title().chars().any(char::is_control));
    }
}
