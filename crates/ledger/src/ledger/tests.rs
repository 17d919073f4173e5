//! What calls and results say about the work.

use expect_test::{Expect, expect};
use proptest::prelude::*;
use serde_json::json;
use throughline_conversation::{ResultRef, SessionId, TokenCounter};
use throughline_testkit::{WordCounter, view};

use super::*;
use crate::change::of_arguments;
use crate::lines::{newest, one_line};
use crate::render::also_changed;

/// A quarter of the bytes: a word counter would not see how long a path is.
#[derive(Debug)]
struct Quarter;

impl TokenCounter for Quarter {
    fn text(&self, text: &str) -> u64 {
        text.len().div_ceil(4) as u64
    }
}

fn of(notation: &str) -> Ledger {
    Ledger::of(view(notation).entries())
}

fn text(ledger: &Ledger, tokens: u64) -> String {
    let mut stored =
        |id: &str| (id != "c1").then(|| ResultRef::of(&SessionId::new("s").expect("a name"), id.as_bytes()));
    ledger.render(tokens, &WordCounter, &mut stored).markdown()
}

fn check(notation: &str, expected: &Expect) {
    expected.assert_eq(&text(&of(notation), 1_000));
}

#[test]
fn files_commands_and_errors() {
    check(
        r#"
user: go
assistant: now
  -> c1 read {"path":"src/a.rs"}
  -> c2 edit_file {"path":"src/b.rs","old_string":"fn a() {\n  x\n}","new_string":"fn a() {\n  y: 1;\n  z\n}"}
  -> c3 bash {"command":"cargo   test\n --all"}
  -> c4 shell {"cmd":["ls","-l"]}
  -> c5 grep {"pattern":"fn","path":"src"}
results:
  c1 = fn main() {}
  c2 = ok
  c3 = running 3 tests\nExit code: 101
  c4 ! warning: x\nerror: no such directory
  c5 = src/a.rs
assistant: again
  -> c6 read {"path":"src/a.rs"}
results:
  c6 = fn main() { println!("hello"); } and more
"#,
        &expect![[r#"

            ## Files
            - src/b.rs: edited 1× (+2 -1); last at "y: 1;"
            - src/a.rs: read 2×; newest read ref_id="r-35b7e2555c4aac99"

            ## Commands
            - cargo test --all → exit 101
            - ls -l → failed

            ## Errors
            - shell "ls -l": error: no such directory
        "#]],
    );
}

#[test]
fn tools_of_many_makers_are_understood() {
    check(
        r#"
user: go
assistant: now
  -> c1 apply_patch {"input":"*** Begin Patch\n*** Update File: src/a.rs\n@@\n-old line\n+new line\n*** Add File: src/b.rs\n+x\n+y\n*** Delete File: src/c.rs"}
  -> c2 Write {"file_path":"src/d.rs","content":"a\nb"}
  -> c3 Write {"file_path":"src/e.rs","content":"a\nb"}
  -> c4 write_file {"path":"src/f.rs","content":"a"}
  -> c5 edit {"path":"src/g.rs","oldText":"a","newText":"b"}
  -> c6 MultiEdit {"file_path":"src/h.rs","edits":[{"old_string":"a","new_string":"b\nc"},{"old_string":"d","new_string":""}]}
  -> c7 str_replace_based_edit_tool {"command":"view","path":"src/i.rs"}
  -> c8 str_replace_based_edit_tool {"command":"create","path":"src/j.rs","file_text":"a\nb\nc"}
  -> c9 str_replace_based_edit_tool {"command":"insert","path":"src/k.rs","insert_line":7,"insert_text":"a"}
  -> d1 edit {"file":"src/l.rs","start_line":10,"end_line":20,"replacement_text":"a\nb"}
  -> d2 bash {"patch":"--- /dev/null\n+++ b/src/m.rs\n@@ -0,0 +1 @@\n+a\n--- a/src/n.rs\n+++ b/src/n.rs\n@@ -1 +1 @@\n-a\n+b"}
  -> d3 exec_command {"cmd":"rg x","workdir":"/w"}
  -> d4 bash {"command":"make"}
  -> d5 bash {"command":"make all"}
results:
  c1 = done
  c2 = File created successfully at: src/d.rs
  c3 = The file src/e.rs has been updated successfully.
  c4 = Created src/f.rs: 1 line, 1 byte.
  c5 = ok
  c6 = ok
  c7 = text
  c8 = ok
  c9 = ok
  d1 = ok
  d2 = ok
  d3 = Chunk ID: a6f34c\nWall time: 0.0000 seconds\nProcess exited with code 1\nOutput:
  d4 = <returncode>2</returncode>\n<output>\nmake: *** No rule, failed\n</output>
  d5 ! Exit code 3\nit went wrong
"#,
        &expect![[r#"

            ## Files
            - src/a.rs: edited 1× (+1 -1)
            - src/b.rs: created (+2)
            - src/c.rs: deleted
            - src/d.rs: created (+2)
            - src/e.rs: edited 1× (+2)
            - src/f.rs: created (+1)
            - src/g.rs: edited 1× (+1 -1)
            - src/h.rs: edited 1× (+2 -2)
            - src/i.rs: read 1×; newest read ref_id="r-0f65c378a5cb150f"
            - src/j.rs: created (+3)
            - src/k.rs: edited 1× (+1)
            - src/l.rs: edited 1× (+2); last at lines 10-20
            - src/m.rs: created (+1)
            - src/n.rs: edited 1× (+1 -1); last at "b"

            ## Commands
            - rg x → exit 1
            - make → exit 2
            - make all → exit 3

            ## Errors
            - bash "make": make: *** No rule, failed
            - bash "make all": it went wrong
        "#]],
    );
}

#[test]
fn the_last_change_of_a_file_has_a_place() {
    let place = |input| of_arguments("a", &input, false).place;
    let several = json!({ "edits": [{ "old_string": "a", "new_string": "b\nc" }, { "old_string": "d", "new_string": "" }] });
    assert_eq!(place(several).as_deref(), Some("\"b\""));
    assert_eq!(place(json!({ "insert_line": 7, "insert_text": "a" })).as_deref(), Some("line 7"));
    assert_eq!(place(json!({ "old_str": "x\nold y", "new_str": "x" })).as_deref(), Some("\"old y\""));
    assert_eq!(place(json!({ "content": "x" })), None);
}

#[test]
fn an_error_goes_away_when_the_same_goes_well() {
    check(
        r#"
user: go
assistant: now
  -> c1 bash {"command":"cd /w && cargo test 2>&1 | tail -3"}
  -> c2 bash {"command":"cargo clippy"}
  -> c3 Read {"file_path":"src/new.rs"}
  -> c4 Edit {"file_path":"src/a.rs","old_string":"a","new_string":"b"}
results:
  c1 ! error: it does not build
  c2 ! error: a lint
  c3 ! File does not exist.
  c4 ! String to replace not found in file.
assistant: again
  -> c5 bash {"command":"cargo test"}
  -> c6 Write {"file_path":"src/new.rs","content":"x"}
results:
  c5 = fine
  c6 = File created successfully
"#,
        &expect![[r#"

            ## Files
            - src/new.rs: created (+1), read 1×

            ## Commands
            - cd /w && cargo test 2>&1 | tail -3 → failed
            - cargo clippy → failed
            - cargo test

            ## Errors
            - bash "cargo test": error: it does not build (resolved)
            - bash "cargo clippy": error: a lint
            - Read "src/new.rs": File does not exist. (resolved)
            - Edit "src/a.rs": String to replace not found in file.
        "#]],
    );
}

#[test]
fn a_failed_search_is_no_error() {
    check(
        "user: go\nassistant: now\n  -> c1 bash {\"command\":\"grep x y\"}\nresults:\n  c1 = [exit status: 1]",
        &expect![[r#"

            ## Commands
            - grep x y → exit 1
        "#]],
    );
}

#[test]
fn an_error_whose_text_left_the_window_says_where_it_is() {
    check(
        "user: go\nassistant: now\n  -> c1 bash {\"command\":\"make\"}\nresults:\n  \
         c1 ! [Tool result cleared — 5,000 bytes from \"bash\". Use the \"read_result\" tool with ref_id=\"r-0123456789abcdef\" to read it.]\\nNames in it: an_error",
        &expect![[r#"

            ## Commands
            - make → failed

            ## Errors
            - bash "make": read ref_id="r-0123456789abcdef"
        "#]],
    );
}

#[test]
fn what_was_written_is_read_back_and_added_to() {
    let first = of(r#"
user: go
assistant: now
  -> c1 read {"path":"odd: name.rs"}
  -> c2 bash {"command":"make"}
  -> c3 Edit {"file_path":"src/b.rs","old_string":"a\nb","new_string":"say \"; newest read ref_id=\""}
results:
  c1 = text
  c2 ! failed
  c3 = ok
"#);
    let mut ledger = Ledger::default();
    ledger.merge(&text(&first, 1_000));
    assert_eq!(text(&ledger, 1_000), text(&first, 1_000));
    ledger.take(
        view(
            r#"
user: go
assistant: now
  -> c3 write {"path":"odd: name.rs","content":"x"}
  -> c4 bash {"command":"make"}
results:
  c3 = ok
  c4 = exit code 0
"#,
        )
        .entries(),
    );
    expect![[r#"

        ## Files
        - src/b.rs: edited 1× (+1 -2); last at "say '; newest read ref_id='"
        - odd: name.rs: edited 1× (+1), read 1×

        ## Commands
        - make → exit 0

        ## Errors
        - bash "make": failed (resolved)
    "#]]
    .assert_eq(&text(&ledger, 1_000));
}

/// Ten files read, one changed before them, ten commands, ten errors of which the first is open.
fn long() -> Ledger {
    let mut ledger = of(r#"
user: look at src/main.rs:12 and docs/a.md, and/or at https://x.org/a.html, e.g. @src/lib.rs.
assistant: now
  -> c0 Edit {"file_path":"src/first.rs","old_string":"a","new_string":"b"}
  -> d0 bash {"command":"never again"}
results:
  c0 = ok
  d0 ! error: open
"#);
    for n in 1..10 {
        ledger.take(
            view(&format!(
                "user: keep going\nassistant: now\n  -> a{n} read {{\"path\":\"f{n}.rs\"}}\n  -> b{n} bash {{\"command\":\"run {n}\"}}\n\
                 results:\n  a{n} = x\n  b{n} ! error: {n}\nassistant: and\n  -> d{n} bash {{\"command\":\"run {n}\"}}\n\
                 results:\n  d{n} = x"
            ))
            .entries(),
        );
    }
    ledger
}

// F-19
#[test]
fn what_is_load_bearing_stays_when_the_room_is_small() {
    expect![[r#"

        ## Files
        - src/first.rs: edited 1× (+1 -1)
        - f8.rs: read 1×; newest read ref_id="r-99c20c2fc904f665"
        - f9.rs: read 1×; newest read ref_id="r-c8de287324ccea68"

        ## Commands
        - never again → failed
        - run 8
        - run 9

        ## Errors
        - bash "never again": error: open
    "#]]
    .assert_eq(&text(&long(), 40));
    assert_eq!(
        long().load_bearing(),
        ["never again", "src/first.rs", "src/lib.rs", "docs/a.md", "src/main.rs"]
    );
    let missing = |text: &str, tokens| long().missing(|name| text.contains(name), tokens, &WordCounter);
    expect![[r#"
        Also changed: src/first.rs
        Also: never again, docs/a.md, src/main.rs"#]]
    .assert_eq(&missing("src/lib.rs is done", 30));
    assert_eq!(missing("never again: src/first.rs src/lib.rs docs/a.md src/main.rs", 30), "");
    assert_eq!(missing("", 0), "");
    let mut back = Ledger::default();
    back.merge("\n## Files\nAlso changed: src/first.rs, src/second.rs\n- a.rs: read 1×");
    assert_eq!(back.load_bearing(), ["src/second.rs", "src/first.rs"]);
}

// F-19
#[test]
fn every_changed_file_is_named_when_there_is_no_room_for_lines() {
    let mut ledger = Ledger::default();
    for n in 0..40 {
        let line = format!(
            "assistant: do\n  -> e{n} edit {{\"path\":\"src/deep/f{n}.rs\",\"old_string\":\"a\",\"new_string\":\"b\"}}"
        );
        ledger.take(view(&format!("{line}\nresults:\n  e{n} = ok")).entries());
    }
    let counter = Quarter;
    let text = ledger.render(300, &counter, &mut |_| None);
    let mut back = Ledger::default();
    back.merge(&text.markdown());
    let (mut had, mut has) = (ledger.load_bearing(), back.load_bearing());
    had.sort_unstable();
    has.sort_unstable();
    assert_eq!(has, had);
    assert!(counter.text(&text.files) <= 300, "{}", text.files);
    assert!(text.files.contains("- src/deep/f39.rs: edited 1×"), "the newest has a line: {}", text.files);
    // With too little room the newest are named.
    let small = ledger.render(60, &counter, &mut |_| None);
    let named: Vec<String> = also_changed(&small.files).collect();
    assert!(!named.is_empty() && named.len() < 39, "{}", small.files);
    assert!(counter.text(&small.files) <= 60, "{}", small.files);
}

// S0-33
#[test]
fn the_newest_checklist_is_noted_whole() {
    let steps = |ledger: &Ledger| {
        ledger
            .checklist
            .iter()
            .map(|step| format!("{}: {}", step.description, step.status))
            .collect::<Vec<_>>()
    };
    let call = |name: &str, input| ToolCall { id: "c".to_owned(), name: name.to_owned(), input };
    let result = |is_error| ToolResult { is_error, ..ToolResult::text("c", "ok") };
    let mut ledger = Ledger::default();
    for (name, input) in [
        ("update_checklist", json!({"items": [{"description": "a\nb", "status": "completed"}]})),
        ("TodoWrite", json!({"todos": [{"content": "c", "status": "pending", "activeForm": "x"}]})),
        (
            "update_plan",
            json!({"plan": [{"step": "d", "status": "in_progress"}, {"step": "e", "status": "pending"}]}),
        ),
    ] {
        ledger.note(&call(name, input), Some(&result(false)));
    }
    assert_eq!(steps(&ledger), ["d: in_progress", "e: pending"]);
    let refused = json!({"items": [{"description": "x", "status": "completed"}]});
    ledger.note(&call("update_checklist", refused.clone()), Some(&result(true)));
    ledger.note(&call("update_checklist", refused), None);
    ledger.note(&call("other", json!({"items": ["x"]})), Some(&result(false)));
    assert_eq!(steps(&ledger), ["d: in_progress", "e: pending"], "only a list that was set counts");
    ledger.note(&call("update_checklist", json!({"items": []})), Some(&result(false)));
    assert!(ledger.checklist.is_empty(), "a list can be taken away");
}

// S0-33
#[test]
fn a_checklist_is_written_down_while_something_of_it_is_open() {
    let step = |description: &str, status: &str| StepNote {
        description: description.to_owned(),
        status: status.to_owned(),
    };
    let counter = WordCounter;
    let mut list =
        vec![step("look [x] there", "completed"), step("fix", "in_progress"), step("tell", "pending")];
    let ledger = Ledger { checklist: list.clone(), ..Ledger::default() };
    let text = ledger.render(400, &counter, &mut |_| None);
    expect!["- [x] look [x] there\n- [~] fix\n- [ ] tell"].assert_eq(&text.checklist);
    let mut again = Ledger::default();
    again.merge(&text.markdown());
    assert_eq!(again.checklist, list, "what was written is read back");
    // Where there is little room, what comes next stays.
    let small = ledger.render(16, &counter, &mut |_| None);
    expect!["- [~] fix"].assert_eq(&small.checklist);
    list.iter_mut().for_each(|step| step.status = "completed".to_owned());
    let done = Ledger { checklist: list, ..Ledger::default() };
    assert_eq!(done.render(400, &counter, &mut |_| None).checklist, "", "a list that is done is no help");
}

#[test]
fn requests_are_shown_by_their_first_lines() {
    let ledger = of("user: \\n build the parser\\nand more\nassistant: ok\nuser: and test it");
    assert_eq!(ledger.requests, ["build the parser", "and test it"]);
}

#[test]
fn a_ledger_can_be_kept() {
    let ledger = long();
    let kept = serde_json::to_string(&ledger).expect("it can be written");
    assert_eq!(serde_json::from_str::<Ledger>(&kept).expect("and read"), ledger);
}

#[test]
fn a_long_session_does_not_make_it_grow() {
    let mut ledger = long();
    for n in 0..2_000 {
        let id = format!("x{n}");
        let call = |name: &str, input| ToolCall { id: id.clone(), name: name.to_owned(), input };
        let (good, bad) = (ToolResult::text(&id, "x"), ToolResult::error(&id, format!("error: {n}")));
        ledger.note(&call("read", json!({ "path": format!("src/{n}.rs") })), Some(&good));
        ledger.note(&call("bash", json!({ "command": format!("run {n}") })), Some(&bad));
        ledger.request(&format!("and now a/b/{n}.rs"));
    }
    let sizes = [
        ledger.files.len(),
        ledger.commands.len(),
        ledger.errors.len(),
        ledger.requests.len(),
        ledger.named.len(),
    ];
    assert_eq!(sizes, [MAX_NOTES; 5]);
    assert!(ledger.load_bearing().contains(&"src/first.rs"), "a changed file outlives those that were read");
    assert!(ledger.requests.first().is_some_and(|line| line.starts_with("look at src/main.rs")));
}

#[test]
fn the_newest_lines_fill_the_budget() {
    let all: Vec<String> = ["a b", "c d", "e f"].map(str::to_owned).to_vec();
    expect![[r#"
        - c d
        - e f"#]]
    .assert_eq(&newest(&all, 7, &WordCounter));
    assert_eq!(WordCounter.text(&newest(&all, 2, &WordCounter)), 0);
}

#[test]
fn lines_are_bounded() {
    assert_eq!(one_line("a\n\tb\u{7}c"), "a b c");
    assert!(one_line(&"ü".repeat(1_000)).len() <= 200 + '…'.len_utf8());
}

fn odd() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z/. ]{0,20}",
        "[a-z:\"×→;()+, -]{0,20}",
        Just("a: edited 1×; last at \"b\"".to_owned()),
        Just(" → exit 1 (resolved)".to_owned()),
    ]
}

proptest! {
    #[test]
    fn lines_round_trip(path in "[a-z]", name in odd(), old in odd(), new in odd(), command in odd(), error in odd()) {
        let mut ledger = Ledger::default();
        let path = format!("{path}{name}");
        let call = |id: &str, tool: &str, input| ToolCall { id: id.to_owned(), name: tool.to_owned(), input };
        let edit = call("c2", "Edit", json!({ "path": path, "old_string": old, "new_string": new }));
        ledger.note(&edit, Some(&ToolResult::text("c2", "ok")));
        ledger.note(&call("c3", "bash", json!({ "command": command })), Some(&ToolResult::error("c3", error)));
        let first = text(&ledger, 1_000);
        let mut back = Ledger::default();
        back.merge(&first);
        prop_assert_eq!(text(&back, 1_000), first);
    }

    #[test]
    fn changes_are_counted_from_what_differs(old in prop::collection::vec(0u8..4, 0..8), new in prop::collection::vec(0u8..4, 0..8)) {
        let lines = |of: &[u8]| of.iter().map(|n| format!("line {n}\n")).collect::<String>();
        let input = json!({ "old_string": lines(&old), "new_string": lines(&new) });
        let change = of_arguments("a", &input, false);
        prop_assert!(change.added <= new.len() as u64 && change.removed <= old.len() as u64);
        prop_assert_eq!(change.added + old.len() as u64, change.removed + new.len() as u64);
        prop_assert_eq!(change.added + change.removed == 0, old == new);
    }

    #[test]
    fn the_budget_is_kept(tokens in 0u64..200) {
        let shown = long().render(tokens, &WordCounter, &mut |_| None);
        let cost: u64 = [&shown.files, &shown.commands, &shown.errors].iter().map(|list| WordCounter.text(list)).sum();
        prop_assert!(cost <= tokens, "{}", cost);
        let missing = long().missing(|_| false, tokens, &WordCounter);
        prop_assert!(WordCounter.text(&missing) <= tokens, "{}", missing);
    }
}
