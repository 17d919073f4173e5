//! Kinds of steps.

use throughline_testkit::view;

use super::StepKind;

fn kind(text: &str) -> StepKind {
    StepKind::of_newest(view(text).entries())
}

#[test]
fn a_message_of_the_user_is_a_new_beginning() {
    assert_eq!(kind("user: go\nassistant: done\nuser: and now the docs"), StepKind::User);
    assert_eq!(kind("user: go\nassistant: done"), StepKind::Other);
}

#[test]
fn a_message_of_the_user_into_unfinished_work_is_no_new_beginning() {
    let running =
        "user: go\nassistant: I look.\n  -> c1 read_file {\"path\":\"a.rs\"}\nresults:\n  c1 = text";
    assert_eq!(kind(&format!("{running}\nuser: and the tests")), StepKind::Steer);
    assert_eq!(kind(&format!("{running}\nassistant: done\nuser: and the tests")), StepKind::User);
}

#[test]
fn a_command_is_known_by_what_it_runs() {
    let of = |command: &str, result: &str| {
        let command = serde_json::json!({ "command": command });
        kind(&format!("user: go\nassistant: I run it.\n  -> c1 bash {command}\nresults:\n  c1 = {result}"))
    };
    assert_eq!(of("cd /x && git add -A && git commit -m 'cargo test'", "ok"), StepKind::Commit);
    assert_eq!(
        of("cargo test -p budget 2>&1 | tail -5", "test result: ok. 12 passed; 0 failed"),
        StepKind::TestOk
    );
    assert_eq!(of("pytest -q", "=== 3 failed, 9 passed in 0.2s ==="), StepKind::TestFailed);
    assert_eq!(of("npm test", "[exit code 1]"), StepKind::TestFailed);
    assert_eq!(of("sed -n 1,20p a.rs", "fn main"), StepKind::Read);
    assert_eq!(of("sed -i s/a/b/ a.rs", ""), StepKind::Edit);
    assert_eq!(of("git status", "clean"), StepKind::Git);
    assert_eq!(of("rg -n total src", "src/a.rs"), StepKind::Search);
    assert_eq!(of("make", "ok"), StepKind::Other);
}

#[test]
fn of_several_calls_the_first_kind_of_the_list_counts() {
    let text = "user: go\nassistant: Both.\n  -> c1 read_file {\"path\":\"a.rs\"}\n  \
                -> c2 edit_file {\"path\":\"a.rs\",\"old_string\":\"a\",\"new_string\":\"b\"}\n\
                results:\n  c1 = text\n  c2 = ok";
    assert_eq!(kind(text), StepKind::Edit);
    let plan = "user: go\nassistant: A plan.\n  -> c1 todo_write {\"todos\":[{\"content\":\"a\",\"status\":\"pending\"}]}\n\
                results:\n  c1 = ok";
    assert_eq!(kind(plan), StepKind::Plan);
}

#[test]
fn a_kind_says_what_the_model_is_doing() {
    assert_eq!(StepKind::Steer.phrase(), "a message of the user into unfinished work");
    assert_eq!(StepKind::TestFailed.phrase(), "failed tests");
}
