//! Ids of calls that a list uses again, or that it does not have.

use serde_json::json;
use throughline_conversation::{ContentBlock, Message, Role, ToolCall, ToolResult};

use throughline_wire::{ListedForm, ListedMessage};

use super::ListedItems;

fn calls(ids: &[&str]) -> Message {
    let call = |id: &&str| {
        ContentBlock::ToolCall(ToolCall { id: (*id).to_owned(), name: "dump".to_owned(), input: json!({}) })
    };
    Message { role: Role::Assistant, content: ids.iter().map(call).collect() }
}

fn results(ids: &[&str]) -> Message {
    Message::results(ids.iter().map(|id| ToolResult::text(*id, "rows")))
}

/// The own ids of the end of a list behind the message `same`.
fn own(listed: &mut ListedItems, same: usize, messages: Vec<Message>) -> Vec<Vec<String>> {
    let item = |(at, message)| ListedMessage { message, items: at..at + 1, form: ListedForm::Encoded };
    let (messages, places) = listed.named(same, (same..).zip(messages).map(item).collect());
    let own = places.iter().map(|place| place.ids.iter().map(|id| id.own.clone()).collect()).collect();
    for (place, message) in places.iter().zip(&messages) {
        let of = |block: &ContentBlock| match block {
            ContentBlock::ToolCall(call) => call.id.clone(),
            ContentBlock::ToolResult(result) => result.call_id.clone(),
            _ => String::new(),
        };
        let said: Vec<String> = message.content.iter().map(of).collect();
        assert_eq!(said, place.ids.iter().map(|id| id.own.clone()).collect::<Vec<_>>());
    }
    listed.replace(same, places);
    own
}

#[test]
fn a_call_whose_id_was_used_has_another_one_and_its_result_too() {
    let list = || {
        vec![calls(&["a", "a"]), results(&["a"]), results(&["a"]), calls(&["a", "b"]), results(&["b", "a"])]
    };
    let mut whole = ListedItems::default();
    let named = own(&mut whole, 0, list());
    assert_eq!(named, [vec!["a", "a-0"], vec!["a"], vec!["a-0"], vec!["a-3", "b"], vec!["b", "a-3"]]);
    // The same list in parts has the same ids.
    let mut parts = ListedItems::default();
    let (mut list, mut again) = (list(), Vec::new());
    for same in 0..named.len() {
        again.extend(own(&mut parts, same, vec![list.remove(0)]));
    }
    assert_eq!(again, named);
}

#[test]
fn calls_without_an_id_are_answered_in_their_order() {
    let named = own(
        &mut ListedItems::default(),
        0,
        vec![calls(&["", ""]), results(&["", ""]), calls(&[""]), results(&[""])],
    );
    assert_eq!(
        named,
        [vec!["call-0", "call-0-1"], vec!["call-0", "call-0-1"], vec!["call-2"], vec!["call-2"]]
    );
}

#[test]
fn an_id_is_free_once_its_message_is_not_in_the_list_any_more() {
    let mut listed = ListedItems::default();
    own(&mut listed, 0, vec![calls(&["a"]), results(&["a"]), calls(&["b"])]);
    assert_eq!(own(&mut listed, 2, vec![calls(&["b", "a"])]), [vec!["b", "a-2"]]);
    assert_eq!(own(&mut listed, 0, vec![calls(&["a"])]), [vec!["a"]]);
}
