//! The settings of the screen.

use throughline_settings::{Kind, schema};
use throughline_tui::StatusPart;

#[test]
fn every_part_of_the_status_line_that_settings_name_is_one_of_the_screen() {
    let spec = schema().iter().find(|spec| spec.key == "ui.status_line").unwrap();
    let Kind::Choices(names) = spec.kind else { panic!("{spec:?}") };
    assert_eq!(names, StatusPart::ALL.map(StatusPart::name));
    assert!(names.iter().all(|name| StatusPart::named(name).is_some()));
    assert_eq!(spec.usual, StatusPart::USUAL.map(StatusPart::name).join(", "));
}
