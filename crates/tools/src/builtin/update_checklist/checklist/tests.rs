//! Tests of the checklist.

use super::{Checklist, ChecklistError, ChecklistStep, StepStatus};

fn list(steps: &[(&str, StepStatus)]) -> Result<Checklist, ChecklistError> {
    let step = |(text, status): &(&str, StepStatus)| ChecklistStep {
        description: (*text).to_owned(),
        status: *status,
    };
    Checklist::new(steps.iter().map(step).collect())
}

#[test]
fn a_list_displays_as_markdown_with_a_count() {
    use StepStatus::{Completed, InProgress, Pending};
    let made = list(&[("look", Completed), (" find\n the  cause ", InProgress), ("fix", Pending)]).unwrap();
    assert_eq!(made.to_string(), "- [x] look\n- [~] find the cause\n- [ ] fix\n[1 of 3 steps completed]");
    assert_eq!(list(&[]).unwrap().to_string(), "[0 of 0 steps completed]");
}

#[test]
fn an_invalid_step_is_named_by_its_number() {
    use StepStatus::{InProgress, Pending};
    let long = "x".repeat(501);
    assert_eq!(list(&[("a", Pending), (" \n", Pending)]), Err(ChecklistError::Empty(2)));
    assert_eq!(list(&[(&long, Pending)]), Err(ChecklistError::TooLong(1)));
    let two = list(&[("a", InProgress), ("b", Pending), ("c", InProgress)]);
    assert_eq!(two, Err(ChecklistError::TwoInProgress(1, 3)));
    assert_eq!(list(&[("a", Pending); 101]), Err(ChecklistError::TooMany(101)));
}
