//! Changes over HTTP that need a session with turns of a model: undo with its files, and a compaction.

use std::fs;

use serde_json::json;
use throughline_conversation::Usage;
use throughline_testserver::{Answer, Script};

use crate::hosted::Hosted;

#[test]
fn an_undo_restores_files_if_that_is_asked_for() {
    let write =
        |id: &str, path: &str| Answer::call(id, "write_file", json!({ "path": path, "content": "new\n" }));
    let script = Script::new().then(write("call_1", "b.txt")).then(write("call_2", "c.txt"));
    let hosted = Hosted::new(script.then(Answer::text("Fine.")), &[]);
    let id = hosted.done("Write.");
    let work = hosted.served.home().join("work");
    let path = format!("/api/sessions/{id}/changes");
    let change = |body: &str| hosted.served.send("POST", &path, body);
    let has = |name: &str| work.join(name).exists();

    assert_eq!(change("{\"change\":\"undo\"}").status, 200);
    assert!(has("b.txt") && has("c.txt"), "files are left alone unless they are asked for");
    assert_eq!(change("{\"change\":\"redo\",\"files\":false}").status, 200);
    fs::write(work.join("c.txt"), "by hand\n").unwrap();
    let undone = change("{\"change\":\"undo\",\"files\":true}");
    assert_eq!(undone.status, 200, "{}", undone.body);
    let outcomes: Vec<_> =
        undone.json()["files"].as_array().unwrap().iter().map(|file| file["outcome"].clone()).collect();
    assert_eq!(outcomes, ["removed", "changed_since"], "{}", undone.body);
    assert!(!has("b.txt") && has("c.txt"));
    let redone = change("{\"change\":\"redo\",\"files\":true}").json();
    assert_eq!(redone["files"][0]["outcome"], "restored", "{redone}");
    assert_eq!(fs::read_to_string(work.join("b.txt")).unwrap(), "new\n");
    for (body, says) in [
        ("{\"change\":\"drop\",\"turn\":1,\"files\":true}", "undo and redo"),
        ("{\"change\":\"undo\",\"files\":\"yes\"}", "true or false"),
    ] {
        let refused = change(body);
        assert!(refused.status == 400 && refused.body.contains(says), "{body}: {}", refused.body);
    }
}

#[test]
fn a_compaction_asks_the_model_of_the_server_for_a_summary() {
    let long = "A long story of many words that say very little about anything at all. ".repeat(100);
    let mut script = Script::new();
    for turn in 0..6 {
        let usage =
            Usage { input: 6_000 + 2_400 * turn, cache_read: 0, cache_write: 0, output: 2_300, searches: 0 };
        script = script.then(Answer::text(&long).usage(usage));
    }
    let hosted = Hosted::new(script.then(Answer::text("Stories were asked for; all were written.")), &[]);
    let id = hosted.done("Tell me a story.");
    for _ in 1..6 {
        assert_eq!(hosted.turn(&id, "Another.").rest().last().unwrap()["outcome"], "done");
    }
    let own = format!("/api/sessions/{id}");
    let body = "{\"instructions\":\"Name the heroes.\"}";
    let made = hosted.served.send("POST", &format!("{own}/compactions"), body);
    assert_eq!(made.status, 200, "{}", made.body);
    assert!(made.json()["compaction"].is_object(), "{}", made.body);
    let asked = hosted.model.received().last().unwrap().body.to_string();
    assert!(asked.contains("Name the heroes."), "{asked}");
    let summaries = hosted.served.get(&format!("{own}/summaries")).json();
    assert_eq!(summaries["summaries"][0]["status"], "in_force", "{summaries}");
    let undone = hosted.served.send("POST", &format!("{own}/changes"), "{\"change\":\"undo_compaction\"}");
    assert_eq!(undone.status, 200, "{}", undone.body);
}
