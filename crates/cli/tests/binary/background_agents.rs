//! Sub-agents in the background: they work while the turn continues, and each end is reported once.

use std::fs;
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use throughline_testserver::{Answer, Script, Server};

use crate::permitted::{MODEL, results};
use crate::place::{Place, serve};
use crate::ran::{assert_says, run};
use crate::sub_agents::check_undo_and_redo;

/// The call that starts one.
fn begin(id: &str, agent: &str, title: &str, prompt: &str) -> Answer {
    let input = json!({ "agent": agent, "title": title, "prompt": prompt, "background": true });
    Answer::call(id, "agent", input)
}

/// A server whose script is the session's; the requests of sub-agents are answered by `child`, by what they say.
fn parted(own: Script, child: impl Fn(&str) -> Answer + Send + Sync + 'static) -> Server {
    serve(own.unscripted(move |body| {
        let text = body.to_string();
        text.contains("You work for another agent").then(|| child(&text))
    }))
}

/// The bodies of the requests of the session itself.
fn own(server: &Server) -> Vec<String> {
    let bodies = server.received().into_iter().map(|one| one.body.to_string());
    bodies.filter(|body| !body.contains("You work for another agent")).collect()
}

#[test]
fn the_call_returns_at_once_and_a_run_waits_and_reports_the_end() {
    let place = Place::new();
    let server = parted(
        Script::new()
            .then(begin("c1", "explore", "Find the needle", "Where is the needle?"))
            .then(Answer::call("c2", "read_file", json!({ "path": "a.txt" })))
            .then(Answer::text("It is being looked for."))
            .then(Answer::text("It is in line 7.")),
        |_| Answer::text("The needle is in line 7.").wait_head(Duration::from_secs(2)),
    );
    let ran = run(&mut place.asks(&server, MODEL, &["-o", "stream-json", "Find it."]));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let own = own(&server);
    assert_eq!(own.len(), 4, "{own:?}");
    let begun = "Sub-agent 1 (explore: Find the needle) works in the background as session agent-";
    assert_says(&own[1], &[begun, "Its end is reported to you."]);
    assert!(!own[2].contains("line 7"), "the turn continued meanwhile");
    assert_says(
        &own[3],
        &["It is being looked for.", "has ended.\\nThe needle is in line 7.\\n[sub-agent explore"],
    );
    let lines: Vec<Value> = ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let result = lines.last().unwrap();
    assert_eq!(
        (result["text"].as_str(), result["requests"].as_u64(), result["side_requests"].as_u64()),
        (Some("It is in line 7."), Some(4), Some(1)),
        "{result}"
    );
    let at =
        |says: &dyn Fn(&Value) -> bool| lines.iter().position(says).unwrap_or_else(|| panic!("{}", ran.out));
    let returned = at(&|line| line["type"] == "tool_finished" && line["call_id"] == "c1");
    let ended = at(&|line| line["type"] == "agent_ended" && line["agent"]["call_id"] == "c1");
    let said = at(&|line| {
        let text = line["text"].as_str().unwrap_or_default();
        line["type"] == "notice" && text.starts_with("Sub-agent 1 (explore: Find the needle) has ended after")
    });
    assert!(returned < ended && ended < said, "{}", ran.out);
}

#[test]
fn the_model_waits_for_one_and_reads_its_end_once() {
    let place = Place::new();
    let wait = |id: &str, agent: u64| {
        Answer::call(id, "agent_output", json!({ "agent": agent, "wait_seconds": 60 }))
    };
    let server = parted(
        Script::new()
            .then(begin("c1", "explore", "Find it", "Where is it?"))
            .then(Answer::call("c2", "agent_output", json!({ "agent": 1 })))
            .then(wait("c3", 1))
            .then(wait("c4", 7))
            .then(Answer::text("Done.")),
        |_| Answer::text("In line 7.").wait_head(Duration::from_secs(1)),
    );
    let ran = run(&mut place.asks(&server, MODEL, &["-o", "json", "Find it."]));
    assert!(ran.code == Some(0) && ran.out.contains("\"text\":\"Done.\""), "{ran:?}");
    assert_says(
        &results(&server),
        &[
            "works since",
            "0 requests, 0 calls",
            "In line 7.",
            "There is no sub-agent 7. There are: 1 (explore: Find it; has ended).",
        ],
    );
    let last = own(&server).pop().unwrap();
    assert_eq!(last.matches("In line 7.").count(), 1, "an end that was read is not reported again: {last}");
}

#[test]
fn no_more_work_at_the_same_time_than_the_settings_allow() {
    let place = Place::new();
    let folder = place.folder.path().join(".config/throughline");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("config.toml"), "[agents]\nrunning = 1\n").unwrap();
    let server = parted(
        Script::new()
            .then(begin("c1", "explore", "First", "First."))
            .then(begin("c2", "explore", "Second", "Second."))
            .then(Answer::call("c3", "agent_output", json!({ "agent": 1, "stop": true })))
            .then(Answer::text("Done.")),
        |_| Answer::text("Late.").wait_head(Duration::from_secs(30)),
    );
    let ran = run(&mut place.asks(&server, MODEL, &["Go."]));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_says(
        &results(&server),
        &[
            "1 sub-agents work already, which is the limit of agents.running",
            "was stopped.",
            "did not end its task: interrupted",
        ],
    );
}

#[test]
fn undoing_the_turn_restores_what_one_changed_in_the_background() {
    let place = Place::new();
    let server = parted(
        Script::new()
            .then(begin("c1", "general", "Change a", "Change a.txt and make b.txt."))
            .then(Answer::text("Begun."))
            .then(Answer::text("Done.")),
        |text| match (text.contains("Created b.txt"), text.contains("exit status")) {
            (false, _) => Answer::call("s1", "write_file", json!({ "path": "b.txt", "content": "new\n" })),
            (true, false) => Answer::call("s2", "shell", json!({ "command": "echo changed > a.txt" })),
            (true, true) => Answer::text("Both are done."),
        },
    );
    let ran = run(&mut place.asks(&server, MODEL, &["Change."]));
    assert_eq!((ran.code, ran.out.trim()), (Some(0), "Done."), "{ran:?}");
    check_undo_and_redo(&place);
}

#[test]
fn after_a_kill_the_model_and_the_user_learn_of_it_and_the_same_call_continues_it() {
    let place = Place::new();
    let slow = || Answer::text("never").wait_head(Duration::from_secs(60));
    let server = parted(
        Script::new().then(begin("c1", "general", "Count lines", "Count the lines of a.txt.")).then(slow()),
        move |text| match text.contains("2 a.txt") {
            false => Answer::call("s1", "shell", json!({ "command": "wc -l a.txt" })),
            true => slow(),
        },
    );
    let mut command = place.asks(&server, MODEL, &["Count."]);
    let mut process = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let limit = Instant::now() + Duration::from_secs(60);
    while server.received().len() < 4 {
        assert!(Instant::now() < limit, "{} requests", server.received().len());
        std::thread::sleep(Duration::from_millis(20));
    }
    process.kill().unwrap();
    process.wait().unwrap();
    let server = parted(
        Script::new()
            .then(begin("c2", "general", "Count lines", "Count the lines of a.txt."))
            .then(Answer::text("It works again."))
            .then(Answer::text("Two.")),
        |_| Answer::text("Two lines."),
    );
    let ran = run(&mut place.asks(&server, MODEL, &["--resume", "last", "Continue."]));
    assert_eq!((ran.code, ran.out.trim()), (Some(0), "Two."), "{ran:?}");
    assert_says(&ran.err, &["sub-agent 1 (general: Count lines) was interrupted when the session ended"]);
    let own = own(&server);
    assert_says(&own[0], &["was interrupted when the session ended.\\nWhat it had done so far stays."]);
    let child: Vec<_> = server
        .received()
        .into_iter()
        .filter(|one| one.body.to_string().contains("for another agent"))
        .collect();
    assert_says(&child[0].body.to_string(), &["2 a.txt"]);
    assert_says(own.last().unwrap(), &["has ended.\\nTwo lines."]);
    let all = run(&mut place.bare(&["sessions", "--json"])).json();
    assert_eq!(all.as_array().map(Vec::len), Some(2), "no second sub-agent: {all}");
    // It is reported once: another start has nothing to say.
    let server = serve(Script::new().then(Answer::text("Fine.")));
    let ran = run(&mut place.asks(&server, MODEL, &["--resume", "last", "And?"]));
    assert!(!ran.err.contains("sub-agent 1"), "{ran:?}");
}

#[test]
fn what_one_spends_counts_in_the_limit_of_its_session_while_it_works() {
    let place = Place::new();
    let folder = place.folder.path().join(".config/throughline");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("config.toml"), "[limits]\ncost = 0.2\n[agents]\ncost = 10.0\n").unwrap();
    let server = parted(
        Script::new()
            .then(begin("c1", "explore", "Read much", "Read it all."))
            .then(Answer::text("Begun."))
            .repeat_last(),
        |text| {
            let usage = throughline_conversation::Usage { input: 30_000, output: 10, ..Default::default() };
            let number = text.matches("tool_result").count();
            Answer::call(&format!("s{number}"), "read_file", json!({ "path": "a.txt", "offset": number + 1 }))
                .usage(usage)
        },
    );
    let ran = run(&mut place.asks(&server, MODEL, &["Go."]));
    let child = server.received().len() - own(&server).len();
    assert!((1..=3).contains(&child), "{child} requests of $0.09 each: {ran:?}");
    assert_says(&ran.err, &["limits.cost"]);
}

#[test]
fn a_continued_session_and_a_copy_learn_once_that_a_job_has_ended() {
    let start = json!({ "command": "sleep 300", "background": true });
    let script = Script::new().then(Answer::call("c1", "shell", start)).then(Answer::text("It runs."));
    let server = serve(script.then(Answer::text("Fine.")).repeat_last());
    let place = Place::new();
    let asked = |args: &[&str]| {
        let ran = run(&mut place.asks(&server, MODEL, args));
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let body = server.received().last().unwrap().body.to_string();
        (ran.err, body.matches("Background job 1 has ended (").count(), body)
    };
    assert_eq!(asked(&["Start it."]).1, 0);
    let (_, count, body) = asked(&["-c", "--fork", "Is it up?"]);
    assert_eq!(count, 1);
    assert_says(&body, &["(belongs to the session that this one is a copy of): sleep 300"]);
    let session = run(&mut place.bare(&["sessions", "--json"])).json();
    let first = session.as_array().unwrap().last().unwrap()["session"].as_str().unwrap().to_owned();
    let (notice, count, body) = asked(&["-r", &first, "Is it up?"]);
    assert_eq!(count, 1);
    assert_says(&notice, &["job 1 (sleep 300) ended with the earlier run of this session"]);
    assert_says(&body, &["(ended with the earlier run of this session): sleep 300"]);
    let (notice, count, _) = asked(&["-r", &first, "And now?"]);
    assert_eq!(count, 1, "it is said once");
    assert!(!notice.contains("job 1"), "{notice}");
}
