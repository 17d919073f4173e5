//! Where a session stands: handoffs and checkpoints.

use std::fs;

use serde_json::{Value, json};
use throughline_testserver::{Answer, Script};

use crate::git::git;
use crate::lived::{Lived, MODEL};
use crate::place::{Place, serve};
use crate::ran::{assert_says, run};

const TASK: &str =
    "# Fix the sum\n\nIt is wrong.\n\n## Checklist\n- [ ] fix a.txt\n- [ ] look again\n- [x] read it\n";

const PLAN: &str = "SCRATCHPAD:## Current Plan\n1. [ ] a step of the model\n\n## Key Decisions\n- Keep it small\n\n\
                    ## Blockers\n- No network";

/// A task that was given up after its first step, in a repository. Gives the place, the session and the commit.
fn given_up() -> (Place, String, String) {
    let place = Place::new();
    let work = place.work();
    git(&work, &["init", "-q", "-b", "trunk"]);
    git(&work, &["add", "."]);
    git(&work, &["commit", "-q", "-m", "begin"]);
    let commit = git(&work, &["rev-parse", "HEAD"]);
    fs::write(work.join("new file.txt"), "new\n").unwrap();
    fs::write(place.folder.path().join("task.md"), TASK).unwrap();
    let edit = json!({"path": "a.txt", "old_string": "alpha", "new_string": "gamma"});
    let script = Script::new()
        .then(Answer::text(PLAN))
        .then(Answer::call("c1", "edit_file", edit))
        .then(Answer::call("c2", "shell", json!({"command": "exit 3"})))
        .then(Answer::text("SIGNAL:ITEM 1 completed"))
        .then(Answer::text("SIGNAL:BLOCKED no answer came"));
    let server = serve(script);
    let ran = run(&mut place.asks(&server, MODEL, &["--task", "../task.md", "-o", "json"]));
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let printed: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(printed["outcome"], "blocked", "{printed}");
    (place, printed["session"].as_str().unwrap().to_owned(), commit)
}

fn keys(object: &Value) -> Vec<&str> {
    object.as_object().unwrap().keys().map(String::as_str).collect()
}

// S0-31 S0-32 S0-33: the current task, checklist, documents and working tree.
#[test]
fn a_handoff_tells_where_a_session_stands_now() {
    let (place, id, commit) = given_up();
    let printed = run(&mut place.bare(&["handoff", &id, "--json"])).json();
    let expected = json!({
        "generated_at": printed["generated_at"],
        "task_title": "Fix the sum",
        "current_hat": "builder",
        "branch": "trunk",
        "head_commit": commit,
        "completed_items": ["fix a.txt", "read it"],
        "remaining_items": ["look again"],
        "blocking_issues": ["No network"],
        "modified_files": ["a.txt"],
        "created_files": ["new file.txt"],
        "key_decisions": ["Keep it small"],
        "continuation_prompt": "Continue working on: Fix the sum\nCurrent phase: builder\nNext step: look again",
    });
    let mut own = printed.clone();
    let ledger = own.as_object_mut().unwrap().remove("ledger").unwrap();
    // What the task asks for is a request too, and the model's last answer was no end of it.
    let requests = own.as_object_mut().unwrap().remove("requests").unwrap();
    assert_says(requests.as_array().unwrap().last().unwrap().as_str().unwrap(), &["Fix the sum"]);
    own.as_object_mut().unwrap().remove("last_answer");
    assert_eq!(own, expected);
    assert_eq!(keys(&own), keys(&expected));
    // The object has what the text lists: changes by tools, commands and open errors.
    assert_eq!(ledger["files"][0]["path"], "a.txt");
    assert_eq!(ledger["commands"], json!([{"command": "exit 3", "exit": 3, "failed": true}]));
    let text = run(&mut place.bare(&["handoff", "last"])).done();
    assert_says(
        &text,
        &[
            &format!("Handoff of session {id}"),
            "Task: Fix the sum\nPhase: builder\n",
            &format!("Branch: trunk at {}\n", &commit[..12]),
            "Progress: 2/3 steps completed\n",
            "Remaining:\n- look again\n",
            "New files:\n- new file.txt\n",
            "exit 3 → exit 3",
            "Next step: look again",
        ],
    );

    // Later changes are included: it is not a copy of the newest checkpoint.
    fs::write(place.folder.path().join("plan.md"), "## Key Decisions\n- Make it large\n").unwrap();
    run(&mut place.bare(&["scratchpad", &id, "set", "../plan.md"])).done();
    git(&place.work(), &["checkout", "-q", "-b", "other"]);
    fs::remove_file(place.work().join("new file.txt")).unwrap();
    let printed = run(&mut place.bare(&["handoff", &id, "--json"])).json();
    assert_eq!(printed["key_decisions"], json!(["Make it large"]));
    assert_eq!((&printed["branch"], &printed["created_files"]), (&json!("other"), &json!([])));
    assert!(!keys(&printed).contains(&"blocking_issues"), "{printed}");
}

// S0-31 S0-32: without a repository, a checkpoint or a plan there is less to tell, and it is no error.
#[test]
fn a_handoff_needs_neither_git_nor_a_task() {
    let lived = Lived::new();
    let printed = lived.run(&["handoff", &lived.id, "--json"]).json();
    assert_eq!(
        keys(&printed),
        [
            "generated_at",
            "task_title",
            "current_hat",
            "branch",
            "head_commit",
            "completed_items",
            "remaining_items",
            "modified_files",
            "created_files",
            "continuation_prompt",
            "ledger",
            "requests",
            "last_answer",
        ]
    );
    assert_eq!((&printed["branch"], &printed["head_commit"]), (&json!(""), &json!("")));
    assert_eq!((&printed["modified_files"], &printed["created_files"]), (&json!([]), &json!([])));
    assert_eq!(printed["task_title"], "Say three.", "the last request");
    // It was answered, and no step is known.
    assert_eq!(
        printed["continuation_prompt"],
        "The last request was answered: Say three.\nNext step: check the answer, then ask the user what comes next"
    );
    assert_eq!(printed["requests"], json!(["Say three.", "Say two.", "What does MARK end with?"]));
    assert_eq!(printed["last_answer"], "Three it is.");
    // The result is stored, and its preview has no exit code.
    assert_eq!(printed["ledger"]["commands"][0]["exit"], 0);
    let text = lived.run(&["handoff", &lived.id]).done();
    assert_says(
        &text,
        &[
            "Branch: not a git repository",
            "no checklist",
            "Commands:\n- seq 1 2000; echo MARK → exit 0",
            "word for word:\n- Say three.\n- Say two.\n- What does MARK end with?\n",
            "The newest request was answered. The end of the answer:\nThree it is.\n",
        ],
    );
    fs::remove_dir_all(lived.place.work()).unwrap();
    let mut command = lived.command(&["handoff", &lived.id, "--json"]);
    let gone = run(command.current_dir(lived.place.folder.path())).json();
    assert_eq!(gone["branch"], "");
}

// S0-30 S0-36: each checkpoint has all keys, its own messages and its handoff.
#[test]
fn checkpoints_are_listed_and_shown_whole() {
    let (place, id, _) = given_up();
    let list = run(&mut place.bare(&["checkpoints", &id, "--json"])).json();
    let list = list.as_array().unwrap();
    assert!(list.len() >= 3, "{list:?}");
    for (number, one) in (1..).zip(list) {
        assert_eq!((&one["number"], &one["handoff"]), (&json!(number), &json!(true)), "{one}");
    }
    let newest = list.last().unwrap();
    assert_eq!((&newest["reason"], &newest["hat"]), (&json!("exit"), &json!("builder")));
    let show = |number: &str| run(&mut place.bare(&["checkpoints", &id, "show", number, "--json"])).json();
    let mut sizes = Vec::new();
    for number in 1..=list.len() {
        let whole = show(&number.to_string());
        assert_eq!(
            keys(&whole),
            [
                "iteration",
                "input_tokens",
                "output_tokens",
                "hat",
                "messages",
                "last_error",
                "failed_at",
                "recovery_hint",
                "scratchpad",
                "handoff",
            ]
        );
        assert_eq!(whole["iteration"], list[number - 1]["iteration"]);
        assert_eq!(whole["handoff"]["task_title"], "Fix the sum");
        sizes.push(whole["messages"].as_array().unwrap().len());
    }
    assert!(sizes.is_sorted() && sizes[0] < *sizes.last().unwrap(), "{sizes:?}");
    let first = show("1");
    assert_eq!(
        (&first["scratchpad"], &first["handoff"]["completed_items"]),
        (&json!(""), &json!(["read it"]))
    );
    let last = run(&mut place.bare(&["checkpoints", &id, "show", "--json"])).json();
    assert_eq!(last, show(&list.len().to_string()));
    assert_says(last["scratchpad"].as_str().unwrap(), &["Keep it small"]);
    assert_says(&last["messages"].to_string(), &["SIGNAL:BLOCKED no answer came"]);

    assert_says(
        &run(&mut place.bare(&["checkpoints", &id])).done(),
        &["NUMBER", "ITERATION", "exit", "builder"],
    );
    let text = run(&mut place.bare(&["checkpoints", &id, "show"])).done();
    assert_says(&text, &["Checkpoint ", " ago: exit\n", "Task: Fix the sum", "Scratchpad:\n"]);
    let says = run(&mut place.bare(&["checkpoints", &id, "show", "99"])).failed();
    assert_says(&says, &["there is no checkpoint 99; the session has checkpoints 1 to "]);
    for bad in ["0", "-1", "x"] {
        let says = run(&mut place.bare(&["checkpoints", &id, "show", bad])).misused();
        assert_says(&says, &["from 1, the oldest"]);
    }
}

// S0-30: a failed turn leaves its error, and what helps.
#[test]
fn a_checkpoint_of_a_failure_says_how_it_failed() {
    let place = Place::new();
    let server = serve(Script::new().then(Answer::error(throughline_testserver::ErrorKind::Unauthorized)));
    let ran = run(&mut place.asks(&server, MODEL, &["Go."]));
    assert_eq!(ran.code, Some(3), "{ran:?}");
    let list = run(&mut place.bare(&["checkpoints", "last", "--json"])).json();
    assert_eq!(list[0]["reason"], "failure", "{list}");
    let whole = run(&mut place.bare(&["checkpoints", "last", "show", "1", "--json"])).json();
    assert!(whole["last_error"].is_string() && whole["failed_at"].is_string(), "{whole}");
    assert_says(&run(&mut place.bare(&["checkpoints", "last", "show"])).done(), &["The turn failed at "]);
}
