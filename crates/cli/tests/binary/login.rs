//! `throughline login`: a key is stored for its owner alone, used without a variable, and deleted.

use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::process::Stdio;

use serde_json::json;
use throughline_testserver::{Answer, Script, Server};

use crate::permitted::results;
use crate::place::{Place, serve};
use crate::ran::{Ran, assert_says, run, run_with};

const RIGHT: &str = "sk-right-81c4d7-canary";

fn server() -> Server {
    serve(Script::new().key(RIGHT).then(Answer::text("Here I am.")).repeat_last())
}

/// `throughline` with these arguments where all providers are this server, and this input.
fn throughline(place: &Place, server: &Server, args: &[&str], input: &str) -> Ran {
    let file = place.folder.path().join("input");
    fs::write(&file, input).unwrap();
    let url = server.url();
    let mut command = place.bare(args);
    command.env("ANTHROPIC_BASE_URL", &url).env("OPENAI_BASE_URL", format!("{url}/v1"));
    run_with(&mut command, Stdio::from(File::open(file).unwrap()))
}

fn key_file(place: &Place, name: &str) -> PathBuf {
    place.folder.path().join(".config/throughline/keys").join(name)
}

#[test]
fn a_stored_key_is_private_and_is_used_without_a_variable() {
    let (place, server) = (Place::new(), server());
    let said = throughline(&place, &server, &["login", "anthropic"], &format!("{RIGHT}\n")).done();
    assert_says(&said, &["anthropic takes the key", "keys/anthropic", "Sessions use anthropic now"]);
    assert!(!said.contains("canary"), "{said}");
    let file = key_file(&place, "anthropic");
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    let ran = throughline(&place, &server, &["run", "Are you there?"], "");
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), "Here I am.\n"), "{ran:?}");
    let models = throughline(&place, &server, &["models"], "");
    assert!(models.out.contains("login") && !models.out.contains("canary"), "{models:?}");

    let said = throughline(&place, &server, &["logout", "anthropic"], "").done();
    assert_says(&said, &["Deleted the stored key of anthropic"]);
    assert!(!file.exists());
    assert_says(
        &throughline(&place, &server, &["logout", "anthropic"], "").failed(),
        &["no key of anthropic"],
    );
    assert_eq!(throughline(&place, &server, &["run", "Are you there?"], "").code, Some(3));
}

#[test]
fn a_refused_key_is_not_stored_and_an_older_one_stays() {
    let (place, server) = (Place::new(), server());
    throughline(&place, &server, &["login", "openai"], RIGHT).done();
    let said = throughline(&place, &server, &["login", "openai"], "sk-wrong-4711-canary").failed();
    assert_says(&said, &["not stored", "openai refuses this key"]);
    assert!(!said.contains("canary"), "{said}");
    for input in ["", "\n", "sk wrong\u{7}"] {
        let ran = throughline(&place, &server, &["login", "openai", "--no-check"], input);
        assert_eq!(ran.code, Some(1), "{ran:?}");
    }
    assert_eq!(fs::read_to_string(key_file(&place, "openai")).unwrap(), format!("{RIGHT}\n"));
}

#[test]
fn a_key_that_cannot_be_checked_is_stored_and_the_last_login_is_used() {
    let (place, server) = (Place::new(), server());
    let mut unreachable = place.bare(&["login", "anthropic"]);
    let input = place.folder.path().join("key");
    fs::write(&input, "sk-other-key").unwrap();
    unreachable.env("ANTHROPIC_BASE_URL", "http://127.0.0.1:9");
    let said = run_with(&mut unreachable, Stdio::from(File::open(&input).unwrap())).done();
    assert_says(&said, &["The key is not checked", "It is stored in"]);
    throughline(&place, &server, &["login", "openai", "--no-check"], RIGHT).done();
    let ran = throughline(&place, &server, &["run", "-o", "json", "Are you there?"], "");
    assert!(ran.code == Some(0) && ran.out.contains("openai"), "{ran:?}");
}

#[test]
fn a_key_of_a_server_goes_to_no_other_server() {
    let (place, own, other) = (Place::new(), server(), server());
    let address = format!("{}/v1", own.url());
    let said = throughline(&place, &own, &["login", &address], RIGHT).done();
    assert_says(&said, &["the first request shows", &format!("throughline --base-url {address} -m MODEL")]);
    let asks = |address: &str| {
        throughline(&place, &own, &["run", "--base-url", address, "-m", "house", "Are you there?"], "")
    };
    let ran = asks(&address);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), "Here I am.\n"), "{ran:?}");
    assert_eq!(asks(&format!("{}/v1", other.url())).code, Some(3));
    let sent = other.received().into_iter().flat_map(|request| request.headers);
    assert_eq!(sent.filter(|(_, value)| value.contains("canary")).count(), 0);
}

#[test]
fn others_are_wrong_usage() {
    let place = Place::new();
    for (name, says) in [("antropic", "no provider"), ("ollama", "takes no key"), ("ftp://x", "https://")] {
        assert_says(&run(&mut place.bare(&["login", name])).misused(), &[says]);
    }
    assert_says(&run(&mut place.bare(&["login"])).misused(), &["throughline login PROVIDER"]);
    assert!(!place.folder.path().join(".config").exists(), "nothing was created");
}

#[test]
fn a_command_of_the_model_cannot_read_a_stored_key() {
    let place = Place::new();
    let read = "cat ~/.config/throughline/keys/*; ls ~/.config/throughline/keys; echo end";
    let script = Script::new().key(RIGHT).then(Answer::call("c1", "shell", json!({ "command": read })));
    let server = serve(script.then(Answer::text("Done.")));
    throughline(&place, &server, &["login", "anthropic", "--no-check"], RIGHT).done();
    let ran = throughline(&place, &server, &["run", "Go."], "");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let read = results(&server);
    assert!(read.contains("end") && !read.contains("canary"), "{read}");
}
