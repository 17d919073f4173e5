//! The settings of the screen.

use throughline_settings::{Kind, schema};
use throughline_tui::StatusPart;

use super::unsent_text;

#[test]
fn every_part_of_the_status_line_that_settings_name_is_one_of_the_screen() {
    let spec = schema().iter().find(|spec| spec.key == "ui.status_line").unwrap();
    let Kind::Choices(names) = spec.kind else { panic!("{spec:?}") };
    assert_eq!(names, StatusPart::ALL.map(StatusPart::name));
    assert!(names.iter().all(|name| StatusPart::named(name).is_some()));
    assert_eq!(spec.usual, StatusPart::USUAL.map(StatusPart::name).join(", "));
}

#[test]
fn what_was_queued_and_not_sent_is_said_at_the_end() {
    assert_eq!(unsent_text(&[]), None);
    let one = ["and then\nthe rest".to_owned()];
    assert_eq!(unsent_text(&one).as_deref(), Some("1 queued message was not sent: and then"));
    let two = ["a".to_owned(), "b".to_owned()];
    assert_eq!(unsent_text(&two).as_deref(), Some("2 queued messages were not sent. The first: a"));
}
