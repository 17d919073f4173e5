//! The session without a terminal.

use expect_test::expect;
use serde_json::json;
use throughline_agent::Event;
use throughline_conversation::ToolCall;
use throughline_permission::{Approval, ApprovalRequest};
use throughline_tools::{Access, Effect};
use tokio::sync::mpsc::unbounded_channel;
use tokio::sync::oneshot;

use super::plain;
use crate::port::{Act, Picker, PickerRow, Show, TurnState};

#[tokio::test]
async fn lines_go_in_one_after_the_other_and_text_comes_out() {
    let (show, shows) = unbounded_channel();
    let (act, mut acts) = unbounded_channel();
    let (line, input) = unbounded_channel();
    for text in ["second", "", "/pick"] {
        line.send(text.to_owned()).unwrap();
    }
    drop(line);
    let session = async {
        let tell = |told: Show| show.send(told).unwrap();
        let mut seen = Vec::new();
        while let Some(act) = acts.recv().await {
            seen.push(format!("{act:?}"));
            match act {
                Act::Submit(text) if text == "/pick" => {
                    let row =
                        PickerRow { id: "id1".to_owned(), cells: vec!["a row".to_owned()], preview: None };
                    tell(Show::Picker(Picker {
                        id: "p".to_owned(),
                        title: "Rows".to_owned(),
                        rows: vec![row],
                        ..Picker::default()
                    }));
                    tell(Show::Turn(TurnState::Idle));
                }
                Act::Submit(text) => {
                    tell(Show::Turn(TurnState::Working));
                    tell(Show::Event(Event::Text(format!("**You** said \u{1b}[31m{text}.\n"))));
                    let (reply, answer) = oneshot::channel();
                    let call = ToolCall { id: "1".to_owned(), name: "shell".to_owned(), input: json!({}) };
                    let access = Access::unnamed(Effect::Command);
                    let request = ApprovalRequest { call, access, why: String::new(), rule: None };
                    tell(Show::Approval { request, reply });
                    assert!(matches!(answer.await, Ok(Approval::Deny { feedback: Some(_) })));
                    tell(Show::Turn(TurnState::Idle));
                }
                Act::Quit => tell(Show::End),
                _ => {}
            }
        }
        seen
    };
    let mut out = Vec::new();
    let screen = async {
        plain(shows, act, input, Some("first".to_owned()), &mut out).await.unwrap();
    };
    let (seen, ()) = tokio::join!(session, screen);
    expect![[r#"
        Submit("first")
        Submit("second")
        Submit("/pick")
        PickerClosed { picker: "p" }
        Quit"#]]
    .assert_eq(&seen.join("\n"));
    expect![[r#"
        › first

        You said first.

        ! shell may not run: nobody is there to ask; allow it by a rule or by the mode

        › second

        You said second.

        ! shell may not run: nobody is there to ask; allow it by a rule or by the mode

        › /pick

        Rows
        id1  a row
    "#]]
    .assert_eq(&String::from_utf8(out).unwrap());
}
