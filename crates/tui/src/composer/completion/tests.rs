//! What can be completed.

use super::{Completion, CompletionTarget, completion_target};
use crate::port::CommandInfo;

#[test]
fn what_can_be_completed() {
    assert_eq!(completion_target("/com"), Some(CompletionTarget::Command("/com".to_owned())));
    assert_eq!(
        completion_target("see @src/m"),
        Some(CompletionTarget::Path { query: "src/m".to_owned(), from: 4 })
    );
    assert_eq!(completion_target("mail a@b"), None);
    assert_eq!(completion_target("@a b"), None);
    let command = |name: &str, arguments: &str| CommandInfo {
        name: name.to_owned(),
        arguments: arguments.to_owned(),
        about: String::new(),
        group: String::new(),
        anytime: false,
    };
    let commands = [command("/compact", "[WORDS]"), command("/context", ""), command("/model", "NAME")];
    let found = Completion::of_commands("/con", &commands).unwrap();
    assert_eq!((found.candidates.len(), found.candidates[0].insert.as_str()), (1, "/context"));
    assert!(Completion::of_commands("/xyz", &commands).is_none());
    assert!(Completion::of_commands("/compact now", &commands).is_none());
    let found = Completion::of_paths("sm", 0, &["src/main.rs".to_owned(), "my file".to_owned()]).unwrap();
    assert_eq!(found.candidates.len(), 1);
    let found = Completion::of_paths("fil", 0, &["my file".to_owned()]).unwrap();
    assert_eq!(found.candidates[0].insert, "@\"my file\" ");
}
