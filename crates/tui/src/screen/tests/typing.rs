//! Sending, waiting, stopping, leaving.

use crossterm::event::{KeyCode, KeyModifiers};
use expect_test::expect;
use throughline_agent::Event;

use super::{Stage, submit};
use crate::port::{Act, CommandInfo, Earlier, Show, TurnState};

#[test]
fn what_is_sent_meanwhile_waits_for_the_end() {
    let mut stage = Stage::new(60, 12);
    stage.types("one\n");
    // The session has not said yet that it works.
    stage.types("two\n");
    assert_eq!(stage.acts(), [submit("one")]);
    stage.turn(TurnState::Working);
    stage.types("three\n");
    stage.turn(TurnState::Idle);
    assert_eq!(stage.acts(), [submit("two")]);
    stage.turn(TurnState::Idle);
    assert_eq!(stage.acts(), [submit("three")]);
    stage.turn(TurnState::Idle);
    stage.types("four\n");
    assert_eq!(stage.acts(), [submit("four")]);
}

#[test]
fn queued_lines_and_commands_stay_separate_after_esc() {
    let mut stage = Stage::new(60, 12);
    stage.types("one\n");
    stage.turn(TurnState::Working);
    stage.types("two\n/undo\nfour\nfive");
    stage.key(KeyCode::Esc);
    stage.key(KeyCode::Esc);
    assert_eq!(stage.acts(), [submit("one"), Act::Interrupt]);
    stage.turn(TurnState::Idle);
    assert_eq!(stage.acts(), []);
    assert!(
        stage.seen().contains("↳ two  paused\n  ↳ /undo  paused\n  ↳ four  paused · enter sends"),
        "{}",
        stage.seen()
    );
    expect!["five"].assert_eq(&stage.screen.composer.full_text());
    stage.key(KeyCode::Enter);
    stage.turn(TurnState::Idle);
    assert_eq!(stage.acts(), [submit("five")]);
    for _ in 0..3 {
        stage.key(KeyCode::Enter);
        stage.turn(TurnState::Idle);
    }
    assert_eq!(stage.acts(), [submit("two"), submit("/undo"), submit("four")]);
}

#[test]
fn many_queued_lines_are_no_paste_after_esc() {
    let mut stage = Stage::new(60, 24);
    stage.types("one\n");
    stage.turn(TurnState::Working);
    for number in 0..14 {
        stage.types(&format!("line {number}\n"));
    }
    stage.key(KeyCode::Esc);
    stage.turn(TurnState::Idle);
    assert!(!stage.seen().contains("pasted"), "{}", stage.seen());
    assert!(stage.seen().contains("⋯ 11 more"), "{}", stage.seen());
}

#[test]
fn a_turn_that_fails_pauses_what_waits() {
    let mut stage = Stage::new(60, 12);
    stage.types("one\n");
    stage.turn(TurnState::Working);
    stage.types("two\n");
    stage.show(Show::Problem("the service cannot be reached".to_owned()));
    stage.turn(TurnState::Idle);
    assert_eq!(stage.acts(), [submit("one")]);
    stage.key(KeyCode::Up);
    expect!["two"].assert_eq(&stage.screen.composer.full_text());
    stage.types("\nthree\n");
    stage.turn(TurnState::Idle);
    assert_eq!(stage.acts(), [submit("two"), submit("three")]);
}

#[test]
fn what_is_entered_is_recorded_once_and_named_when_the_user_leaves() {
    let mut stage = Stage::new(60, 12);
    stage.types("one\n");
    stage.turn(TurnState::Working);
    stage.types("two\n");
    stage.types("/undo\n");
    let entered = |text: &str| Act::Entered(text.to_owned());
    let acts = std::mem::take(&mut stage.acts);
    assert_eq!(acts, [entered("one"), submit("one"), entered("two"), entered("/undo")]);
    stage.control('c');
    stage.control('c');
    stage.show(Show::End);
    assert!(stage.screen.ended());
    assert_eq!(stage.screen.unsent(), ["two", "/undo"]);
}

#[test]
fn queued_inputs_can_be_edited() {
    let mut stage = Stage::new(60, 12);
    stage.types("one\n");
    stage.turn(TurnState::Working);
    stage.types("two\n");
    stage.key(KeyCode::Up);
    stage.types("!\n");
    stage.turn(TurnState::Idle);
    assert_eq!(stage.acts(), [submit("one"), submit("two!")]);
}

#[test]
fn a_command_for_any_time_does_not_wait() {
    let mut stage = Stage::new(60, 12);
    let help = CommandInfo {
        name: "/help".to_owned(),
        arguments: String::new(),
        about: String::new(),
        group: String::new(),
        anytime: true,
    };
    stage.show(Show::Commands(vec![help]));
    stage.types("one\n");
    stage.turn(TurnState::Working);
    stage.types("/help\n");
    assert_eq!(stage.acts(), [submit("one"), submit("/help")]);
}

#[test]
fn a_break_clears_then_stops_and_two_leave() {
    let mut stage = Stage::new(60, 12);
    stage.types("text");
    stage.control('c');
    assert!(stage.screen.composer.is_empty());
    stage.wait(3_000);
    stage.types("one\n");
    stage.turn(TurnState::Working);
    stage.control('c');
    assert_eq!(stage.acts(), [submit("one"), Act::Interrupt]);
    stage.control('c');
    assert_eq!(stage.acts(), [Act::Quit]);
    assert!(!stage.screen.abandoned());
    stage.control('c');
    stage.control('c');
    assert_eq!(stage.acts(), []);
    assert!(stage.screen.abandoned());
}

#[test]
fn a_break_that_clears_text_is_not_the_first_of_two() {
    let mut stage = Stage::new(60, 12);
    stage.types("one\n");
    stage.turn(TurnState::Working);
    stage.types("half a senten");
    stage.control('c');
    assert!(!stage.seen().contains("ctrl+c again"), "{}", stage.seen());
    stage.wait(900);
    stage.control('c');
    assert_eq!(stage.acts(), [submit("one"), Act::Interrupt], "the second stops the turn");
    stage.control('c');
    assert_eq!(stage.acts(), [Act::Quit]);
}

#[test]
fn a_first_message_is_sent_when_the_session_waits_for_it() {
    let mut stage = Stage::new(60, 12);
    stage.screen.queue_first("What is this?\n");
    stage.paint();
    stage.show(Show::Welcome { title: "Throughline 0.1.0".to_owned(), text: "~/project".to_owned() });
    assert_eq!(stage.acts(), []);
    stage.turn(TurnState::Idle);
    assert_eq!(stage.acts(), [submit("What is this?")]);
    let seen = stage.seen();
    assert!(seen.find("Throughline") < seen.find("› What is this?"), "{seen}");
}

#[test]
fn the_end_of_input_leaves_only_an_empty_one() {
    let mut stage = Stage::new(60, 12);
    stage.types("ab");
    stage.key(KeyCode::Left);
    stage.control('d');
    expect!["a"].assert_eq(&stage.screen.composer.full_text());
    stage.key(KeyCode::Backspace);
    stage.control('d');
    assert_eq!(stage.acts(), [Act::Quit]);
    stage.show(Show::End);
    assert!(stage.screen.ended());
}

#[test]
fn a_new_line_has_four_keys() {
    let mut stage = Stage::new(60, 12);
    stage.types("a");
    stage.press(KeyCode::Enter, KeyModifiers::SHIFT);
    stage.types("b");
    stage.press(KeyCode::Enter, KeyModifiers::ALT);
    stage.types("c");
    stage.control('j');
    stage.types("d\\\ne\n");
    assert_eq!(stage.acts(), [submit("a\nb\nc\nd\ne")]);
}

#[test]
fn a_command_is_completed_and_run() {
    let mut stage = Stage::new(60, 12);
    let command = |name: &str, arguments: &str| CommandInfo {
        name: name.to_owned(),
        arguments: arguments.to_owned(),
        about: String::new(),
        group: String::new(),
        anytime: false,
    };
    stage.show(Show::Commands(vec![command("/compact", "[WORDS]"), command("/model", "NAME")]));
    stage.types("/co\n");
    assert_eq!(stage.acts(), [submit("/compact")]);
    stage.turn(TurnState::Idle);
    stage.types("/mo\nx\n");
    assert_eq!(stage.acts(), [submit("/model x")]);
}

#[test]
fn commands_that_arrive_after_the_first_letters_complete_them() {
    let mut stage = Stage::new(60, 12);
    stage.types("/ini");
    stage.show(Show::Commands(vec![CommandInfo {
        name: "/init".to_owned(),
        arguments: String::new(),
        about: String::new(),
        group: String::new(),
        anytime: false,
    }]));
    stage.key(KeyCode::Tab);
    stage.types("\n");
    assert_eq!(stage.acts(), [submit("/init")]);
}

#[test]
fn the_list_of_paths_shows_every_letter_that_it_puts_in() {
    let mut stage = Stage::new(60, 12);
    stage.types("@ma");
    stage.show(Show::Files { query: "ma".to_owned(), paths: vec!["ma\u{1b}[31min.rs".to_owned()] });
    let seen = stage.seen();
    assert!(seen.contains("ma␛[31min.rs") && seen.contains("tab or enter puts it in"), "{seen}");
}

#[test]
fn paths_are_asked_for_and_put_in() {
    let mut stage = Stage::new(60, 12);
    stage.types("see @ma");
    assert_eq!(
        stage.acts(),
        [Act::NeedFiles(String::new()), Act::NeedFiles("m".to_owned()), Act::NeedFiles("ma".to_owned())]
    );
    let paths = ["src/lib.rs", "src/main.rs"].map(str::to_owned).into();
    stage.show(Show::Files { query: "ma".to_owned(), paths });
    stage.key(KeyCode::Tab);
    stage.types("and\n");
    assert_eq!(stage.acts(), [submit("see @src/main.rs and")]);
}

#[test]
fn paths_for_an_earlier_text_do_not_replace_those_for_the_newest() {
    let mut stage = Stage::new(60, 12);
    stage.types("see @ma");
    let paths = |paths: &[&str]| paths.iter().map(|path| (*path).to_owned()).collect();
    stage.show(Show::Files { query: "ma".to_owned(), paths: paths(&["src/main.rs"]) });
    stage.show(Show::Files { query: "m".to_owned(), paths: paths(&["docs/many.md", "m"]) });
    assert!(stage.seen().contains("src/main.rs"), "{}", stage.seen());
    assert!(!stage.seen().contains("docs/many.md"), "{}", stage.seen());
}

#[test]
fn earlier_inputs_are_searched() {
    let mut stage = Stage::new(60, 12);
    stage.screen.add_history(vec!["cargo test".to_owned(), "build".to_owned()]);
    stage.control('r');
    stage.types("tes");
    expect![[r#"
        ────────────────────────────────────────────────────────────
        search: tes▮  cargo test
        enter sends · tab edits · ctrl+r older · esc leaves"#]]
    .assert_eq(&stage.seen());
    stage.types("\n");
    assert_eq!(stage.acts(), [submit("cargo test")]);
    stage.turn(TurnState::Idle);
    stage.key(KeyCode::Up);
    stage.key(KeyCode::Up);
    expect!["build"].assert_eq(&stage.screen.composer.full_text());
}

#[test]
fn a_running_command_goes_to_the_background_by_a_key_with_an_empty_input() {
    let mut stage = Stage::new(60, 16);
    let control_b = |stage: &mut Stage| stage.press(KeyCode::Char('b'), KeyModifiers::CONTROL);
    control_b(&mut stage);
    stage.types("one");
    stage.key(KeyCode::Enter);
    stage.turn(TurnState::Working);
    control_b(&mut stage);
    stage.types("ac");
    control_b(&mut stage);
    stage.types("b");
    expect!["abc"].assert_eq(&stage.screen.composer.full_text());
    assert_eq!(stage.acts(), [submit("one"), Act::Background]);
}

#[test]
fn the_mode_and_the_keys_have_keys() {
    let mut stage = Stage::new(60, 16);
    stage.key(KeyCode::BackTab);
    stage.press(KeyCode::BackTab, KeyModifiers::SHIFT);
    assert_eq!(stage.acts(), [Act::NextMode, Act::NextMode]);
    stage.types("?");
    assert!(stage.seen().contains("cut word"));
    stage.types("a?");
    assert!(!stage.seen().contains("cut word"));
    expect!["a?"].assert_eq(&stage.screen.composer.full_text());
}

#[test]
fn an_answer_that_is_withdrawn_is_not_shown_on() {
    let mut stage = Stage::new(60, 12);
    stage.turn(TurnState::Working);
    stage.event(Event::Text("half of an ans".to_owned()));
    stage.event(Event::Withdrawn { why: "the provider cut the front".to_owned() });
    expect![[r#"
        ⠋ working 0.0s · trying again · esc stops
          ! the provider cut the front
        ────────────────────────────────────────────────────────────
        › ▮"#]]
    .assert_eq(&stage.seen());
    stage.event(Event::Text("All of it.\n\n".to_owned()));
    stage.turn(TurnState::Idle);
    expect![[r#"
        All of it.
        ────────────────────────────────────────────────────────────
        › ▮Ask for a change, / for commands, ? for keys"#]]
    .assert_eq(&stage.seen());
}

#[test]
fn what_is_printed_of_a_withdrawn_answer_is_marked_and_the_cause_is_said_once() {
    let mut stage = Stage::new(60, 20);
    stage.turn(TurnState::Working);
    for _ in 0..2 {
        stage.event(Event::Text("Paragraph one.\n\nhalf\n".to_owned()));
        stage.event(Event::Withdrawn { why: "the connection broke".to_owned() });
        stage.event(Event::Retrying { cause: "the connection broke".to_owned(), wait_ms: 500 });
    }
    stage.event(Event::Text("Paragraph one.\n\nParagraph two.".to_owned()));
    stage.turn(TurnState::Idle);
    expect![[r#"
        Paragraph one.

          ! the answer above is discarded and requested again: the
            connection broke

        Paragraph one.

          ! the answer above is discarded and requested again

        Paragraph one.

        Paragraph two.

        ────────────────────────────────────────────────────────────
        › ▮Ask for a change, / for commands, ? for keys"#]]
    .assert_eq(&stage.seen());
}

#[test]
fn a_retry_is_counted_down_and_leaves_nothing_behind() {
    let mut stage = Stage::new(60, 12);
    stage.turn(TurnState::Working);
    for (cause, wait_ms) in [("the connection broke", 1_000), ("the service is overloaded", 9_500)] {
        stage.event(Event::Retrying { cause: cause.to_owned(), wait_ms });
    }
    expect![[r#"
        ⠋ working 0.0s · trying again in 10s · esc stops
          ! the service is overloaded
        ────────────────────────────────────────────────────────────
        › ▮"#]]
    .assert_eq(&stage.seen());
    stage.wait(3_000);
    assert!(stage.seen().contains(" · trying again in 7s · "), "{}", stage.seen());
    stage.wait(7_000);
    assert!(stage.seen().contains(" · trying again · "), "{}", stage.seen());
    stage.event(Event::Text("The answer.".to_owned()));
    expect![[r#"
        The answer.

        ⠸ writing 10s · esc stops
        ────────────────────────────────────────────────────────────
        › ▮"#]]
    .assert_eq(&stage.seen());
    stage.turn(TurnState::Idle);
    assert!(!stage.seen().contains("overloaded"), "{}", stage.seen());
}

#[test]
fn control_keys_have_their_places_on_every_keyboard() {
    let mut stage = Stage::new(60, 12);
    stage.types("раз два");
    stage.control('ц');
    expect!["раз "].assert_eq(&stage.screen.composer.full_text());
    stage.control('н');
    expect!["раз два"].assert_eq(&stage.screen.composer.full_text());
    stage.control('с');
    assert!(stage.screen.composer.is_empty());
    stage.control('С');
    stage.control('с');
    assert_eq!(stage.acts(), [Act::Quit]);
}

#[test]
fn the_prompt_is_edited_in_the_editor() {
    let mut stage = Stage::new(60, 12);
    stage.types("draft");
    stage.control('g');
    assert_eq!(stage.acts(), [Act::EditInput("draft".to_owned())]);
    stage.show(Show::Input("better\n".to_owned()));
    stage.key(KeyCode::Enter);
    assert_eq!(stage.acts(), [submit("better")]);
}

#[test]
fn the_whole_transcript_has_a_key() {
    let mut stage = Stage::new(60, 12);
    stage.control('o');
    assert_eq!(stage.acts(), [Act::Transcript]);
}

#[test]
fn a_dropped_picture_is_attached() {
    let mut stage = Stage::new(60, 12);
    for dropped in ["'/tmp/my shot.png'", "\"/tmp/my shot.png\"", "/tmp/my\\ shot.png"] {
        stage.screen.paste(dropped, stage.now);
        expect!["@\"/tmp/my shot.png\" "].assert_eq(&stage.screen.composer.full_text());
        stage.control('u');
    }
    for text in ["/tmp/my shot.png", "'/a.png' '/b.png'", "see /tmp/shot.png"] {
        stage.screen.paste(text, stage.now);
        assert_eq!(stage.screen.composer.full_text(), text);
        stage.control('u');
    }
    stage.screen.paste("/tmp/shot.png\n", stage.now);
    expect!["@/tmp/shot.png "].assert_eq(&stage.screen.composer.full_text());
}

#[test]
fn a_picture_dropped_behind_a_word_is_attached() {
    let mut stage = Stage::new(60, 12);
    for (typed, dropped, text) in [
        ("look:", "'/tmp/my shot.png'", "look: @\"/tmp/my shot.png\" "),
        ("look ", "/tmp/shot.png", "look @/tmp/shot.png "),
        ("(", "/tmp/shot.png", "(@/tmp/shot.png "),
    ] {
        stage.types(typed);
        stage.screen.paste(dropped, stage.now);
        assert_eq!(stage.screen.composer.full_text(), text);
        stage.control('u');
    }
}

#[test]
fn a_picture_dropped_as_a_url_or_a_plain_path_is_attached() {
    let file = std::env::temp_dir().join(format!("throughline dropped {}.png", std::process::id()));
    std::fs::write(&file, "").unwrap();
    let mut stage = Stage::new(60, 12);
    for (dropped, text) in [
        ("file:///tmp/my%20shot%C3%A9.png", "@\"/tmp/my shot\u{e9}.png\" ".to_owned()),
        ("file://localhost/tmp/shot.png", "@/tmp/shot.png ".to_owned()),
        ("file://elsewhere/tmp/shot.png", "file://elsewhere/tmp/shot.png".to_owned()),
        ("file:///tmp/shot%0A.png", "file:///tmp/shot%0A.png".to_owned()),
        (file.to_str().unwrap(), format!("@\"{}\" ", file.display())),
    ] {
        stage.screen.paste(dropped, stage.now);
        assert_eq!(stage.screen.composer.full_text(), text);
        stage.control('u');
    }
    std::fs::remove_file(file).unwrap();
}

#[test]
fn escape_twice_asks_for_the_turns() {
    let mut stage = Stage::new(60, 12);
    stage.key(KeyCode::Esc);
    assert!(stage.seen().contains("esc again"), "{}", stage.seen());
    assert_eq!(stage.acts(), []);
    stage.key(KeyCode::Esc);
    assert_eq!(stage.acts(), [Act::Rewind]);
    // Another key in between, or text in the input, makes it two single ones.
    stage.key(KeyCode::Esc);
    stage.control('c');
    stage.key(KeyCode::Esc);
    assert_eq!(stage.acts(), []);
    stage.wait(2_000);
    stage.key(KeyCode::Esc);
    stage.types("a");
    stage.key(KeyCode::Esc);
    stage.key(KeyCode::Esc);
    assert_eq!(stage.acts(), []);
}

#[test]
fn the_hint_at_a_second_key_leaves_with_its_effect() {
    let mut stage = Stage::new(60, 12);
    for (key, hint) in [('c', "ctrl+c again"), ('[', "esc again")] {
        let press = |stage: &mut Stage| match key {
            'c' => stage.control('c'),
            _ => stage.key(KeyCode::Esc),
        };
        press(&mut stage);
        stage.wait(1_900);
        assert!(stage.seen().contains(hint), "{}", stage.seen());
        stage.wait(100);
        assert!(!stage.seen().contains(hint), "{}", stage.seen());
        assert!(!stage.screen.ticks());
        press(&mut stage);
        assert!(stage.seen().contains(hint) && stage.acts().is_empty());
        stage.wait(2_000);
    }
}

#[test]
fn the_checklist_is_shown_on_demand() {
    let mut stage = Stage::new(60, 20);
    stage.control('t');
    assert!(stage.seen().contains("no checklist yet"), "{}", stage.seen());
    let items = serde_json::json!({ "items": [{ "description": "Read it", "status": "in_progress" }] });
    stage.show(Show::Restored(vec![Earlier::Tool {
        name: "update_checklist".to_owned(),
        input: items,
        is_error: false,
        result: "".into(),
        stored: None,
    }]));
    assert!(stage.seen().contains("✓ todo Read it  0 of 1 done"), "{}", stage.seen());
    assert!(!stage.seen().contains("▸ Read it"), "{}", stage.seen());
    stage.control('t');
    assert!(stage.seen().contains("▸ Read it"), "{}", stage.seen());
    stage.control('t');
    assert!(!stage.seen().contains("▸ Read it"), "{}", stage.seen());
    stage.turn(TurnState::Working);
    assert!(!stage.seen().contains("▸ Read it"), "the user has hidden it");
}

#[test]
fn the_checklist_stands_below_the_activity_while_a_turn_runs() {
    let mut stage = Stage::new(60, 20);
    stage.types("go\n");
    stage.turn(TurnState::Working);
    let item = |text: &str, status: &str| serde_json::json!({ "description": text, "status": status });
    let items: Vec<_> = [("a", "completed"), ("b", "in_progress"), ("c", "pending"), ("d", "pending")]
        .map(|(text, status)| item(text, status))
        .into();
    stage.starts("1", "update_checklist", serde_json::json!({ "items": items }));
    stage.ends("1", "update_checklist", "", false);
    expect![[r#"
        › go

          ✓ todo b  1 of 4 done

        ⠋ b 1 of 4 done · 0.0s · esc stops
            ✓ a
            ▸ b
            ○ c
            ○ d
        ────────────────────────────────────────────────────────────
        › ▮"#]]
    .assert_eq(&stage.seen());
    stage.turn(TurnState::Idle);
    assert!(!stage.seen().contains("▸ b"), "{}", stage.seen());
}

#[test]
fn the_running_turn_takes_the_messages_before_the_first_command() {
    let mut stage = Stage::new(60, 16);
    let take = |stage: &mut Stage| {
        let (reply, mut taken) = tokio::sync::oneshot::channel();
        stage.show(Show::TakeQueued { reply });
        taken.try_recv().unwrap()
    };
    stage.types("one\n");
    stage.turn(TurnState::Working);
    assert_eq!(take(&mut stage), Vec::<String>::new());
    stage.types("two\nthree @a.txt \n/undo\nfour\n");
    assert!(
        stage.seen().contains("↳ two  next\n  ↳ three @a.txt  next\n  ↳ /undo  at the end of the turn"),
        "{}",
        stage.seen()
    );
    // The user takes the newest back, and sends another.
    stage.key(KeyCode::Up);
    expect!["four"].assert_eq(&stage.screen.composer.full_text());
    stage.types(" files\n");
    assert_eq!(take(&mut stage), ["two", "three @a.txt"]);
    assert!(stage.seen().contains("› two") && stage.seen().contains("› three @a.txt"), "{}", stage.seen());
    assert_eq!(take(&mut stage), Vec::<String>::new(), "a command and what stands behind it wait");
    stage.acts.retain(|act| !matches!(act, Act::NeedFiles(_)));
    assert_eq!(stage.acts(), [submit("one")]);
    stage.turn(TurnState::Idle);
    assert_eq!(stage.acts(), [submit("/undo")]);
    stage.turn(TurnState::Idle);
    assert_eq!(stage.acts(), [submit("four files")]);
}

#[test]
fn what_a_turn_asks_for_and_does_not_receive_stays_queued() {
    let mut stage = Stage::new(60, 12);
    stage.types("one\n");
    stage.turn(TurnState::Working);
    stage.types("two\n");
    let (reply, _) = tokio::sync::oneshot::channel();
    stage.show(Show::TakeQueued { reply });
    stage.key(KeyCode::Esc);
    let (reply, mut taken) = tokio::sync::oneshot::channel();
    stage.show(Show::TakeQueued { reply });
    assert_eq!(taken.try_recv().unwrap(), Vec::<String>::new(), "Esc pauses it");
    assert_eq!(stage.acts(), [submit("one"), Act::Interrupt]);
    assert!(stage.seen().contains("↳ two  paused"), "{}", stage.seen());
}

#[test]
fn the_input_breaks_between_words() {
    let mut stage = Stage::new(20, 12);
    let text = "please look at the first line\nof it and averyveryverylongword here";
    assert!(stage.screen.paste(text, stage.now).is_empty());
    stage.paint();
    expect![[r#"
        ────────────────────
        › please look at
          the first line
          of it and
          averyveryverylong
          word here▮"#]]
    .assert_eq(&stage.seen());
    // The cursor stays in its column, and goes where the text is.
    for _ in 0..4 {
        stage.key(KeyCode::Up);
    }
    stage.types("x");
    expect![[r#"
        please loxok at the first line
        of it and averyveryverylongword here"#]]
    .assert_eq(&stage.screen.composer.full_text());
    // A space at the end of a full row takes no row.
    let mut stage = Stage::new(20, 12);
    stage.types("0123456789abcdefg ");
    expect![[r#"
        ────────────────────
        › 0123456789abcdefg
          ▮"#]]
    .assert_eq(&stage.seen());
    stage.types("h");
    expect![[r#"
        ────────────────────
        › 0123456789abcdefg
          h▮"#]]
    .assert_eq(&stage.seen());
}
