//! Memos, as a person and as a model keep them.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use serde_json::{Value, json};
use throughline_testserver::{Answer, Script};

use crate::git::git;
use crate::lived::{Lived, MODEL};
use crate::place::{Place, serve};
use crate::purge::holding;
use crate::ran::{Ran, assert_says, run};

fn memos(place: &Place, args: &[&str]) -> Ran {
    let all: Vec<&str> = ["memos"].iter().chain(args).copied().collect();
    run(&mut place.bare(&all))
}

/// Writes a memo and gives its id.
#[track_caller]
fn add(place: &Place, args: &[&str]) -> String {
    let all: Vec<&str> = ["add", "--json"].iter().chain(args).copied().collect();
    memos(place, &all).json()["memo"].as_str().unwrap().to_owned()
}

fn ids(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|memo| memo["memo"].as_str().unwrap()).collect()
}

// S4-19: a memo is written, listed, found and shown, and is there without any session.
#[test]
fn memos_are_written_listed_found_and_shown() {
    let place = Place::new();
    assert_says(&memos(&place, &[]).done(), &["No memos yet"]);
    let port = add(&place, &["The server listens on port 8080.", "--tag", "Gotcha", "--tag", "api design"]);
    let table = add(&place, &["Prices are kept as tables.", "--tag", "arch-decision"]);
    let again = memos(&place, &["add", "The server listens on port 8080."]).done();
    assert_says(&again, &[&port, "[gotcha, api-design]", "already has this text"]);

    let list = memos(&place, &["list", "--json"]).json();
    assert_eq!(ids(&list), [table.as_str(), port.as_str()]);
    assert_eq!((&list[1]["tags"], &list[1]["session"]), (&json!(["gotcha", "api-design"]), &Value::Null));
    let work = place.work().canonicalize().unwrap();
    assert_eq!(list[1]["workspace"], work.to_str().unwrap());
    assert_says(
        &memos(&place, &["list"]).done(),
        &["MEMO", "FIRST LINE", "Prices are kept as tables.", "user"],
    );
    let tagged = |tags: &[&str]| {
        let mut args = vec!["list", "--json"];
        args.extend(tags.iter().flat_map(|tag| ["--tag", tag]));
        memos(&place, &args).json().as_array().unwrap().len()
    };
    assert_eq!((tagged(&["GOTCHA"]), tagged(&["gotcha", "arch-decision"]), tagged(&["none"])), (1, 2, 0));
    assert_says(&memos(&place, &["list", "--tag", "none"]).done(), &["No memo has the tag none."]);

    let found = memos(&place, &["search", "which", "port?", "--json"]).json();
    assert_eq!(ids(&found), [port.as_str()]);
    assert_says(&memos(&place, &["search", "weather"]).done(), &["No memo contains a word of \"weather\"."]);
    assert_says(&memos(&place, &["search", "?!"]).failed(), &["has no word to search for"]);

    // By the start of its id, with `m-` or without it.
    let digits = port.strip_prefix("m-").unwrap();
    for name in [&port, digits, &digits[..3], &digits.to_uppercase()] {
        let shown = memos(&place, &["show", name]).done();
        assert_says(
            &shown,
            &[&port, "tags: gotcha, api-design", "by: user", "The server listens on port 8080."],
        );
    }
    assert_says(&memos(&place, &["show", "m-zz"]).failed(), &["there is no memo \"m-zz\"", "memos list"]);
    assert_says(&memos(&place, &["show", "m-"]).failed(), &["name a memo"]);
}

// S4-19: text comes from standard input, too, and what does not fit is refused.
#[test]
fn a_memo_is_judged_before_it_is_kept() {
    let place = Place::new();
    let mut child = place.bare(&["memos", "add", "-"]);
    let mut child = child.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"\nFirst line.\nSecond line.\n\n").unwrap();
    assert!(child.wait().unwrap().success());
    let list = memos(&place, &["--json"]).json();
    assert_eq!(list[0]["content"], "First line.\nSecond line.");

    assert_says(&memos(&place, &["add", " \u{200b} "]).failed(), &["its content is empty"]);
    assert_says(&memos(&place, &["add", &"x".repeat(4_001)]).failed(), &["4,001 bytes", "at most 4,000"]);
    assert_says(&memos(&place, &["add", "text", "--tag", "!"]).failed(), &["\"!\" is no tag"]);
    assert_says(&memos(&place, &["list", "--workspace", "none"]).misused(), &["there is no folder none"]);
    assert_says(&memos(&place, &["list", "--all", "--workspace", "."]).misused(), &["cannot be used with"]);
    assert_eq!(memos(&place, &["--json"]).json(), list);
}

// S4-19: a memo is about a folder, or about none.
#[test]
fn each_folder_sees_its_own_memos_and_those_of_none() {
    let place = Place::new();
    let other = place.folder.path().join("other");
    fs::create_dir(&other).unwrap();
    let other = other.canonicalize().unwrap().display().to_string();
    let here = add(&place, &["Here we use tabs."]);
    let there = add(&place, &["There they use spaces.", "--workspace", &other]);
    let everywhere = add(&place, &["Everywhere lines are short.", "--all"]);
    let list = |args: &[&str]| {
        let list = memos(&place, args).json();
        let mut ids: Vec<String> = ids(&list).into_iter().map(str::to_owned).collect();
        ids.sort();
        ids
    };
    let sorted = |mut ids: Vec<&String>| {
        ids.sort();
        ids.into_iter().cloned().collect::<Vec<_>>()
    };
    assert_eq!(list(&["--json"]), sorted(vec![&here, &everywhere]));
    assert_eq!(list(&["--json", "--workspace", &other]), sorted(vec![&there, &everywhere]));
    assert_eq!(list(&["--json", "--all"]), sorted(vec![&here, &there, &everywhere]));
    assert_says(&memos(&place, &["list", "--all"]).done(), &["FOLDER", &other]);
    assert_eq!(list(&["search", "spaces", "--json"]), Vec::<String>::new());
    let says = memos(&place, &["delete", &there, "--yes"]).failed();
    assert_says(&says, &[&there, "is about another folder", "--all", &other]);
    memos(&place, &["delete", &there, "--yes", "--all"]).done();
    assert_eq!(list(&["--json", "--all"]), sorted(vec![&here, &everywhere]));
}

// S4-19: a memo is about the whole project: its subfolders and linked worktrees see it, also a session that asks a model.
#[test]
fn the_folders_of_a_project_have_their_memos_in_common() {
    let place = Place::new();
    let root = place.work().canonicalize().unwrap();
    let (sub, tree, nested) =
        (root.join("crates/a"), place.folder.path().join("tree"), root.join("vendor/b"));
    for folder in [&sub, &nested] {
        fs::create_dir_all(folder).unwrap();
    }
    git(&root, &["init", "-q"]);
    git(&root, &["commit", "-q", "--allow-empty", "-m", "start"]);
    git(&root, &["worktree", "add", "-q", tree.to_str().unwrap()]);
    git(&nested, &["init", "-q"]);
    let at = |folder: &Path| folder.display().to_string();
    let memo = add(&place, &["The marmalade tests need a database.", "--workspace", &at(&sub)]);
    let seen = |folder: &Path| ids(&memos(&place, &["--json", "--workspace", &at(folder)]).json()).join(" ");
    assert_eq!([&root, &sub, &tree].map(|folder| seen(folder)), [(); 3].map(|()| memo.clone()));
    assert_eq!(seen(&nested), "", "another repository is another project");
    assert_eq!(memos(&place, &["list", "--all", "--json"]).json()[0]["workspace"], at(&root));

    let server = serve(Script::new().then(Answer::text("Done.")));
    let asked = ["--workspace", &at(&tree), "run the marmalade tests"];
    run(&mut place.asks(&server, MODEL, &asked)).done();
    assert!(
        server.received()[0].body.to_string().contains("need a database"),
        "it is recalled in a worktree"
    );
}

// S4-19: what a memo said before, and a memo that is deleted, are in no file.
#[test]
fn a_change_and_a_deletion_leave_no_byte() {
    const OLD: &str = "qz9-old-unmistakable-77";
    const NEW: &str = "qz9-new-unmistakable-78";
    let place = Place::new();
    let data = place.folder.path().join(".local/share/throughline");
    let id = add(&place, &[&format!("It was {OLD}."), "--tag", "gotcha"]);
    let other = add(&place, &["Something else."]);
    assert!(!holding(&data, OLD).is_empty());
    assert_says(&memos(&place, &["edit", &id]).failed(), &["give the new text of memo", "standard input"]);
    assert_says(
        &memos(&place, &["edit", &id, "Something else."]).failed(),
        &[&other, "says the same already"],
    );
    let same = memos(&place, &["edit", &id, &format!("It was {OLD}.")]).done();
    assert_says(&same, &["is unchanged"]);

    let out = memos(&place, &["edit", &id, &format!("It is {NEW}.")]).done();
    assert_says(&out, &[&id, "[gotcha]", "Changed memo"]);
    assert!(holding(&data, OLD).is_empty(), "{:?}", holding(&data, OLD));
    memos(&place, &["edit", &id, "--tag", "api-design"]).done();
    assert_says(&memos(&place, &["show", &id]).done(), &["tags: api-design\n", NEW, "changed "]);
    memos(&place, &["edit", &id, "--untag"]).done();
    assert_says(&memos(&place, &["show", &id]).done(), &["tags: none\n", NEW]);

    assert_says(
        &memos(&place, &["delete", &id]).failed(),
        &[NEW, "nothing deleted: this would permanently delete", "--yes to confirm"],
    );
    assert!(!holding(&data, NEW).is_empty());
    let printed = memos(&place, &["delete", &id, "--yes", "--json"]).json();
    assert_eq!((&printed["memo"], &printed["overwritten"]), (&json!(id), &json!(true)));
    assert!(holding(&data, NEW).is_empty(), "{:?}", holding(&data, NEW));
    assert_says(&memos(&place, &["delete", &id, "--yes"]).failed(), &["there is no memo"]);
    assert_eq!(ids(&memos(&place, &["--json"]).json()), [other.as_str()]);
}

// S1-21 S4-19 S4-20: the model's memos come back in another session, and go with the group that wrote them.
#[test]
fn memos_of_the_model_are_recalled_and_go_with_their_group() {
    let lived = Lived::new();
    let save =
        |id: &str, text: &str| Answer::call(id, "save_memo", json!({"content": text, "tags": ["gotcha"]}));
    let script = Script::new()
        .then(save("c8", "The flux capacitor needs 1.21 gigawatts."))
        .then(save("c9", "The hoverboard does not work on water."))
        .then(Answer::text("Kept."))
        .then(save("c10", "Roads lead nowhere."))
        .then(Answer::text("Kept, too."))
        .then(Answer::text("1.21."));
    let server = serve(script);
    for prompt in ["Remember two things.", "And a third."] {
        let ran = run(&mut lived.place.asks(&server, MODEL, &["-c", prompt]));
        assert_eq!(ran.code, Some(0), "{ran:?}");
    }
    let list = memos(&lived.place, &["--json"]).json();
    let groups: Vec<(&Value, &Value)> =
        list.as_array().unwrap().iter().map(|memo| (&memo["session"], &memo["group"])).collect();
    let id = json!(lived.id);
    assert_eq!(groups, [(&id, &json!(5)), (&id, &json!(4)), (&id, &json!(4))]);

    // A new session of the folder asks.
    let ran = run(&mut lived.place.asks(&server, MODEL, &["What does the flux capacitor need?"]));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let body = server.received().last().unwrap().body.to_string();
    assert!(body.contains("1.21 gigawatts") && !body.contains("hoverboard"), "{body}");

    let out = lived.run(&["messages", "remove", &lived.id, "4", "--yes"]).done();
    assert_says(&out, &["Deleted turn 4 (\"Remember two things.\") permanently", " and 2 memos."]);
    let left = memos(&lived.place, &["--json"]).json();
    assert_eq!(left.as_array().unwrap().len(), 1);
    assert_eq!(left[0]["content"], "Roads lead nowhere.");
    let out = lived.run(&["undo", &lived.id, "--purge", "--yes"]).done();
    assert_says(&out, &["Deleted turn 5 (\"And a third.\") permanently", " and 1 memo."]);
    assert_eq!(memos(&lived.place, &["--json"]).json(), json!([]));
    assert!(holding(&lived.data(), "hoverboard").is_empty());
    assert!(holding(&lived.data(), "Roads lead").is_empty());
}

// S4-19
#[test]
fn memos_outlive_the_session_that_wrote_them() {
    let place = Place::new();
    let save =
        |id: &str, text: &str| Answer::call(id, "save_memo", json!({"content": text, "tags": ["gotcha"]}));
    let script = Script::new()
        .then(save("a", "The flux capacitor needs 1.21 gigawatts."))
        .then(Answer::text("Saved."))
        .then(save("b", "Roads lead nowhere."))
        .then(Answer::text("Saved, too."));
    let server = serve(script);
    for prompt in ["Remember one thing.", "Remember another."] {
        assert_eq!(run(&mut place.asks(&server, MODEL, &[prompt])).code, Some(0));
    }
    let delete = |more: &[&str]| {
        let args = [&["sessions", "delete", "last", "--yes"], more].concat();
        run(&mut place.bare(&args)).done()
    };
    assert_says(&delete(&["--memos"]), &["all records and stored results, and 1 memo."]);
    assert_says(&delete(&[]), &["all records and stored results."]);
    let left = memos(&place, &["--json"]).json();
    assert_eq!(left.as_array().unwrap().len(), 1, "{left}");
    assert_eq!(left[0]["content"], "The flux capacitor needs 1.21 gigawatts.");
}
