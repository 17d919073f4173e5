//! What the repair does to what real recordings contain.

use expect_test::{Expect, expect};
use throughline_conversation::{missing_result, repair};
use throughline_testkit::{parse, render};

#[expect(clippy::needless_pass_by_value, reason = "the form in which expectations are written")]
fn check(before: &str, after: Expect) {
    let (messages, repairs) = repair(parse(before));
    let said: String = repairs.iter().map(|repair| format!("# {repair}\n")).collect();
    after.assert_eq(&format!("{}{said}", render(&messages)));
}

// S2-11
#[test]
fn a_call_without_a_result_gets_one_that_says_so() {
    check(
        "user: go\nassistant:\n  -> c1 read {}\n  -> c2 read {}\nresults:\n  c2 = two\nuser: next",
        expect![[r#"
            user: go
            assistant:
              -> c1 read {}
              -> c2 read {}
            results:
              c1 ! [no result: the call was cut off before the tool answered]
              c2 = two
            user: next
            # message 1: added the missing result of call c1
        "#]],
    );
    let added = missing_result("c1");
    assert!(added.is_error && !added.content.trim().is_empty());
    assert_eq!(added.call_id, "c1");
}

// S2-11 S2-13
#[test]
fn a_cut_off_end_is_closed() {
    check(
        "user: go\nassistant: on it\n  -> c1 read {}",
        expect![[r#"
        user: go
        assistant: on it
          -> c1 read {}
        results:
          c1 ! [no result: the call was cut off before the tool answered]
        # message 1: added the missing result of call c1
    "#]],
    );
}

// S2-13
#[test]
fn results_are_put_behind_their_calls() {
    check(
        "user: go\nassistant:\n  -> c1 read {}\nuser: hurry up\nresults:\n  c1 = one\nassistant: done",
        expect![[r#"
            user: go
            assistant:
              -> c1 read {}
            results:
              c1 = one
            user: hurry up
            assistant: done
            # message 3: moved a result for c1 directly after its call
        "#]],
    );
    check(
        "user: go\nassistant:\n  -> c1 read {}\nuser: wait\n  c1 = late",
        expect![[r#"
        user: go
        assistant:
          -> c1 read {}
        results:
          c1 = late
          wait
        # message 2: moved a result for c1 directly after its call
    "#]],
    );
    check(
        "user: go\nassistant:\n  -> c1 read {}\n  -> c2 read {}\nresults:\n  c2 = two\nresults:\n  c1 = one",
        expect![[r#"
            user: go
            assistant:
              -> c1 read {}
              -> c2 read {}
            results:
              c1 = one
              c2 = two
            # message 3: moved a result for c1 directly after its call
        "#]],
    );
}

#[test]
fn results_that_answer_nothing_are_left_out() {
    check(
        "user: go\nresults:\n  c9 = stray\nassistant: done",
        expect![[r#"
        user: go
        assistant: done
        # message 1: dropped a result for c9, which answers no call before it
    "#]],
    );
    check(
        "user: go\nassistant:\n  -> c1 read {}\nresults:\n  c1 = one\n  c1 = again\n  c0 = stray",
        expect![[r#"
            user: go
            assistant:
              -> c1 read {}
            results:
              c1 = one
            # message 2: dropped a result for c0, which answers no call before it
            # message 2: dropped a result for c1, which answers no call before it
        "#]],
    );
}

#[test]
fn ids_that_restart_in_every_message_stay_distinct() {
    // The first call was cut off; the only result belongs to the second.
    check(
        "user: go\nassistant:\n  -> call_0 read {}\nuser: again\nassistant:\n  -> call_0 read {}\nresults:\n  call_0 = text",
        expect![[r#"
            user: go
            assistant:
              -> call_0 read {}
            results:
              call_0 ! [no result: the call was cut off before the tool answered]
            user: again
            assistant:
              -> call_0-2 read {}
            results:
              call_0-2 = text
            # message 1: added the missing result of call call_0
            # message 3: call id "call_0" was empty or used before and was renamed
        "#]],
    );
    check(
        "user: go\nassistant:\n  -> a read {}\n  -> a read {}\n  -> a-2 read {}\nresults:\n  a = 1\n  a = 2\n  a-2 = 3",
        expect![[r#"
            user: go
            assistant:
              -> a read {}
              -> a-3 read {}
              -> a-2 read {}
            results:
              a = 1
              a-3 = 2
              a-2 = 3
            # message 1: call id "a" was empty or used before and was renamed
        "#]],
    );
}

#[test]
fn two_messages_of_the_model_become_one() {
    check(
        "user: go\nassistant: first\nassistant: second\n  -> c1 read {}\nresults:\n  c1 = x",
        expect![[r#"
            user: go
            assistant: first
              second
              -> c1 read {}
            results:
              c1 = x
            # message 2: joined with the model's message before it
        "#]],
    );
}

#[test]
fn a_recording_that_begins_in_the_middle_gets_a_start() {
    check(
        "results:\n  c1 = x\nassistant: as I said\nuser: yes",
        expect![[r#"
        user: [The recording begins in the middle of a conversation.]
        assistant: as I said
        user: yes
        # the list began with the model; inserted a note from the user's side before it
        # message 0: dropped a result for c1, which answers no call before it
    "#]],
    );
}

#[test]
fn what_says_nothing_is_left_out() {
    check(
        "user: go\nassistant:\nuser:\nassistant:\n  thinking: hm\nuser: still there?",
        expect![[r#"
        user: go
        user: still there?
        # message 1: dropped, because it is empty
        # message 2: dropped, because it is empty
        # message 3: dropped, because it is empty
    "#]],
    );
    check(
        "user:\nassistant:",
        expect![[r#"
        # message 0: dropped, because it is empty
        # message 1: dropped, because it is empty
    "#]],
    );
}

#[test]
fn malformed_calls_are_put_into_form() {
    check(
        "user: go\nassistant:\n  -> c1 read \"a.rs\"\nresults:\n  c1 = x",
        expect![[r#"
        user: go
        assistant:
          -> c1 read {"value":"a.rs"}
        results:
          c1 = x
        # message 1: wrapped the input of call c1, which was not a JSON object
    "#]],
    );
    let mut messages = parse("user: go\nassistant:\n  -> c1 read {}\nresults:\n  c1 = x");
    for block in messages.iter_mut().flat_map(|message| &mut message.content) {
        use throughline_conversation::ContentBlock::{ToolCall, ToolResult};
        match block {
            ToolCall(call) => (call.id, call.name) = (String::new(), String::new()),
            ToolResult(result) => result.call_id.clear(),
            _ => {}
        }
    }
    let (repaired, repairs) = repair(messages);
    let said: String = repairs.iter().map(|repair| format!("# {repair}\n")).collect();
    expect![[r#"
        user: go
        assistant:
          -> call-2 unknown_tool {}
        results:
          call-2 = x
        # message 1: call  named no tool; added a name
        # message 1: call id "" was empty or used before and was renamed
    "#]]
    .assert_eq(&format!("{}{said}", render(&repaired)));
}
