//! Choosing a row.

use crossterm::event::KeyCode;
use expect_test::expect_file;

use super::{Stage, submit};
use crate::port::{Act, Picker, PickerRow, Show, TurnState};

fn picker() -> Picker {
    let row = |number: usize| PickerRow {
        id: format!("id{number}"),
        cells: vec![
            format!("session {number} about the parser and all that belongs to it"),
            format!("{number}h ago"),
            "feature/parser".to_owned(),
            format!("{number}k"),
        ],
        notes: vec![format!("last  Answer {number}.")],
        preview: (number == 2).then(|| "first words\nand more".to_owned()),
    };
    Picker {
        id: "resume".to_owned(),
        title: "Sessions".to_owned(),
        columns: ["TITLE", "AGE", "BRANCH", "SIZE"].map(str::to_owned).into(),
        rows: (1..=40).map(row).collect(),
        more: Vec::new(),
        letters: Vec::new(),
        figures: vec![1, 3],
        renames: true,
        previews: true,
        search: String::new(),
        unasked: false,
    }
}

#[test]
fn a_row_is_searched_looked_at_renamed_and_chosen() {
    let mut stage = Stage::new(80, 20);
    let mut pictures = Vec::new();
    stage.show(Show::Picker(picker()));
    pictures.push(stage.seen());
    stage.key(KeyCode::Down);
    stage.key(KeyCode::Tab);
    pictures.push(stage.seen());
    stage.key(KeyCode::Down);
    let id = |row: &str| ("resume".to_owned(), row.to_owned());
    let (picker, row) = id("id3");
    assert_eq!(stage.acts(), [Act::Preview { picker, row }]);
    let (picker, row) = id("id3");
    stage.show(Show::Preview { picker, row, text: "third".to_owned() });
    assert!(stage.seen().contains("│ third"));
    stage.key(KeyCode::Tab);
    stage.types("17 parser");
    pictures.push(stage.seen());
    stage.control('r');
    stage.control('u');
    stage.types("17 the old one");
    pictures.push(stage.seen());
    stage.types("\n");
    let (picker, row) = id("id17");
    assert_eq!(stage.acts(), [Act::Renamed { picker, row, title: "17 the old one".to_owned() }]);
    stage.types("\n");
    let (picker, row) = id("id17");
    assert_eq!(stage.acts(), [Act::Picked { picker, row }]);
    expect_file!["goldens/picker.txt"].assert_eq(&pictures.join("\n=====\n"));
}

#[test]
fn nothing_found_is_nothing_chosen() {
    let mut stage = Stage::new(40, 10);
    stage.show(Show::Picker(picker()));
    stage.types("zzz\n");
    assert_eq!(stage.acts(), []);
    assert!(stage.seen().contains("nothing fits"));
    stage.key(KeyCode::Esc);
    assert_eq!(stage.acts(), [Act::PickerClosed { picker: "resume".to_owned() }]);
}

#[test]
fn the_rows_of_other_folders_are_added_on_request() {
    let mut stage = Stage::new(60, 10);
    let row = |id: &str| PickerRow {
        id: id.to_owned(),
        cells: vec![format!("session {id}")],
        ..PickerRow::default()
    };
    let picker = Picker { rows: vec![row("here")], more: vec![row("there")], ..Picker::default() };
    stage.show(Show::Picker(picker));
    assert!(!stage.seen().contains("session there"), "{}", stage.seen());
    assert!(stage.seen().contains("ctrl+a 1 more"), "{}", stage.seen());
    stage.control('a');
    assert!(stage.seen().contains("session there"), "{}", stage.seen());
}

#[test]
fn a_question_of_two_answers_has_no_search_and_its_title_is_not_cut() {
    let mut stage = Stage::new(50, 15);
    let row =
        |id: &str| PickerRow { id: id.to_owned(), cells: vec![format!("{id} only")], ..PickerRow::default() };
    stage.show(Show::Picker(Picker {
        id: "undo".to_owned(),
        title: "Undo turn 12, which changed /home/me/project/src/a/long/path/parser.rs".to_owned(),
        rows: vec![row("files"), row("conversation")],
        ..Picker::default()
    }));
    stage.types("xyz");
    let seen = stage.seen();
    assert!(seen.contains("parser.rs") && seen.contains("› files only"), "{seen}");
    assert!(!seen.contains("search") && !seen.contains("xyz"), "{seen}");
    stage.key(KeyCode::Down);
    stage.types("\n");
    let (picker, row) = ("undo".to_owned(), "conversation".to_owned());
    assert_eq!(stage.acts(), [Act::Picked { picker, row }]);
}

#[test]
fn a_search_of_two_words_takes_the_space() {
    let mut stage = Stage::new(80, 20);
    stage.show(Show::Picker(picker()));
    stage.types("session 31");
    assert!(
        stage.seen().contains("search: session 31") && stage.seen().contains("1 of 40"),
        "{}",
        stage.seen()
    );
}

fn question() -> Picker {
    let row =
        |id: &str| PickerRow { id: id.to_owned(), cells: vec![format!("{id} it")], ..PickerRow::default() };
    Picker {
        id: "plan".to_owned(),
        title: "Go ahead?".to_owned(),
        rows: vec![row("do"), row("leave")],
        unasked: true,
        ..Picker::default()
    }
}

#[test]
fn a_question_that_appears_while_the_user_types_takes_no_key() {
    let mut stage = Stage::new(60, 12);
    stage.types("wait, do");
    stage.wait(200);
    stage.show(Show::Picker(question()));
    stage.wait(450);
    stage.types(" it first");
    assert!(stage.seen().contains("wait, do it first"), "{}", stage.seen());
    stage.types("\n");
    assert_eq!(stage.acts(), []);
    stage.wait(5_000);
    stage.types("\n");
    assert_eq!(stage.acts(), []);
    assert!(stage.seen().contains("up or down to answer"), "{}", stage.seen());
    stage.wait(800);
    stage.key(KeyCode::Down);
    stage.types("\n");
    let (picker, row) = ("plan".to_owned(), "do".to_owned());
    assert_eq!(stage.acts(), [Act::Picked { picker, row }]);
    assert!(stage.seen().contains("› wait, do it first"), "{}", stage.seen());
}

#[test]
fn a_question_takes_no_key_before_it_can_be_read() {
    let mut stage = Stage::new(60, 12);
    stage.show(Show::Picker(question()));
    stage.types("yes\n");
    assert_eq!(stage.acts(), []);
    stage.wait(800);
    stage.key(KeyCode::Down);
    stage.types("\n");
    let (picker, row) = ("plan".to_owned(), "do".to_owned());
    assert_eq!(stage.acts(), [Act::Picked { picker, row }]);
}

#[test]
fn a_late_list_leaves_the_typed_letters_to_the_input() {
    let mut stage = Stage::new(60, 12);
    stage.types("/model\nnow ");
    stage.acts();
    stage.show(Show::Picker(picker()));
    stage.types("this\n");
    assert_eq!(stage.acts(), []);
    assert!(stage.seen().contains("now this"), "{}", stage.seen());
}

#[test]
fn a_question_does_not_open_over_a_queued_answer() {
    let mut stage = Stage::new(60, 12);
    stage.types("plan it\n");
    stage.turn(TurnState::Working);
    stage.types("and the tests, too\n");
    stage.acts();
    stage.show(Show::Picker(question()));
    stage.turn(TurnState::Idle);
    assert_eq!(stage.acts(), [submit("and the tests, too")]);
    assert!(!stage.seen().contains("Go ahead?"), "{}", stage.seen());
}

#[test]
fn a_question_with_letters_is_answered_by_them_and_by_digits() {
    for (key, answer) in [("d", "do"), ("2", "leave"), ("L", "leave")] {
        let mut stage = Stage::new(60, 12);
        stage.show(Show::Picker(Picker { letters: vec!['d', 'l'], ..question() }));
        assert!(stage.seen().contains("› d  do it\n  l  leave it"), "{}", stage.seen());
        stage.wait(5_000);
        stage.types("x3");
        stage.types(key);
        assert_eq!(stage.acts(), [Act::Picked { picker: "plan".to_owned(), row: answer.to_owned() }]);
    }
}
