//! A session in one file: written here, stored elsewhere, continued there with the same bytes.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use throughline_testserver::{Answer, Script, Server};

use crate::permitted::MODEL;
use crate::place::{Place, serve};
use crate::ran::{Ran, assert_says, run};

/// A session with a stored result and a sub-agent, and its bundle.
struct Exported {
    place: Place,
    server: Server,
    session: String,
    file: PathBuf,
}

impl Exported {
    fn new() -> Self {
        let (place, server) = (Place::new(), serve(script()));
        let ran = run(&mut place.asks(&server, MODEL, &["--output", "json", "Find it."]));
        let session = ran.json()["session"].as_str().unwrap().to_owned();
        let file = place.work().join("session.throughline");
        run(&mut place.bare(&["export", &session, "--bundle", "-o", file.to_str().unwrap()])).done();
        Self { place, server, session, file }
    }
}

fn script() -> Script {
    let task = json!({ "agent": "explore", "title": "Find", "prompt": "Where is the needle?" });
    Script::new()
        .then(Answer::call("c1", "shell", json!({ "command": "seq 1 20000" })))
        .then(Answer::call("c2", "agent", task))
        .then(Answer::text("In line 1."))
        .then(Answer::text("Found."))
        .then(Answer::text("Once more."))
        .repeat_last()
}

fn imported(place: &Place, data: &Path, file: &Path) -> Ran {
    let (data, file) = (data.to_str().unwrap(), file.to_str().unwrap());
    run(&mut place.bare(&["--data-dir", data, "import", file, "--json"]))
}

#[test]
fn a_session_is_continued_elsewhere_with_the_same_bytes() {
    let Exported { place, server, session, file } = Exported::new();
    let data = place.folder.path().join("other");
    let found = imported(&place, &data, &file).json();
    assert_eq!(
        (&found["session"], &found["agents"], &found["same"]),
        (&json!(session), &json!(1), &json!(false)),
        "{found}"
    );
    assert!(found["records"].as_u64() > Some(8) && found["results"].as_u64() > Some(0), "{found}");
    let data = data.to_str().unwrap();
    let of = |data: &[&str], args: &[&str]| run(&mut place.bare(&[data, args].concat())).done();
    for args in [["export", &session].as_slice(), &["show", &session, "--request", "2", "--receipt"]] {
        assert_eq!(of(&["--data-dir", data], args), of(&[], args), "{args:?}");
    }
    let agents = of(&["--data-dir", data], &["sessions", "--agents", "--json"]);
    let agents: Vec<Value> = serde_json::from_str(&agents).unwrap();
    assert_eq!(agents.iter().filter(|one| one["parent"] == json!(session)).count(), 1, "{agents:?}");

    let before = server.received().len();
    for data in [[].as_slice(), &["--data-dir", data]] {
        let args = [data, &["--resume", &session, "-o", "json", "And now?"]].concat();
        assert_eq!(run(&mut place.asks(&server, MODEL, &args)).code, Some(0));
    }
    let bodies: Vec<Value> = server.received().iter().skip(before).map(|one| one.body.clone()).collect();
    assert_eq!(bodies[0]["messages"], bodies[1]["messages"]);
}

#[test]
fn what_is_there_already_is_said_and_what_is_missing_of_a_session_is_added() {
    let Exported { place, server, session, file } = Exported::new();
    let own = place.folder.path().join("other");
    assert_eq!(imported(&place, &own, &file).json()["same"], json!(false));
    let again = imported(&place, &own, &file).json();
    assert_eq!((&again["same"], &again["records"]), (&json!(true), &json!(0)), "{again}");

    let data = own.to_str().unwrap();
    let args = ["--data-dir", data, "--resume", &session, "-o", "json", "And now?"];
    assert_eq!(run(&mut place.asks(&server, MODEL, &args)).code, Some(0));
    let log = run(&mut place.bare(&["--data-dir", data, "export", &session])).done();
    let says = imported(&place, &own, &file).failed();
    assert_says(&says, &["has continued in", &session, "more records are there"]);
    assert_eq!(run(&mut place.bare(&["--data-dir", data, "export", &session])).done(), log);

    // It comes back with what was added there, and then both are continued.
    let back = place.work().join("back.throughline");
    run(&mut place.bare(&["--data-dir", data, "export", &session, "--bundle", "-o", back.to_str().unwrap()]))
        .done();
    let home = run(&mut place.bare(&["import", back.to_str().unwrap(), "--json"])).json();
    assert_eq!(home["same"], json!(false));
    assert_eq!(run(&mut place.bare(&["export", &session])).done(), log);
    for data in [&[][..], &["--data-dir", data]] {
        let args = [data, &["--resume", &session, "-o", "json", "Apart."]].concat();
        assert_eq!(run(&mut place.asks(&server, MODEL, &args)).code, Some(0));
    }
    run(&mut place.bare(&["--data-dir", data, "export", &session, "--bundle", "-o", back.to_str().unwrap()]))
        .done();
    let apart = run(&mut place.bare(&["import", back.to_str().unwrap()])).failed();
    assert_says(&apart, &["has continued in both places since record", &session]);
}

#[test]
fn a_file_that_is_damaged_or_another_one_is_refused_and_nothing_is_stored() {
    let Exported { place, file, .. } = Exported::new();
    let whole = fs::read(&file).unwrap();
    let data = place.folder.path().join("other");
    let refused = |bytes: &[u8], says: &str| {
        fs::write(&file, bytes).unwrap();
        let data = data.to_str().unwrap();
        let error = run(&mut place.bare(&["--data-dir", data, "import", file.to_str().unwrap()])).misused();
        assert_says(&error, &[says, "session.throughline"]);
        let listed = run(&mut place.bare(&["--data-dir", data, "sessions", "--json"])).json();
        assert_eq!(listed, json!([]), "{says}");
    };
    for at in [whole.len() / 2, whole.len() - 1, 30] {
        let mut changed = whole.clone();
        changed[at] ^= 1;
        refused(&changed, "is damaged or not whole");
    }
    refused(&whole[..whole.len() - 10], "is damaged or not whole");
    refused(b"", "is empty; a session of Throughline is written with");
    refused(b"{\"seq\":1}\n", "--bundle");
    let text = String::from_utf8_lossy(&whole[..22]).replace("bundle 1 ", "bundle 9 ");
    refused(&[text.as_bytes(), &whole[22..]].concat(), "of version 9");
}

#[test]
fn a_bundle_is_private_and_says_how_to_continue() {
    let Exported { place, session, file, .. } = Exported::new();
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    let data = place.folder.path().join("other");
    let args = ["--data-dir", data.to_str().unwrap(), "import", file.to_str().unwrap()];
    let says = run(&mut place.bare(&args)).done();
    let folder = place.work().canonicalize().unwrap();
    assert_says(
        &says,
        &[
            "1 stored result of the session and 1 sub-agent,",
            &format!("--resume {session} --workspace {}", folder.display()),
        ],
    );
    let unknown = run(&mut place.bare(&["export", "nothing", "--bundle"])).failed();
    assert_says(&unknown, &["there is no session \"nothing\""]);
}
