//! Whatever happens, the picture fits.

use std::sync::Arc;

use crossterm::event::{KeyCode, KeyModifiers};
use proptest::prelude::*;
use serde_json::json;
use throughline_agent::Event;
use throughline_conversation::ToolCall;
use throughline_permission::ApprovalRequest;
use throughline_tools::{Access, Effect};

use super::Stage;
use crate::port::{CommandInfo, Picker, PickerRow, Show, StatusLine, TurnState};

#[derive(Debug, Clone)]
enum Step {
    Key(KeyCode, KeyModifiers),
    Paste(String),
    Text(String),
    Thinking(String),
    Notice(String),
    Start(u8),
    Output(u8, String),
    End(u8),
    Turn(u8),
    Ask(String),
    Pick(u8),
    Files(String),
    Resize(u16, u16),
    Wait(u16),
    Status(String),
}

fn step() -> impl Strategy<Value = Step> {
    let text = || "[a-z日👍\n\t@/|*`#> -]{0,30}|\\PC{0,20}|(\u{1b}\\[[0-9]m|x){0,5}";
    let letters = prop_oneof![
        any::<char>().prop_map(KeyCode::Char),
        "[a-z@/? ]".prop_map(|text| KeyCode::Char(text.chars().next().unwrap_or('a'))),
        Just(KeyCode::Enter),
        Just(KeyCode::Esc),
        Just(KeyCode::Up),
        Just(KeyCode::Down),
        Just(KeyCode::Left),
        Just(KeyCode::Tab),
        Just(KeyCode::Backspace),
        Just(KeyCode::PageDown),
    ];
    let modifiers = prop_oneof![
        6 => Just(KeyModifiers::NONE),
        2 => Just(KeyModifiers::CONTROL),
        1 => Just(KeyModifiers::ALT),
        1 => Just(KeyModifiers::SHIFT),
    ];
    prop_oneof![
        6 => (letters, modifiers).prop_map(|(code, modifiers)| Step::Key(code, modifiers)),
        1 => text().prop_map(Step::Paste),
        3 => text().prop_map(Step::Text),
        1 => text().prop_map(Step::Thinking),
        1 => text().prop_map(Step::Notice),
        1 => (0_u8..4).prop_map(Step::Start),
        1 => (0_u8..4, text()).prop_map(|(id, text)| Step::Output(id, text)),
        1 => (0_u8..4).prop_map(Step::End),
        1 => (0_u8..3).prop_map(Step::Turn),
        1 => text().prop_map(Step::Ask),
        1 => (0_u8..20).prop_map(Step::Pick),
        1 => text().prop_map(Step::Files),
        1 => (20_u16..120, 8_u16..40).prop_map(|(columns, rows)| Step::Resize(columns, rows)),
        1 => (0_u16..3_000).prop_map(Step::Wait),
        1 => text().prop_map(Step::Status),
    ]
}

fn take(stage: &mut Stage, step: Step) {
    match step {
        Step::Key(code, modifiers) => stage.press(code, modifiers),
        Step::Paste(text) => {
            let acts = stage.screen.paste(&text, stage.now);
            stage.acts.extend(acts);
        }
        Step::Text(text) => stage.event(Event::Text(text)),
        Step::Thinking(text) => stage.event(Event::Thinking(text)),
        Step::Notice(text) => stage.show(Show::Notice(text)),
        Step::Start(id) => stage.starts(&id.to_string(), "shell", json!({ "command": "make\nall" })),
        Step::Output(id, text) => {
            stage.show(Show::ToolOutput { call_id: id.to_string(), text, waits: Arc::default() });
        }
        Step::End(id) => stage.ends(&id.to_string(), "shell", "a\nb\nc\nd\ne\nf\ng\n", id == 1),
        Step::Turn(0) => stage.turn(TurnState::Idle),
        Step::Turn(1) => stage.turn(TurnState::Working),
        Step::Turn(_) => stage.turn(TurnState::Compacting),
        Step::Ask(text) => {
            let (reply, answer) = tokio::sync::oneshot::channel();
            let input = json!({ "path": text, "old_string": "a\nb", "new_string": text });
            let call = ToolCall { id: text.clone(), name: "edit_file".to_owned(), input };
            let access = Access::unnamed(Effect::Other);
            let request = ApprovalRequest { call, access, why: text.clone(), rule: Some(text) };
            stage.show(Show::Approval { request, excerpt: None, reply });
            // The session waits for ever; that the channel is kept open says so.
            std::mem::forget(answer);
        }
        Step::Pick(rows) => {
            let row = |number: u8| PickerRow {
                id: number.to_string(),
                cells: vec![format!("row {number}"), "日本".to_owned()],
                notes: Vec::new(),
                preview: None,
            };
            let rows = (0..rows).map(row).collect();
            let picker =
                Picker { id: "p".to_owned(), rows, renames: true, previews: true, ..Picker::default() };
            stage.show(Show::Picker(picker));
        }
        Step::Files(text) => {
            let paths = vec![text.clone(), "src/main.rs".to_owned()];
            stage.show(Show::Files { query: String::new(), paths });
            stage.show(Show::Commands(vec![CommandInfo {
                name: "/x".to_owned(),
                arguments: text.clone(),
                about: text,
                group: String::new(),
                anytime: false,
            }]));
        }
        Step::Resize(columns, rows) => {
            stage.screen.resize(columns.into(), rows.into());
            stage.terminal.screen_mut().set_size(super::size(rows), super::size(columns));
        }
        Step::Wait(milliseconds) => stage.wait(milliseconds.into()),
        Step::Status(text) => stage.show(Show::Status(StatusLine {
            model: text.clone(),
            branch: Some(text.clone()),
            mode: text.clone(),
            context_percent: Some(text.len() as u64),
            title: text,
            ..StatusLine::default()
        })),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]
    #[test]
    fn the_picture_always_fits(steps in proptest::collection::vec(step(), 1..60)) {
        let mut stage = Stage::new(40, 12);
        for step in steps {
            take(&mut stage, step);
            let (rows, columns) = stage.terminal.screen().size();
            let live = stage.screen.draw(stage.now);
            prop_assert!(live.lines.len() <= usize::from(rows.get()));
            for line in &live.lines {
                prop_assert!(line.width() <= usize::from(columns.get()), "{:?}", line.text());
            }
            let (row, column) = live.cursor.unwrap_or_default();
            prop_assert!(row < live.lines.len().max(1) && column < usize::from(columns.get()));
        }
    }
}
