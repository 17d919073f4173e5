//! Questions about calls.

use std::time::Duration;

use crossterm::event::KeyCode;
use expect_test::{expect, expect_file};
use serde_json::{Value, json};
use throughline_agent::Event;
use throughline_conversation::{AnswerIdentity, ToolCall};
use throughline_permission::{Approval, ApprovalRequest};
use throughline_tools::{Access, Effect};
use tokio::sync::oneshot::{Receiver, channel};

use super::Stage;
use crate::port::{Act, CommandInfo, EditExcerpt, KeyStyle, Picker, Show, TurnState};

fn ask(stage: &mut Stage, id: &str, name: &str, input: Value, rule: Option<&str>) -> Receiver<Approval> {
    let (reply, answer) = channel();
    let call = ToolCall { id: id.to_owned(), name: name.to_owned(), input };
    let request = ApprovalRequest {
        call,
        access: Access::unnamed(Effect::Other),
        why: "no rule allows it".to_owned(),
        rule: rule.map(str::to_owned),
    };
    stage.show(Show::Approval { request, excerpt: None, reply });
    answer
}

fn shell(stage: &mut Stage, id: &str, command: &str) -> Receiver<Approval> {
    ask(stage, id, "shell", json!({ "command": command }), Some("shell(cargo test *)"))
}

#[test]
fn each_answer_has_a_key() {
    let mut stage = Stage::new(80, 24);
    stage.turn(TurnState::Working);
    let mut once = shell(&mut stage, "1", "cargo test");
    let mut always = shell(&mut stage, "2", "cargo test a");
    let mut no = shell(&mut stage, "3", "rm -rf /");
    let mut why = shell(&mut stage, "4", "rm -rf .");
    for key in ["y", "a", "n"] {
        stage.answers(key);
    }
    assert_eq!(once.try_recv(), Ok(Approval::Once));
    assert_eq!(always.try_recv(), Ok(Approval::Always));
    assert_eq!(no.try_recv(), Ok(Approval::Deny { feedback: None }));
    stage.answers("eremove only target\n");
    assert_eq!(why.try_recv(), Ok(Approval::Deny { feedback: Some("remove only target".to_owned()) }));
    assert!(!stage.screen.overlay.asks());
    assert_eq!(stage.acts(), []);
}

#[test]
fn the_rule_can_be_edited_before_it_is_accepted() {
    let mut stage = Stage::new(80, 24);
    stage.turn(TurnState::Working);
    let mut answer = shell(&mut stage, "1", "cargo test a");
    stage.answers("p");
    assert!(stage.seen().contains("Always allow: shell(cargo test *)▮"), "{}", stage.seen());
    // A malformed rule stays, with what is wrong.
    stage.key(KeyCode::Backspace);
    stage.types("\n");
    assert!(stage.seen().contains("the closing parenthesis is missing"), "{}", stage.seen());
    assert!(answer.try_recv().is_err());
    for _ in 0.."test *".len() {
        stage.key(KeyCode::Backspace);
    }
    stage.types("*)\n");
    assert_eq!(answer.try_recv(), Ok(Approval::AlwaysBy("shell(cargo *)".to_owned())));
    // The rule was not used, and the same call is asked about again: the text is not lost.
    let mut again = shell(&mut stage, "1", "cargo test a");
    stage.answers("5");
    assert!(stage.seen().contains("Always allow: shell(cargo *)▮"), "{}", stage.seen());
    stage.key(KeyCode::Esc);
    assert!(again.try_recv().is_err());
    stage.types("y");
    assert_eq!(again.try_recv(), Ok(Approval::Once));
}

#[test]
fn what_has_no_rule_is_not_allowed_always() {
    let mut stage = Stage::new(80, 24);
    let mut answer = ask(&mut stage, "1", "fetch", json!({ "url": "http://x" }), None);
    stage.answers("ap");
    assert!(answer.try_recv().is_err());
    assert!(!stage.seen().contains("always") && !stage.seen().contains("edit the rule"));
    stage.types("n");
    assert_eq!(answer.try_recv(), Ok(Approval::Deny { feedback: None }));
}

#[test]
fn escape_denies_all_and_stops() {
    let mut stage = Stage::new(80, 24);
    stage.turn(TurnState::Working);
    let mut first = shell(&mut stage, "1", "a");
    let mut second = shell(&mut stage, "2", "b");
    stage.key(KeyCode::Esc);
    assert_eq!(first.try_recv(), Ok(Approval::Deny { feedback: None }));
    assert_eq!(second.try_recv(), Ok(Approval::Deny { feedback: None }));
    assert_eq!(stage.acts(), [Act::Interrupt]);
}

#[test]
fn a_key_that_was_meant_for_the_input_answers_nothing() {
    let mut stage = Stage::new(80, 24);
    stage.turn(TurnState::Working);
    stage.types("ma");
    let mut answer = shell(&mut stage, "1", "rm -rf /");
    stage.types("y");
    assert!(answer.try_recv().is_err());
    assert_eq!(stage.screen.composer.full_text(), "may");
    // Enter sends what is typed, and answers nothing.
    stage.types("\n\n");
    assert!(answer.try_recv().is_err());
    assert!(stage.seen().contains("↳ may"), "{}", stage.seen());
    stage.wait(800);
    stage.types("y");
    assert_eq!(answer.try_recv(), Ok(Approval::Once));
    assert_eq!(stage.acts(), []);
}

#[test]
fn a_text_in_the_input_has_the_keys_until_the_user_moves_to_the_question() {
    let mut stage = Stage::new(60, 16);
    stage.turn(TurnState::Working);
    stage.types("no wait");
    let mut answer = shell(&mut stage, "1", "rm -rf /");
    stage.wait(1_500);
    stage.types(" you musx");
    stage.key(KeyCode::Backspace);
    stage.types("t");
    assert!(answer.try_recv().is_err());
    expect![[r#"

          ? $ rm -rf /

          Run this command?  no rule allows it
            y  yes
            a  always shell(cargo test *)
            n  no
            e  no, and say why
            up or down to answer · esc stop the turn
        ────────────────────────────────────────────────────────────
        › no wait you must▮
                                                        enter queues"#]]
    .assert_eq(&stage.seen());
    stage.wait(5_000);
    stage.types("\n");
    assert!(answer.try_recv().is_err());
    assert_eq!(stage.acts(), []);
    assert!(stage.seen().contains("↳ no wait you must"), "{}", stage.seen());
    // A draft stays where it is while the question is answered.
    stage.types("and");
    stage.wait(1_000);
    stage.key(KeyCode::Down);
    stage.types("n");
    assert_eq!(answer.try_recv(), Ok(Approval::Deny { feedback: None }));
    assert_eq!(stage.screen.composer.full_text(), "and");
}

#[test]
fn keys_of_a_text_under_a_question_are_its_own() {
    let command = CommandInfo {
        name: "/compact".to_owned(),
        arguments: String::new(),
        about: String::new(),
        group: String::new(),
        anytime: false,
    };
    let mut stage = Stage::new(60, 16);
    stage.show(Show::Commands(vec![command]));
    stage.show(Show::Keys(KeyStyle::Vim));
    stage.turn(TurnState::Working);
    stage.types("no");
    let mut answer = shell(&mut stage, "1", "rm -rf /");
    stage.wait(1_500);
    stage.key(KeyCode::Esc);
    assert!(
        answer.try_recv().is_err() && stage.screen.composer.mode() == "NORMAL",
        "Esc leaves the insert mode"
    );
    stage.types("cc/co");
    stage.types("\n");
    assert!(stage.seen().contains("↳ /co"), "no candidate that is not shown is taken: {}", stage.seen());
}

#[test]
fn an_arrow_at_a_question_recalls_no_earlier_input() {
    let mut stage = Stage::new(60, 14);
    stage.types("earlier\n");
    stage.turn(TurnState::Working);
    let answer = shell(&mut stage, "1", "rm -rf /");
    stage.key(KeyCode::Up);
    assert_eq!(stage.screen.composer.full_text(), "");
    drop(answer);
}

#[test]
fn keys_of_a_user_who_is_typing_answer_nothing() {
    let mut stage = Stage::new(80, 24);
    stage.turn(TurnState::Working);
    stage.types("please");
    let mut answer = shell(&mut stage, "1", "rm -rf /");
    for letter in [" ", "a", "l", "s", "o", " ", "n", "a", "m", "e", " ", "y", "a", "n", "e"] {
        stage.wait(300);
        stage.types(letter);
    }
    assert!(answer.try_recv().is_err());
    expect!["please also name yane"].assert_eq(&stage.screen.composer.full_text());
    stage.wait(600);
    assert!(stage.screen.paste("pasted", stage.now).is_empty());
    stage.wait(600);
    stage.types("a");
    expect!["please also name yanepasteda"].assert_eq(&stage.screen.composer.full_text());
    stage.wait(700);
    stage.key(KeyCode::Down);
    stage.types("a");
    assert_eq!(answer.try_recv(), Ok(Approval::Always));
}

#[test]
fn a_question_is_not_answered_before_it_can_have_been_read() {
    let mut stage = Stage::new(80, 24);
    stage.turn(TurnState::Working);
    stage.wait(5_000);
    let (reply, mut answer) = channel();
    let call =
        ToolCall { id: "1".to_owned(), name: "shell".to_owned(), input: json!({ "command": "rm -rf /" }) };
    let access = Access::unnamed(Effect::Other);
    let request = ApprovalRequest { call, access, why: String::new(), rule: Some("shell(rm *)".to_owned()) };
    // The session has asked, the screen does not show it yet.
    stage.screen.show(Show::Approval { request, excerpt: None, reply }, stage.now);
    stage.now += Duration::from_secs(2);
    stage.types("a");
    assert!(answer.try_recv().is_err());
    stage.wait(600);
    stage.types("y");
    assert!(answer.try_recv().is_err());
    expect!["ay"].assert_eq(&stage.screen.composer.full_text());
    stage.wait(700);
    stage.key(KeyCode::Down);
    stage.types("y");
    assert_eq!(answer.try_recv(), Ok(Approval::Once));
}

#[test]
fn a_key_that_is_pressed_twice_answers_one_question() {
    let mut stage = Stage::new(80, 24);
    stage.turn(TurnState::Working);
    let mut first = shell(&mut stage, "1", "ls");
    let mut second = shell(&mut stage, "2", "rm -rf /");
    stage.answers("y");
    stage.wait(200);
    stage.types("y");
    assert_eq!(first.try_recv(), Ok(Approval::Once));
    assert!(second.try_recv().is_err());
    stage.answers("n");
    assert_eq!(second.try_recv(), Ok(Approval::Deny { feedback: None }));
}

#[test]
fn a_key_that_is_held_down_answers_one_question_and_is_no_text() {
    for first_repeat in [250, 660] {
        let mut stage = Stage::new(80, 24);
        stage.turn(TurnState::Working);
        let mut first = shell(&mut stage, "1", "ls");
        let mut second = shell(&mut stage, "2", "rm -rf /");
        stage.answers("y");
        stage.wait(first_repeat);
        for _ in 0..60 {
            stage.types("y");
            stage.wait(33);
        }
        assert_eq!(first.try_recv(), Ok(Approval::Once));
        assert!(second.try_recv().is_err());
        // The second question is away too, and a third one comes.
        stage.wait(1_000);
        stage.types("n");
        assert_eq!(second.try_recv(), Ok(Approval::Deny { feedback: None }));
        stage.wait(first_repeat);
        stage.types("nnn");
        let mut third = shell(&mut stage, "3", "rm -rf .");
        stage.types("nnn");
        assert_eq!(stage.screen.composer.full_text(), "");
        assert!(third.try_recv().is_err());
        // Another key is text.
        stage.types("x");
        assert_eq!(stage.screen.composer.full_text(), "x");
    }
}

#[test]
fn a_question_behind_a_picker_has_not_been_seen() {
    let mut stage = Stage::new(80, 24);
    stage.show(Show::Picker(Picker { id: "p".to_owned(), ..Picker::default() }));
    let mut answer = shell(&mut stage, "1", "rm -rf /");
    stage.wait(5_000);
    stage.key(KeyCode::Esc);
    assert_eq!(stage.acts(), [Act::PickerClosed { picker: "p".to_owned() }]);
    stage.types("y");
    assert!(answer.try_recv().is_err());
    stage.wait(1_000);
    stage.key(KeyCode::Up);
    stage.types("y");
    assert_eq!(answer.try_recv(), Ok(Approval::Once));
}

#[test]
fn the_question_of_a_cancelled_call_goes_away() {
    let mut stage = Stage::new(80, 24);
    let first = shell(&mut stage, "1", "a");
    let mut second = shell(&mut stage, "2", "b");
    drop(first);
    stage.wait(0);
    stage.answers("y");
    assert_eq!(second.try_recv(), Ok(Approval::Once));
}

#[test]
fn a_question_shows_all_that_is_decided_about() {
    let mut stage = Stage::new(80, 16);
    let mut pictures = Vec::new();
    let first = shell(
        &mut stage,
        "1",
        "cargo test \u{1b}[2K\u{202e} && rm -rf target; echo 'a long command that does not fit on one line of this screen'",
    );
    let edit = json!({ "path": "src/a.rs", "old_string": "one\ntwo\n", "new_string": "one\n2\n" });
    let second = ask(&mut stage, "2", "edit_file", edit, Some("edit(src/**)"));
    let content: String = (1..=60).map(|line| format!("line {line}\n")).collect();
    let third = ask(&mut stage, "3", "write_file", json!({ "path": "src/b.rs", "content": content }), None);
    pictures.push(stage.seen());
    stage.answers("y");
    pictures.push(stage.seen());
    stage.answers("y");
    pictures.push(stage.seen());
    stage.answers("ewrite less, and over more than one line of the screen if that is what it takes");
    pictures.push(stage.seen());
    expect_file!["goldens/questions.txt"].assert_eq(&pictures.join("\n=====\n"));
    drop((first, second, third));
}

#[test]
fn a_long_line_of_a_change_continues_below_its_text() {
    let mut stage = Stage::new(50, 20);
    let (old, new) = (
        "one two three four five six seven eight nine ten",
        "1 two three four five six seven eight nine ten",
    );
    let excerpt = EditExcerpt::new(98, format!("a\n{old}\nb\n"), format!("a\n{new}\nb\n"));
    let input = json!({ "path": "a.txt", "old_string": old, "new_string": new });
    let call = ToolCall { id: "1".to_owned(), name: "edit_file".to_owned(), input };
    let access = Access::unnamed(Effect::Other);
    let request = ApprovalRequest { call, access, why: "it changes a file".to_owned(), rule: None };
    let (reply, _answer) = channel();
    stage.show(Show::Approval { request, excerpt: Some(Box::new(excerpt)), reply });
    expect![[r#"

          ? edit a.txt:99  +1 −1
             98   a
             99 - one two three four five six seven eight
                  nine ten
             99 + 1 two three four five six seven eight ni
                  ne ten
            100   b

          Apply this edit?  undo with /undo
            y  yes
            n  no
            e  no, and say why
            v show all · esc stop the turn
        ──────────────────────────────────────────────────"#]]
    .assert_eq(&stage.seen());
}

#[test]
fn all_of_a_long_change_can_be_printed() {
    let mut stage = Stage::new(80, 24);
    let content: String = (1..=60).map(|line| format!("line {line}\n")).collect();
    let answer = ask(&mut stage, "1", "write_file", json!({ "path": "b", "content": content }), None);
    assert!(stage.seen().contains("(v shows all)"));
    stage.answers("v");
    let all = stage.terminal.screen().contents();
    assert!(all.contains("+ line 60"), "{all}");
    drop(answer);
}

#[test]
fn the_end_of_a_path_is_seen_and_v_prints_all_of_it() {
    let path = format!("docs/{}\n.env", "x/../".repeat(20));
    let mut stage = Stage::new(60, 16);
    let input = json!({ "path": path, "old_string": "a", "new_string": "b" });
    let rule = format!("edit({})", "docs/x/".repeat(20));
    let answer = ask(&mut stage, "1", "edit_file", input, Some(&rule));
    expect![[r#"
          ? edit docs/x/../x/..…/../x/../x/../x/../x/../␊.env  +1 −1
            path: docs/x/../x/../x/../x/../x/../x/../x/../x/../x/../
            x/../x/../x/../x/../x/../x/../x/../x/../x/../x/../x/../␊
            .env
            - a
            + b
          Apply this edit?  no rule allows it
            y  yes
            a  always edit(docs/x/docs/x/docs/x/docs…s/x/docs/x/docs
            /x/docs/x/docs/x/docs/x/docs/x/docs/x/docs/x/)
            n  no
            e  no, and say why
            p edit the rule · v show all · esc stop the turn
        ────────────────────────────────────────────────────────────"#]]
    .assert_eq(&stage.seen());
    stage.answers("v");
    expect![[r#"
        cs/x/docs/x/docs/x/docs/x/docs/x/)

          ? edit docs/x/../x/..…/../x/../x/../x/../x/../␊.env  +1 −1
            path: docs/x/../x/../x/../x/../x/../x/../x/../x/../x/../
            x/../x/../x/../x/../x/../x/../x/../x/../x/../x/../x/../␊
            ⋯ 3 more lines, printed above

          Apply this edit?  no rule allows it
          › y  yes
            a  always edit(docs/x/docs/x/docs/x/docs…s/x/docs/x/docs
            /x/docs/x/docs/x/docs/x/docs/x/docs/x/docs/x/)
            n  no
            e  no, and say why
            p edit the rule · v show all · esc stop the turn
        ────────────────────────────────────────────────────────────"#]]
    .assert_eq(&stage.seen());
    drop(answer);

    let mut stage = Stage::new(30, 16);
    let answer = ask(&mut stage, "1", "write_file", json!({ "path": "src/a/b/c.rs", "content": "" }), None);
    expect![[r#"

          ? write src/a/b/c.rs  +0

          Write this file?  no rule
          allows it
            y  yes
            n  no
            e  no, and say why
            v show all · esc stop the
            turn
        ──────────────────────────────"#]]
    .assert_eq(&stage.seen());
    drop(answer);
}

#[test]
fn the_time_at_a_question_is_not_the_time_of_the_call() {
    let mut stage = Stage::new(60, 20);
    stage.turn(TurnState::Working);
    stage.starts("1", "shell", serde_json::json!({ "command": "ls" }));
    let _answer = shell(&mut stage, "1", "ls");
    stage.wait(30_000);
    stage.answers("y");
    stage.ends("1", "shell", "a.rs", false);
    assert!(!stage.seen().contains("30s"), "{}", stage.seen());
}

#[test]
fn digits_and_arrows_answer_as_letters_do() {
    let mut stage = Stage::new(80, 24);
    stage.turn(TurnState::Working);
    let mut once = shell(&mut stage, "1", "cargo test");
    let mut always = shell(&mut stage, "2", "cargo test a");
    let mut no = ask(&mut stage, "3", "fetch", json!({ "url": "http://x" }), None);
    stage.answers("1");
    assert_eq!(once.try_recv(), Ok(Approval::Once));
    // Enter gives the chosen answer, once the question can have been read.
    stage.types("\n");
    assert!(always.try_recv().is_err());
    stage.wait(1_000);
    for code in [KeyCode::Up, KeyCode::Down, KeyCode::Down, KeyCode::Enter] {
        stage.key(code);
    }
    assert_eq!(always.try_recv(), Ok(Approval::Always));
    // A digit means the same where there is no rule.
    stage.answers("2");
    assert!(no.try_recv().is_err());
    stage.types("3");
    assert_eq!(no.try_recv(), Ok(Approval::Deny { feedback: None }));
    assert_eq!(stage.acts(), []);
}

/// Two commands of one answer, of which the first is asked about.
fn two_commands(stage: &mut Stage) -> Receiver<Approval> {
    stage.turn(TurnState::Working);
    for (id, command) in [("1", "touch a1"), ("2", "touch a2")] {
        stage.starts(id, "shell", json!({ "command": command }));
        stage.show(Show::Waiting { call_id: id.to_owned() });
    }
    let answer = shell(stage, "1", "touch a1");
    stage.wait(2_900);
    answer
}

#[test]
fn a_call_behind_a_question_waits_and_is_not_run_when_the_turn_stops() {
    let mut stage = Stage::new(80, 24);
    let _answer = two_commands(&mut stage);
    let seen = stage.seen();
    assert!(seen.contains("○ $ touch a2\n"), "{seen}");
    stage.key(KeyCode::Esc);
    stage.ends("1", "shell", "cancelled", true);
    stage.turn(TurnState::Idle);
    let seen = stage.seen();
    assert!(seen.contains("✗ $ touch a2") && seen.contains("not run"), "{seen}");
    assert!(!seen.contains("stopped · 2"), "{seen}");
}

#[test]
fn a_call_behind_a_question_counts_its_time_from_the_answer() {
    let mut stage = Stage::new(80, 24);
    let _answer = two_commands(&mut stage);
    stage.types("a");
    stage.wait(600);
    let seen = stage.seen();
    assert!(seen.contains("● $ touch a2 0.6s"), "{seen}");
}

#[test]
fn a_refused_call_is_no_failed_one() {
    let mut stage = Stage::new(80, 24);
    let _answer = two_commands(&mut stage);
    stage.types("n");
    stage.ends("1", "shell", "The user declined this call of shell; it was not run.", true);
    stage.ends("2", "shell", "[exit status: 0]", false);
    stage.event(Event::Answered { usage: None, stop: String::new(), identity: AnswerIdentity::default() });
    stage.turn(TurnState::Idle);
    let seen = stage.seen();
    assert!(seen.contains("2 calls, 1 refused") && !seen.contains("failed"), "{seen}");
}

#[test]
fn a_low_screen_shows_what_is_asked_about() {
    let mut pictures = Vec::new();
    for rows in [12, 10, 8, 7] {
        let mut stage = Stage::new(40, rows);
        let input = json!({ "path": "src/parser.rs", "content": "one\ntwo\nthree\nfour\n" });
        let answer = ask(&mut stage, "1", "write_file", input, Some("edit(src/**)"));
        stage.wait(1_000);
        let seen = stage.seen();
        assert!(seen.contains("? write src/parser.rs"), "{seen}");
        pictures.push(seen);
        stage.types("v");
        let seen = stage.seen();
        assert!(seen.contains("? write src/parser.rs"), "{seen}");
        pictures.push(seen);
        drop(answer);
    }
    expect_file!["goldens/low_questions.txt"].assert_eq(&pictures.join("\n=====\n"));
}

/// Shows a question about a change, lets it be made, and returns both pictures.
fn changes(name: &str, input: Value, excerpt: &EditExcerpt) -> String {
    let mut stage = Stage::new(60, 60);
    stage.turn(TurnState::Working);
    stage.starts("1", name, input.clone());
    let call = ToolCall { id: "1".to_owned(), name: name.to_owned(), input };
    let access = Access::unnamed(Effect::Other);
    let request = ApprovalRequest { call, access, why: "it changes a file".to_owned(), rule: None };
    let (reply, _answer) = channel();
    stage.show(Show::Approval { request, excerpt: Some(Box::new(excerpt.clone())), reply });
    let title =
        |seen: String| seen.lines().filter(|line| line.contains(" a.txt")).collect::<Vec<_>>().join("\n");
    let asked = title(stage.seen());
    stage.answers("y");
    stage.show(Show::Change { call_id: "1".to_owned(), excerpt: Box::new(excerpt.clone()) });
    stage.ends("1", name, "Done", false);
    stage.event(Event::Answered { usage: None, stop: String::new(), identity: AnswerIdentity::default() });
    stage.turn(TurnState::Idle);
    let receipt: String = stage.seen().lines().filter(|line| line.starts_with("──")).take(1).collect();
    format!("{asked}\n{}\n{receipt}", title(stage.seen()))
}

#[test]
fn the_size_of_a_change_is_that_of_the_file() {
    let lines = |text: &str| text.repeat(200);
    let everywhere = EditExcerpt::new(1, lines("a\n"), lines("b\n")).in_places(200);
    let input = json!({ "path": "a.txt", "old_string": "a", "new_string": "b", "replace_all": true });
    expect![[r#"
          ? edit a.txt:1  +200 −200 in 200 places
          ✓ edit a.txt:1  +200 −200 in 200 places
        ── 1s · 1 call · 1 file +200 −200 ──"#]]
    .assert_eq(&changes("edit_file", input, &everywhere));
    let written = EditExcerpt::new(1, lines("a\n"), "x\ny\nz\n".to_owned());
    let input = json!({ "path": "a.txt", "content": "x\ny\nz\n" });
    expect![[r#"
          ? write a.txt:1  +3 −200
          ✓ write a.txt:1  +3 −200
        ── 1s · 1 call · 1 file +3 −200 ──"#]]
    .assert_eq(&changes("write_file", input, &written));
    let several = EditExcerpt::new(9, "1\n2\n3\n".to_owned(), "1\nb\nc\nd\n".to_owned());
    let edit = |old: &str, new: &str| json!({ "old_string": old, "new_string": new });
    let input = json!({ "path": "a.txt", "edits": [edit("2", "b"), edit("b\n3", "b\nc\nd")] });
    expect![[r#"
          ? edit a.txt:10  +3 −2
          ✓ edit a.txt:10  +3 −2
        ── 1s · 1 call · 1 file +3 −2 ──"#]]
    .assert_eq(&changes("multi_edit", input, &several));
}
