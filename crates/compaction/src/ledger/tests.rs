//! What calls and results say about the work.

use expect_test::{Expect, expect};
use throughline_conversation::{TokenCounter, View};
use throughline_testkit::{WordCounter, view};

use super::*;
use crate::history::History;
use crate::testing::session;
use crate::{CompactionPolicy, Draft, Goal, Job, Plan};

fn lines(view: &View, earlier: Option<&[String; 3]>) -> [String; 3] {
    let (session, policy) = (session(), CompactionPolicy::default());
    let reason = throughline_conversation::EditReason::Manual;
    let job = Job { session: &session, view, counter: &WordCounter, room: 1_000, goal: Goal::Deep, reason };
    let mut draft = Draft::new(Plan::new(&job, &policy).job);
    let mut ledger = Ledger::default();
    if let Some([files, commands, errors]) = earlier {
        ledger.merge(files, commands, errors);
    }
    let history = History::gather(view.entries());
    for note in history.ledger.files {
        ledger.file(&note.path.clone(), |old| {
            old.edits += note.edits;
            old.reads += note.reads;
        });
    }
    history.ledger.commands.into_iter().for_each(|line| push_last(&mut ledger.commands, line));
    history.ledger.errors.into_iter().for_each(|line| push_last(&mut ledger.errors, line));
    let files: Vec<String> = ledger.files.iter().map(|note| note.line(&mut draft, 30)).collect();
    [
        newest(&files, 1_000, &WordCounter),
        newest(&ledger.commands, 1_000, &WordCounter),
        newest(&ledger.errors, 1_000, &WordCounter),
    ]
}

fn check(text: &str, expected: &Expect) {
    expected.assert_eq(&lines(&view(text), None).join("\n--\n"));
}

#[test]
fn files_commands_and_errors() {
    check(
        r#"
user: go
assistant: now
  -> c1 read {"path":"src/a.rs"}
  -> c2 edit_file {"file_path":"src/b.rs","old_string":"x","new_string":"y"}
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
            - src/b.rs: edited 1×
            - src/a.rs: read 2×
            --
            - cargo test --all → exit 101
            - ls -l
            --
            - shell: error: no such directory"#]],
    );
}

#[test]
fn patches_name_their_files() {
    check(
        r#"
user: go
assistant: now
  -> c1 apply_patch {"input":"*** Begin Patch\n*** Update File: src/a.rs\n@@\n*** Add File: src/b.rs\n+x"}
results:
  c1 = done, exit status: 0
"#,
        &expect![[r#"
            - src/a.rs: edited 1×
            - src/b.rs: edited 1×
            --

            --
        "#]],
    );
}

#[test]
fn a_ledger_is_read_back_and_added_to() {
    let first = lines(
        &view(
            r#"
user: go
assistant: now
  -> c1 read {"path":"odd: name.rs"}
  -> c2 bash {"command":"make"}
results:
  c1 = text
  c2 ! failed
"#,
        ),
        None,
    );
    let second = view(
        r#"
user: go
assistant: now
  -> c3 write {"path":"odd: name.rs","content":"x"}
  -> c4 bash {"command":"make all"}
results:
  c3 = ok
  c4 = exit code 0
"#,
    );
    expect![[r#"
        - odd: name.rs: edited 1×, read 1×
        --
        - make
        - make all → exit 0
        --
        - bash: failed"#]]
    .assert_eq(&lines(&second, Some(&first)).join("\n--\n"));
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
    assert!(one_line(&"ü".repeat(1_000)).len() <= LINE + '…'.len_utf8());
}
