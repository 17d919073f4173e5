//! Laws of the repair.

use proptest::prelude::*;
use throughline_conversation::{ContentBlock, Message, Role, repair, validate};

use crate::log::{any_messages, events, log, said};
use crate::validity::ends_well;

/// Texts of the user that say something, in order.
fn asked(messages: &[Message]) -> Vec<&str> {
    let user = messages.iter().filter(|message| message.role == Role::User);
    user.flat_map(Message::texts).filter(|text| !text.trim().is_empty()).collect()
}

proptest! {
    // S2-13
    #[test]
    fn what_comes_out_is_valid_but_for_its_end(messages in any_messages()) {
        let (repaired, _) = repair(messages);
        let found = validate(&repaired);
        prop_assert!(ends_well(&found), "{found:?} in {repaired:?}");
    }

    #[test]
    fn repairing_again_changes_nothing(messages in any_messages()) {
        let (repaired, _) = repair(messages);
        prop_assert_eq!(repair(repaired.clone()), (repaired, vec![]));
    }

    #[test]
    fn every_change_is_named_and_nothing_else(messages in any_messages()) {
        let (repaired, repairs) = repair(messages.clone());
        prop_assert_eq!(repaired == messages, repairs.is_empty(), "{:?}", repairs);
        for repair in repairs {
            let words = repair.to_string();
            let named = |index| words.starts_with(&format!("message {index}:"));
            let somewhere = (0..messages.len()).any(named) || words.starts_with("the list began");
            prop_assert!(somewhere, "{words}");
        }
    }

    #[test]
    fn valid_messages_are_unchanged(messages in any_messages()) {
        if ends_well(&validate(&messages)) {
            prop_assert_eq!(repair(messages.clone()), (messages, vec![]));
        }
    }

    #[test]
    fn an_unedited_log_is_unchanged(events in events(), backwards: bool, note: bool) {
        let mut messages = said(&log(&events));
        for message in messages.iter_mut().filter(|message| message.tool_results().next().is_some()) {
            // Results may come in any order, and a text may follow them.
            if backwards {
                message.content.reverse();
            }
            if note {
                message.content.push(ContentBlock::Text { text: "and hurry".to_owned() });
            }
        }
        // An edit may have let the model speak again where the log, read without it, has no user in between.
        prop_assume!(ends_well(&validate(&messages)));
        prop_assert_eq!(repair(messages.clone()), (messages, vec![]));
    }

    #[test]
    fn no_word_of_the_user_is_lost(messages in any_messages()) {
        let (repaired, repairs) = repair(messages.clone());
        let start = usize::from(repairs.contains(&throughline_conversation::Repair::AddedStart));
        prop_assert_eq!(&asked(&repaired)[start..], asked(&messages));
    }
}
