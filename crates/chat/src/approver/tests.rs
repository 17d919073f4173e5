//! What the model reads of an answer.

use super::*;

#[test]
fn a_reason_is_said_to_be_the_users() {
    let why = Approval::Deny { feedback: Some("please keep the old one".to_owned()) };
    let said = "The user declined it and says: please keep the old one".to_owned();
    assert_eq!(attributed(why), Approval::Deny { feedback: Some(said) });
    assert_eq!(attributed(Approval::Deny { feedback: None }), Approval::Deny { feedback: None });
    assert_eq!(attributed(Approval::Once), Approval::Once);
}
