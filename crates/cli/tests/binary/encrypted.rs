//! Contexts and stored results in a data folder that is encrypted: no file has their bytes, and only the key reads them.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;

use serde_json::{Value, json};
use throughline_testserver::{Answer, Script};

use crate::mcp::Agent;
use crate::permitted::MODEL;
use crate::place::{Place, serve};
use crate::ran::{Ran, assert_says, run};

/// In the middle of the long result, and in no command line.
const SECRET: &str = "heronnest";
const ID: &str = "5f1e1f54-aaaa-4a60-a551-14b836a1ad82";

/// A place with the key files `one` and `other`, whose settings name `one`.
struct Locked(Place);

impl Locked {
    fn new() -> Self {
        let locked = Self(Place::new());
        for name in ["one", "other"] {
            let file = locked.file(name);
            let says = locked.run(&["config", "key", "new", file.to_str().unwrap()]).done();
            assert_says(&says, &["Wrote the new key ", "throughline config set encryption.key_file", "copy"]);
            assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
            let written = fs::read(&file).unwrap();
            let again = locked.run(&["config", "key", "new", file.to_str().unwrap()]).failed();
            assert_says(&again, &["never overwritten"]);
            assert_eq!(fs::read(&file).unwrap(), written);
        }
        locked.with("one");
        locked
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.folder.path().join(name)
    }

    fn run(&self, args: &[&str]) -> Ran {
        run(&mut self.0.bare(args))
    }

    /// Sets the key that the settings name.
    fn with(&self, name: &str) {
        self.run(&["config", "set", "encryption.key_file", self.file(name).to_str().unwrap()]).done();
    }

    fn without(&self) {
        self.run(&["config", "unset", "encryption.key_file"]).done();
    }

    /// The number of the key that the database needs.
    fn id(&self) -> String {
        let shown = self.run(&["config", "key", "show"]).done();
        let (_, rest) = shown.split_once("is encrypted with key ").unwrap();
        rest.trim().trim_end_matches('.').to_owned()
    }

    /// A turn whose command prints a long result with the secret. Gives the session and the name of the result.
    fn turn(&self) -> (String, String) {
        let command = "seq 1 6000 | sed 's/^3000$/heron''nest/'";
        let script = Script::new()
            .then(Answer::call("c1", "shell", json!({ "command": command })))
            .then(Answer::text("Done."));
        let ran = run(&mut self.0.asks(&serve(script), MODEL, &["-o", "json", "Print them."]));
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let id = serde_json::from_str::<Value>(&ran.out).unwrap()["session"].as_str().unwrap().to_owned();
        let log = self.run(&["export", &id]).done();
        let (_, rest) = log.split_once(r#"ref_id=\""#).unwrap();
        (id, rest.split('\\').next().unwrap().to_owned())
    }

    /// A transcript of Claude Code, and its context in the data folder.
    fn watched(&self) -> Ran {
        let folder = self.0.folder.path().join(".claude/projects/-work");
        fs::create_dir_all(&folder).unwrap();
        let cwd = self.0.work().canonicalize().unwrap();
        let lines =
            [("user", json!("Fix the parser.")), ("assistant", json!([{"type": "text", "text": "Done."}]))];
        let lines: Vec<String> = lines
            .into_iter()
            .map(|(role, content)| {
                let message = json!({"id": "m1", "role": role, "content": content});
                let parent = (role == "assistant").then_some("user");
                json!({"type": role, "uuid": role, "parentUuid": parent, "sessionId": ID, "cwd": cwd, "message": message})
                    .to_string()
            })
            .collect();
        fs::write(folder.join(format!("{ID}.jsonl")), lines.join("\n")).unwrap();
        self.run(&["watch", "--refresh", &format!("claude:{ID}")])
    }

    fn data(&self) -> PathBuf {
        self.0.folder.path().join(".local/share/throughline")
    }

    /// Returns true if a file of the data folder has these bytes.
    fn is_found(&self, text: &str) -> bool {
        files(&self.data())
            .iter()
            .any(|file| fs::read(file).unwrap().windows(text.len()).any(|part| part == text.as_bytes()))
    }

    fn count(&self, sql: &str) -> i64 {
        let database = rusqlite::Connection::open(self.data().join("throughline.db")).unwrap();
        database.query_row(sql, [], |row| row.get(0)).unwrap()
    }
}

fn files(folder: &std::path::Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

// S1-20
#[test]
fn no_file_has_the_bytes_of_contexts_and_results_and_only_the_key_reads_them() {
    let locked = Locked::new();
    let (session, reference) = locked.turn();
    let context = locked.watched();
    assert_eq!(context.code, Some(0), "{context:?}");
    assert_says(&context.out, &["[Previous Session Context]\nCurrent task: Fix the parser.\n"]);
    assert_eq!(locked.count("SELECT count(*) FROM session_contexts"), 1);
    for text in [SECRET, "currentTask", "3001\n3002\n"] {
        assert!(!locked.is_found(text), "{text:?} is in a file of the data folder");
    }
    // The search finds what is not encrypted.
    assert!(locked.is_found(&session) && locked.is_found("Print them."));

    let claude = format!("claude-{ID}");
    let exported = || locked.run(&["export", &claude]);
    assert_says(&exported().done(), &["\"currentTask\":\"Fix the parser.\""]);
    assert_says(&locked.run(&["handoff", &session]).done(), &["seq 1 6000"]);
    let key = locked.id();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let read = json!({"ref_id": reference, "search": SECRET});
    let line = runtime.block_on(async {
        let agent = Agent::in_folder(&locked.0, &locked.0.work(), &[]).await;
        let line = agent.answer("read_result", read.clone()).await;
        agent.servers.close().await;
        line
    });
    assert_says(&line, &["1 found", SECRET]);

    let records = "SELECT count(*) FROM log";
    let before = locked.count(records);
    for name in [Some("other"), None] {
        match name {
            Some(name) => locked.with(name),
            None => locked.without(),
        }
        let refused = runtime.block_on(async {
            let agent = Agent::in_folder(&locked.0, &locked.0.work(), &[]).await;
            let refused = agent.refused("read_result", read.clone()).await;
            agent.servers.close().await;
            refused
        });
        let model = serve(Script::new().then(Answer::text("Never asked.")));
        let continued = run(&mut locked.0.asks(&model, MODEL, &["--resume", &session, "Continue."]));
        assert_eq!(continued.code, Some(1), "{continued:?}");
        let undone = locked.run(&["undo", &session]);
        assert_ne!(undone.code, Some(0), "{undone:?}");
        let said = [
            exported().failed(),
            locked.run(&["handoff", &session]).failed(),
            locked.run(&["watch", "--refresh", &format!("claude:{ID}")]).failed(),
            refused,
            continued.err,
            undone.err,
        ];
        for said in &said {
            assert_says(said, &["is encrypted with key", &key, "encryption.key_file"]);
        }
        assert_eq!(locked.count(records), before, "nothing was written");
        // What is not encrypted is there.
        assert_says(&locked.run(&["sessions"]).done(), &["Fix the parser."]);
    }
    // Nothing was lost by that, and who has lost the key can delete.
    locked.with("one");
    assert_says(&exported().done(), &["\"currentTask\":\"Fix the parser.\""]);
    locked.without();
    locked.run(&["sessions", "delete", "--yes", &claude]).done();
    assert_eq!(locked.count("SELECT count(*) FROM session_contexts"), 0);
}

#[test]
fn what_an_undo_brings_back_is_encrypted_and_a_recovered_folder_needs_the_same_key() {
    let locked = Locked::new();
    let file = locked.0.work().join("plan.txt");
    fs::write(&file, format!("{SECRET}\n")).unwrap();
    let write = |id, text: &str| Answer::call(id, "write_file", json!({"path": "plan.txt", "content": text}));
    let read = Answer::call("c0", "shell", json!({"command": "wc plan.txt; rm plan.txt"}));
    let script = Script::new().then(read).then(write("c1", "new\n")).then(Answer::text("Done."));
    let ran = run(&mut locked.0.asks(&serve(script), MODEL, &["-o", "json", "Write it again."]));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(fs::read_to_string(&file).unwrap(), "new\n");
    assert!(!locked.is_found(SECRET));
    let recovered = locked.run(&["recover", "--all", "--json"]).json();
    let folder = recovered["data_dir"].as_str().unwrap();
    assert!(recovered["sessions"][0]["results"].as_u64().unwrap() > 0, "{recovered}");
    assert!(!locked.is_found(SECRET), "the copy is encrypted, too");

    locked.with("other");
    let other = locked.run(&["undo", "last", "--files", "--data-dir", folder]);
    assert_says(&other.err, &["is encrypted with key", folder]);
    locked.with("one");
    locked.run(&["undo", "last", "--files", "--data-dir", folder]).done();
    assert_eq!(fs::read_to_string(&file).unwrap(), format!("{SECRET}\n"));
}

#[test]
fn a_key_that_cannot_be_had_is_an_error_before_anything_is_created() {
    let locked = Locked::new();
    let key = locked.file("one");
    fs::set_permissions(&key, fs::Permissions::from_mode(0o644)).unwrap();
    assert_says(&locked.run(&["sessions"]).failed(), &[key.to_str().unwrap(), "its mode 644", "chmod 600"]);
    fs::remove_file(&key).unwrap();
    assert_says(
        &locked.run(&["sessions"]).failed(),
        &[key.to_str().unwrap(), "encryption.key_file", "No such file"],
    );
    let command = format!("cat '{}'", locked.file("other").display());
    locked.without();
    locked.run(&["config", "set", "encryption.key_command", "echo locked >&2; exit 4"]).done();
    assert_says(&locked.run(&["sessions"]).failed(), &["encryption.key_command", "exit status: 4: locked"]);
    assert!(!locked.data().exists());
    locked.run(&["config", "set", "encryption.key_command", &command]).done();
    locked.turn();
    assert!(!locked.is_found(SECRET));
    let shown = locked.run(&["config", "key", "show"]).done();
    assert_says(&shown, &[&format!("The settings name key {} (", locked.id())]);

    // A project cannot name another key or run a command, whether it is trusted or not.
    fs::create_dir(locked.0.work().join(".throughline")).unwrap();
    let hostile = "[encryption]\nkey_command = \"touch ran; echo 1\"\n";
    fs::write(locked.0.work().join(".throughline/config.toml"), hostile).unwrap();
    let model = || serve(Script::new().then(Answer::text("Hi.")));
    assert_eq!(run(&mut locked.0.asks(&model(), MODEL, &["Hello."])).code, Some(0));
    locked.run(&["trust"]);
    let trusted = run(&mut locked.0.asks(&model(), MODEL, &["Hello."]));
    assert!(!locked.0.work().join("ran").exists(), "{trusted:?}");
    let set = locked.run(&["config", "set", "--project", "encryption.key_file", "/k"]);
    assert_says(&set.err, &["your own settings"]);
}

#[test]
fn a_key_is_made_in_a_new_folder_and_a_missing_one_is_not_set() {
    let place = Place::new();
    let folder = place.folder.path().join("keys/of mine");
    let (file, missing) = (folder.join("key"), folder.join("none"));
    run(&mut place.bare(&["config", "key", "new", file.to_str().unwrap()])).done();
    assert_eq!(fs::metadata(&folder).unwrap().permissions().mode() & 0o777, 0o700);
    let set = |file: &PathBuf| {
        run(&mut place.bare(&["config", "set", "encryption.key_file", file.to_str().unwrap()]))
    };
    assert_says(&set(&missing).failed(), &["could not be read from", "none"]);
    let unset = run(&mut place.bare(&["config", "key", "show"])).done();
    assert_says(&unset, &["The settings name no key"]);
    set(&file).done();
}
