//! Contexts that several clients open at once, and those that a token with folders may open.

use serde_json::{Value, json};
use throughline_testserver::{Answer, Script};

use crate::hosted::Hosted;
use crate::served::{Answered, Served};
use crate::users::token;

fn post(served: &Served, token: &str, context: &str, operation: &str, body: &Value) -> Answered {
    served.send_as(token, "POST", &format!("/api/contexts/{context}/{operation}"), &body.to_string())
}

#[test]
fn of_two_opens_at_once_the_one_that_succeeds_has_the_session_of_its_user() {
    let served = Hosted::new(Script::new(), &[]).served;
    let ann = token(&served, "ann", "run", &[]);
    let good = json!({ "model": "claude-sonnet-4-5" });
    // The other one fails after the session was made for it.
    let bad = json!({ "model": "claude-sonnet-4-5", "settings": { "warn_at": "10", "compact_at": "5" } });
    for round in 0..24 {
        let (id, other) = (format!("race-{round}"), if round % 2 == 0 { &good } else { &bad });
        let statuses: Vec<u16> = std::thread::scope(|scope| {
            let opens = [&good, other, &good]
                .map(|body| scope.spawn(|| post(&served, &ann, &id, "open", body).status));
            opens.into_iter().map(|open| open.join().unwrap()).collect()
        });
        assert_eq!(statuses.iter().filter(|status| **status == 200).count(), 1, "{id}: {statuses:?}");
        assert!(!statuses.contains(&404), "{id}: {statuses:?}");
        let said = post(&served, &ann, &id, "user", &json!({ "text": "Mine." }));
        assert_eq!(said.status, 200, "{id}: {}", said.body);
        let session = served.send_as(&ann, "GET", &format!("/api/sessions/{id}"), "").json();
        assert_eq!(session["owner"], "ann", "{session}");
        assert_eq!(post(&served, &ann, &id, "close", &json!({})).status, 200, "{id}");
    }
    let alone = post(&served, &ann, "alone", "open", &bad);
    assert_ne!(alone.status, 200, "{}", alone.body);
    assert_eq!(served.get("/api/sessions/alone").status, 404, "nothing is left of it");
}

#[test]
fn an_administrator_with_folders_uses_the_contexts_of_these_folders_alone() {
    let script = Script::new().then(Answer::text("A heron.")).repeat_last();
    let served = Hosted::new(script, &["--any-workspace"]).served;
    std::fs::create_dir(served.home().join("other")).unwrap();
    let bob = token(&served, "bob", "run", &["other"]);
    let ann = token(&served, "ann", "run", &["work"]);
    let carl = token(&served, "carl", "admin", &["work"]);
    let open = json!({ "model": "claude-sonnet-4-5" });
    assert_eq!(post(&served, &bob, "theirs", "open", &open).status, 200);
    assert_eq!(post(&served, &ann, "ours", "open", &open).status, 200);
    for (operation, body) in
        [("user", json!({ "text": "x" })), ("handoff", json!({})), ("open", open.clone())]
    {
        let answer = post(&served, &carl, "theirs", operation, &body);
        assert_eq!(answer.status, 404, "{operation}: {}", answer.body);
    }
    assert_eq!(post(&served, &carl, "ours", "user", &json!({ "text": "x" })).status, 200);
    let listed = served.send_as(&carl, "GET", "/api/contexts", "").json();
    let contexts = listed["contexts"].as_array().unwrap();
    assert_eq!(contexts.iter().map(|one| &one["context"]).collect::<Vec<_>>(), ["ours"]);
    assert_eq!(post(&served, &bob, "theirs", "close", &json!({})).status, 200);
    assert_eq!(post(&served, &carl, "theirs", "open", &open).status, 404, "nor when it is closed");
}

/// A token with folders asks for paths that it does not open.
#[test]
fn a_token_with_folders_does_not_learn_which_other_paths_there_are() {
    let served = Hosted::new(Script::new(), &["--any-workspace"]).served;
    let ann = token(&served, "ann", "run", &["work"]);
    let work = served.home().join("work").canonicalize().unwrap();
    std::os::unix::fs::symlink("/", work.join("root")).unwrap();
    let refused = |rest: &str| {
        let path = work.join(rest);
        let body = json!({ "prompt": "x", "workspace": path }).to_string();
        let answer = served.send_as(&ann, "POST", "/api/sessions", &body);
        (answer.status, answer.body.replace(path.to_str().unwrap(), "PATH"))
    };
    let there = refused("../../../../../../usr");
    assert!(there.0 == 403 && there.1.contains("does not open PATH"), "{there:?}");
    for rest in ["../../../../../../no-such", "../no-such", "root/usr", "root/no-such"] {
        assert_eq!(refused(rest), there, "{rest}");
    }
    let missing = refused("no-such");
    assert!(
        missing.0 == 400 && missing.1.contains("PATH"),
        "in its own folder the error says so: {missing:?}"
    );
}

#[test]
fn numbers_and_characters_that_no_database_takes_are_refused_and_audited() {
    let served = Served::demo();
    let own = format!("/api/sessions/{}", served.id);
    for (method, path) in [
        ("GET", "/api/audit?offset=18446744073709551615".to_owned()),
        ("GET", "/api/memos?tag=%00".to_owned()),
        ("GET", "/api/search?q=a%00b".to_owned()),
        ("GET", format!("{own}/results/%00")),
        ("DELETE", "/api/tokens/%00".to_owned()),
        ("POST", "/api/contexts/a%00b/open".to_owned()),
    ] {
        let answer = served.send(method, &path, "{}");
        assert_eq!(answer.status, 400, "{path}: {}", answer.body);
    }
    let audit = served.get("/api/audit").json();
    assert_eq!(audit["entries"][0]["path"], "/api/contexts/a%00b/open", "{audit}");
    let open = json!({ "model": "any", "window": u64::MAX, "max_output": 1_000 });
    let opened = post(&served, served.token(), "wide", "open", &open);
    assert_eq!(opened.status, 200, "{}", opened.body);
}

#[test]
fn a_change_of_a_session_that_is_open_as_a_context_here_says_how_to_close_it() {
    let served = Served::demo();
    let open = json!({ "model": "claude-sonnet-4-5" });
    let (id, own) = (served.id.clone(), served.token().to_owned());
    assert_eq!(post(&served, &own, &id, "open", &open).status, 200);
    for (method, path, body) in [
        ("POST", format!("/api/sessions/{id}/changes"), "{\"change\":\"undo\"}".to_owned()),
        ("DELETE", format!("/api/sessions/{id}"), json!({ "confirm": id }).to_string()),
    ] {
        let refused = served.send(method, &path, &body);
        let says = format!("close it with POST /api/contexts/{id}/close");
        assert!(refused.status == 409 && refused.body.contains(&says), "{path}: {}", refused.body);
    }
    assert_eq!(post(&served, &own, &id, "close", &json!({})).status, 200);
    assert_eq!(
        served.send("POST", &format!("/api/sessions/{id}/changes"), "{\"change\":\"undo\"}").status,
        200
    );
}
