//! `throughline doctor`: each thing with its state, and a fix for what does not work.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use serde_json::Value;
use throughline_testserver::{Answer, Script};

use crate::place::{KEY, Place, serve};
use crate::ran::{assert_says, run};

/// The findings of an area, from the whole object.
fn of<'o>(object: &'o Value, area: &str) -> Vec<&'o Value> {
    object["findings"].as_array().unwrap().iter().filter(|one| one["area"] == area).collect()
}

#[test]
fn without_a_model_there_is_one_problem_with_its_fix_and_nothing_is_created() {
    let place = Place::new();
    let ran = run(&mut place.bare(&["doctor"]));
    assert_eq!((ran.code, ran.err.as_str()), (Some(1), ""), "{ran:?}");
    assert_says(
        &ran.out,
        &[
            "FAIL  model",
            "no model is configured",
            "fix: run `throughline login`, set ANTHROPIC_API_KEY",
            "1 problem found.",
        ],
    );
    assert!(!place.folder.path().join(".local").exists(), "nothing was created");
}

#[test]
fn a_server_that_answers_is_good_and_the_database_is_counted() {
    let script = Script::new().then(Answer::text("Hello."));
    let (server, place) = (serve(script.repeat_last()), Place::new());
    let mut demo = place.bare(&["run", "--provider", "compatible", "--model", "house", "--base-url"]);
    let ran = run(demo.arg(server.url()).arg("Hello.").env("OPENAI_API_KEY", KEY));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let mut command = place.bare(&["doctor", "--json", "--provider", "compatible", "--model", "house"]);
    let ran = run(command.args(["--base-url", &server.url()]).env("OPENAI_API_KEY", KEY));
    let object: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((ran.code, object["problems"].as_u64()), (Some(0), Some(0)), "{ran:?}");
    assert_says(of(&object, "model")[0]["text"].as_str().unwrap(), &["compatible/house", "a window of"]);
    assert_says(of(&object, "database")[0]["text"].as_str().unwrap(), &["1 session, no damage found"]);
    assert!(!ran.out.contains(KEY), "a key is never shown");
}

#[test]
fn what_is_wrong_is_named_with_its_place() {
    let place = Place::new();
    let folder = place.folder.path().join(".local/share/throughline");
    fs::create_dir_all(&folder).unwrap();
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).unwrap();
    fs::write(folder.join("throughline.db"), b"no database at all, but as long as one needs to be").unwrap();
    let ran = run(&mut place.bare(&["doctor", "--offline"]));
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert_says(&ran.out, &["note  data folder", "open to other users", "chmod 700", "FAIL  database"]);

    fs::create_dir_all(place.folder.path().join(".config/throughline")).unwrap();
    fs::write(place.folder.path().join(".config/throughline/config.toml"), "[tools]\nsandbox = 3\n").unwrap();
    let ran = run(&mut place.bare(&["doctor", "--offline"]));
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert_says(&ran.out, &["FAIL  settings", "config.toml", "sandbox", "throughline config path"]);
}

#[test]
fn what_would_make_every_run_fail_is_a_problem() {
    let check = |file: &str, text: &str, says: &[&str]| {
        let place = Place::new();
        let folder = place.folder.path().join(".config/throughline");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join(file), text).unwrap();
        let ran = run(&mut place.bare(&["doctor", "--offline"]));
        assert_eq!(ran.code, Some(1), "{ran:?}");
        assert_says(&ran.out, says);
        if file == "config.toml" {
            assert_says(&run(&mut place.bare(&["config", "show"])).misused(), &[file]);
        }
    };
    let place = "config.toml";
    check(place, "[permissions]\nallow = [\"shell(\"]\n", &["FAIL  settings", "allow rule", "config.toml:2"]);
    check(place, "[search]\nurl = \"localhost\"\n", &["FAIL  settings", "line 2, `search.url`"]);
    check(place, "[fetch]\nallow = [\"*\"]\n", &["FAIL  settings", "line 2, `fetch.allow`"]);
    check("hooks.json", "{\"hooks\": {\"PreTool\": []}}", &["FAIL  settings", "hooks.json", "PreTool"]);
    check("models.toml", "[[model]]\nname = 3\n", &["FAIL  model", "models.toml"]);
}

#[test]
fn a_setting_without_effect_is_named() {
    let place = Place::new();
    let folder = place.folder.path().join(".config/throughline");
    fs::create_dir_all(&folder).unwrap();
    let text = "[agent]\npolicy = \"dex\"\neconomy = \"lean\"\n[truncation]\nolder_chars = 9\n[model]\n\
                provider = \"anthropic\"\napi = \"chat\"\n[tools]\nwritable = [\"/nosuch/folder\", \"/\"]\n";
    fs::write(folder.join("config.toml"), text).unwrap();
    let ran = run(&mut place.bare(&["doctor", "--offline"]));
    assert_says(
        &ran.out,
        &[
            "note  settings",
            "agent.economy = \"lean\" (",
            "has no effect in sessions of policy dex",
            "truncation.older_chars = 9",
            "model.api = \"chat\"",
            "\"/nosuch/folder\" (",
            "has no effect: it does not exist",
            "lets commands write in every folder",
        ],
    );
}
