//! Tests of the list.

use serde_json::json;
use throughline_conversation::ToolCall;

use super::{Checklist, ChecklistError, ChecklistStep, StepStatus};

fn list(steps: &[(&str, StepStatus)]) -> Result<Checklist, ChecklistError> {
    let step = |(text, status): &(&str, StepStatus)| ChecklistStep {
        description: (*text).to_owned(),
        status: *status,
    };
    Checklist::new(steps.iter().map(step).collect())
}

#[test]
fn steps_are_shown_with_marks_and_a_count() {
    use StepStatus::{Completed, InProgress, Pending};
    let made = list(&[("look", Completed), (" find\n the  cause ", InProgress), ("mend", Pending)]).unwrap();
    assert_eq!(made.to_string(), "- [x] look\n- [~] find the cause\n- [ ] mend\n[1 of 3 steps completed]");
    assert_eq!(made.current().unwrap().description, "find the cause");
    assert_eq!(list(&[]).unwrap().to_string(), "[0 of 0 steps completed]");
}

#[test]
fn what_is_no_list_names_the_step() {
    use StepStatus::{InProgress, Pending};
    let long = "x".repeat(501);
    assert_eq!(list(&[("a", Pending), (" \n", Pending)]), Err(ChecklistError::Empty(2)));
    assert_eq!(list(&[(&long, Pending)]), Err(ChecklistError::TooLong(1)));
    let two = list(&[("a", InProgress), ("b", Pending), ("c", InProgress)]);
    assert_eq!(two, Err(ChecklistError::TwoInProgress(1, 3)));
    assert_eq!(list(&[("a", Pending); 101]), Err(ChecklistError::TooMany(101)));
}

#[test]
fn a_call_gives_its_list() {
    let call = |name: &str, input| ToolCall { id: "c".to_owned(), name: name.to_owned(), input };
    let items = json!({"items": [{"description": "a", "status": "completed"}]});
    let made = Checklist::of_call(&call("update_checklist", items.clone())).unwrap();
    assert_eq!(json!(made), items["items"]);
    assert_eq!(Checklist::of_call(&call("shell", items)), None);
    assert_eq!(Checklist::of_call(&call("update_checklist", json!({"items": [{"description": "a"}]}))), None);
}
