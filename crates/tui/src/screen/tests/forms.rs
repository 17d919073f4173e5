//! Questions of servers.

use crossterm::event::KeyCode;
use expect_test::expect;
use serde_json::{Value, json};
use throughline_tools::{Elicitation, ElicitationAnswer, ElicitationRequest, Form};
use tokio::sync::oneshot::{Receiver, channel};

use super::Stage;
use crate::port::{Act, Show, TurnState};

fn ask(stage: &mut Stage, message: &str, request: ElicitationRequest) -> Receiver<ElicitationAnswer> {
    let (reply, answer) = channel();
    let elicitation = Elicitation { server: "tracker".to_owned(), message: message.to_owned(), request };
    stage.show(Show::Elicitation { elicitation, reply });
    answer
}

fn form(stage: &mut Stage, schema: &Value) -> Receiver<ElicitationAnswer> {
    let form = Form::parse(schema).unwrap();
    ask(stage, "Where does the issue belong?", ElicitationRequest::Form(form))
}

fn issue() -> Value {
    json!({
        "type": "object",
        "required": ["title", "labels"],
        "properties": {
            "title": {"type": "string", "title": "Title", "description": "in a few words", "minLength": 3},
            "points": {"type": "integer", "maximum": 8, "default": 3},
            "urgent": {"type": "boolean", "title": "Urgent?", "default": false},
            "labels": {"type": "array", "minItems": 1, "items": {"type": "string", "enum": ["bug", "docs", "ui"]}},
            "kind": {"type": "string", "oneOf": [{"const": "t", "title": "Task"}, {"const": "s", "title": "Story"}]},
        },
    })
}

fn accepted(answer: &mut Receiver<ElicitationAnswer>) -> Value {
    match answer.try_recv() {
        Ok(ElicitationAnswer::Accept(values)) => Value::Object(values),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_form_is_filled_in_field_by_field_and_looked_over() {
    let mut stage = Stage::new(80, 24);
    stage.turn(TurnState::Working);
    let mut answer = form(&mut stage, &issue());
    stage.answers("");
    expect![[r#"
          ? tracker asks you  1 of 5
            Where does the issue belong?

            Title *  in a few words
            › ▮
            enter next · esc declines · ctrl+c stops the turn"#]]
    .assert_eq(&form_part(&stage));
    stage.types("ab\n");
    assert!(stage.seen().contains("it must be at least 3 characters"), "{}", stage.seen());
    stage.types("c\n");
    assert!(stage.seen().contains("points") && stage.seen().contains("› 3▮"), "{}", stage.seen());
    stage.key(KeyCode::Backspace);
    stage.types("9\n");
    assert!(stage.seen().contains("it must be at most 8"), "{}", stage.seen());
    stage.key(KeyCode::Backspace);
    stage.types("5\n");
    // The default is chosen, and Enter takes it.
    assert!(stage.seen().contains("› 2  no"), "{}", stage.seen());
    stage.types("\n");
    stage.types("\n");
    assert!(stage.seen().contains("it must be at least 1 choice"), "{}", stage.seen());
    stage.types(" 3");
    expect![[r#"
          ? tracker asks you  4 of 5
            Where does the issue belong?

            labels *
            1  [x] bug
            2  [ ] docs
          › 3  [x] ui
            space marks · enter next · esc back · ctrl+c stops the turn"#]]
    .assert_eq(&form_part(&stage));
    stage.types("\n");
    // Without a default an optional field is left out.
    assert!(stage.seen().contains("› 3  leave it out"), "{}", stage.seen());
    stage.types("\n");
    expect![[r#"
          ? tracker asks you
            Where does the issue belong?

            Title: abc
            points: 5
            Urgent?: no
            labels: bug, ui
            kind: left out
            enter sends this · n declines · esc back · ctrl+c stops the turn"#]]
    .assert_eq(&form_part(&stage));
    // Back to the last field, where a digit chooses.
    stage.key(KeyCode::Esc);
    stage.types("2");
    stage.types("\n");
    assert_eq!(
        accepted(&mut answer),
        json!({"title": "abc", "points": 5, "urgent": false, "labels": ["bug", "ui"], "kind": "s"})
    );
    assert!(!stage.screen.overlay.asks());
}

/// The rows above the line of the window, without the margin of all of them.
fn form_part(stage: &Stage) -> String {
    let seen = stage.seen();
    let lines: Vec<&str> = seen.lines().map(|line| line.strip_prefix("  ").unwrap_or(line)).collect();
    let from = lines.iter().position(|line| line.contains("? tracker")).unwrap();
    let to = lines.iter().position(|line| line.contains("ctrl+c")).unwrap();
    lines[from..=to].join("\n")
}

#[test]
fn the_only_field_is_sent_at_once_and_esc_declines() {
    let mut stage = Stage::new(60, 15);
    stage.turn(TurnState::Working);
    let schema = json!({"type": "object", "properties": {"sure": {"type": "boolean"}}, "required": ["sure"]});
    let mut answer = form(&mut stage, &schema);
    stage.answers("");
    assert!(stage.seen().contains("enter sends it · esc declines"), "{}", stage.seen());
    stage.types("1");
    assert_eq!(accepted(&mut answer), json!({"sure": true}));
    let mut answer = form(&mut stage, &schema);
    stage.answers("");
    stage.key(KeyCode::Esc);
    assert_eq!(answer.try_recv(), Ok(ElicitationAnswer::Decline));
    assert_eq!(stage.acts(), [], "the turn continues");
}

#[test]
fn a_page_is_shown_whole_and_needs_a_key() {
    let mut stage = Stage::new(40, 24);
    stage.turn(TurnState::Working);
    let url = format!("https://example.org/{}", "long/".repeat(20));
    let page = ElicitationRequest::Page { url: url.clone() };
    let mut answer = ask(&mut stage, "Log in.\u{202e}\x1b[2J", page.clone());
    stage.answers("");
    let seen = stage.seen();
    let shown: String = seen.lines().map(str::trim).collect();
    assert!(shown.contains(&url) && seen.contains("open a page"), "{seen}");
    assert!(!seen.contains('\u{202e}'), "{seen}");
    stage.types("\n");
    assert_eq!(accepted(&mut answer), json!({}));
    let mut answer = ask(&mut stage, "Log in.", page);
    stage.answers("n");
    assert_eq!(answer.try_recv(), Ok(ElicitationAnswer::Decline));
}

#[test]
fn keys_for_the_input_answer_no_form() {
    let mut stage = Stage::new(80, 24);
    stage.turn(TurnState::Working);
    stage.types("and th");
    let mut answer = form(&mut stage, &issue());
    stage.types("en 1");
    assert!(answer.try_recv().is_err() && stage.seen().contains("1 of 5"), "{}", stage.seen());
    assert_eq!(stage.screen.composer.full_text(), "and then 1");
    stage.answers(" 2");
    assert!(stage.seen().contains("› and then 1 2▮"), "{}", stage.seen());
    assert!(stage.seen().contains("up or down to answer"), "{}", stage.seen());
    stage.wait(1_000);
    stage.key(KeyCode::Down);
    stage.types("abc\n");
    assert!(stage.seen().contains("2 of 5"), "{}", stage.seen());
}

#[test]
fn ctrl_c_closes_it_and_stops_the_turn_and_an_ended_call_takes_it_away() {
    let mut stage = Stage::new(80, 24);
    stage.turn(TurnState::Working);
    let mut answer = form(&mut stage, &issue());
    stage.answers("");
    stage.control('c');
    assert_eq!(answer.try_recv(), Ok(ElicitationAnswer::Cancel));
    assert_eq!(stage.acts(), [Act::Interrupt]);
    stage.turn(TurnState::Working);
    drop(form(&mut stage, &issue()));
    stage.wait(1_000);
    assert!(!stage.screen.overlay.asks() && !stage.seen().contains("tracker"), "{}", stage.seen());
}

#[test]
fn every_size_shows_the_field_and_the_keys() {
    for (columns, rows) in [(120, 40), (80, 24), (60, 15), (40, 10), (20, 8)] {
        let mut stage = Stage::new(columns, rows);
        stage.turn(TurnState::Working);
        let many: Vec<String> = (0..100).map(|index| format!("choice {index}")).collect();
        let schema = json!({"type": "object", "properties": {"pick": {"type": "string", "enum": many}}});
        let form = Form::parse(&schema).unwrap();
        let message = "A long story. ".repeat(200);
        let mut answer = ask(&mut stage, &message, ElicitationRequest::Form(form));
        stage.answers("");
        // It begins behind the last choice, where it is left out.
        for _ in 0..58 {
            stage.key(KeyCode::Down);
        }
        let seen = stage.seen();
        assert!(seen.contains("› 58  choice 57") && seen.contains("esc"), "{columns}x{rows}: {seen}");
        stage.types("\n");
        assert_eq!(accepted(&mut answer), json!({"pick": "choice 57"}), "{columns}x{rows}");
    }
}
