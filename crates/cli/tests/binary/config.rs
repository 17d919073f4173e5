//! `throughline config`: what holds, where it was written, and what a project is not given.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use crate::place::{KEY, Place};
use crate::ran::{assert_says, run};

fn write(place: &Place, file: &str, text: &str) {
    let path = place.folder.path().join(file);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

#[test]
fn it_shows_what_holds_and_where_it_was_written() {
    let place = Place::new();
    let nothing = run(&mut place.bare(&["config", "show", "--origin"])).done();
    assert_says(&nothing, &["agent.policy", "(throughline)", "default", "/work: not trusted"]);
    write(
        &place,
        ".config/throughline/config.json",
        "{\"context_warn_pct\": 70, \"context_compact_pct\": 85}",
    );
    write(&place, ".config/throughline/config.toml", "[agent]\npolicy = \"dex\"\ncontext_warn_pct = 60\n");
    write(&place, "work/.throughline/config.toml", "[agent]\nstrict = true\n");
    let shown =
        run(place.bare(&["config", "show", "--origin"]).env("THROUGHLINE_AGENT_HARD_BLOCK", "0.97")).done();
    let line = |key: &str| {
        let line =
            shown.lines().find(|line| line.starts_with(key)).unwrap_or_else(|| panic!("{key}: {shown}"));
        line.split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
            .replace(&place.folder.path().display().to_string(), "~")
    };
    assert_eq!(line("agent.policy"), "agent.policy \"dex\" ~/.config/throughline/config.toml:2:1");
    assert_eq!(line("agent.warn_at"), "agent.warn_at \"60%window\" ~/.config/throughline/config.toml:3:1");
    assert_eq!(
        line("agent.compact_at"),
        "agent.compact_at \"85%window\" ~/.config/throughline/config.json:1:26"
    );
    assert_eq!(line("agent.strict"), "agent.strict true ~/work/.throughline/config.toml:2:1");
    assert_eq!(line("agent.block_at"), "agent.block_at \"97%effective\" $THROUGHLINE_AGENT_HARD_BLOCK");
    let json = run(&mut place.bare(&["config", "show", "--json"])).json();
    assert_eq!(json["settings"]["agent.policy"]["value"], "\"dex\"");
    assert_eq!(json["settings"]["agent.block_at"]["set"], false);
    assert!(!place.folder.path().join(".local").exists(), "looking makes no data folder");
}

#[test]
fn it_names_the_files() {
    let place = Place::new();
    write(&place, "work/.mcp.json", "{}");
    let paths = run(&mut place.bare(&["config", "path"])).done();
    let expected =
        ["config.json (missing)", "config.toml (missing)", "models.toml (missing)", "/work/.mcp.json\n"];
    assert_says(&paths, &expected);
}

#[test]
fn another_file_replaces_the_users_own() {
    let place = Place::new();
    write(&place, ".config/throughline/config.toml", "[agent]\npolicy = \"dex\"\n");
    write(&place, "other.json", "{\"policy\": \"vibe\"}");
    let shown = run(&mut place.bare(&["config", "show", "--config", "../other.json"])).done();
    assert_says(&shown, &["\"vibe\""]);
    let missing = run(&mut place.bare(&["config", "show", "--config", "nowhere.toml"])).misused();
    assert_says(&missing, &["cannot read the settings in nowhere.toml"]);
}

#[test]
fn a_secret_is_never_shown() {
    let place = Place::new();
    let text = format!(
        "[model]\nprovider = \"compatible\"\nbase_url = \"https://example.com/v1\"\n\
         headers = {{ Authorization = \"Bearer {KEY}\" }}\n[mcp.servers.a]\ncommand = \"x\"\nargs = [\"{KEY}\"]\n\
         env = {{ TOKEN = \"{KEY}\" }}\n[mcp.servers.b]\nurl = \"https://{KEY}@example.com/?{KEY}\"\n"
    );
    write(&place, ".config/throughline/config.toml", &text);
    for args in [&["config", "show", "--origin"][..], &["config", "show", "--json"]] {
        let shown = run(&mut place.bare(args)).done();
        assert!(!shown.contains(KEY), "{shown}");
        assert_says(&shown, &["https://example.com/v1", "Authorization", "TOKEN", "runs"]);
    }
}

#[test]
fn a_wrong_setting_is_named_with_its_place() {
    for (file, text, says) in [
        (".config/throughline/config.json", "{\"context_warn\": 1}", "config.json, line 1, `context_warn`"),
        (
            ".config/throughline/config.toml",
            "[permissions]\nmode = \"auto\"",
            "line 2, `mode`: \"auto\" is not one of plan",
        ),
    ] {
        let place = Place::new();
        write(&place, file, text);
        assert_says(&run(&mut place.bare(&["config", "show"])).misused(), &[says]);
    }
    let place = Place::new();
    let mut wrong = place.bare(&["config", "show"]);
    let said = run(wrong.env("THROUGHLINE_PERMISSIONS_MOD", "yolo")).misused();
    assert_says(&said, &["THROUGHLINE_PERMISSIONS_MOD", "did you mean THROUGHLINE_PERMISSIONS_MODE?"]);
}

#[test]
fn a_projects_file_that_cannot_be_read_is_named_and_ignored() {
    let place = Place::new();
    write(&place, "work/.throughline/config.toml", "[agent]\npolcy = 1\n");
    let shown = run(&mut place.bare(&["config", "show"])).done();
    assert_says(&shown, &["work/.throughline/config.toml, line 2, `polcy`"]);
    fs::remove_dir_all(place.work().join(".throughline")).unwrap();
    let folder = place.work().join(".throughline");
    fs::create_dir(&folder).unwrap();
    let file = folder.join("config.toml");
    std::os::unix::fs::symlink("/etc/passwd", &file).unwrap();
    assert_says(&run(&mut place.bare(&["config", "show"])).done(), &["leads out of the project"]);
    fs::remove_file(&file).unwrap();
    nix_fifo(&file);
    assert_says(&run(&mut place.bare(&["config", "show"])).done(), &["is no file"]);
    fs::remove_file(&file).unwrap();
    fs::File::create(&file).unwrap().set_len(1 << 40).unwrap();
    assert_says(&run(&mut place.bare(&["config", "show"])).done(), &["is larger than"]);
}

#[test]
fn a_set_key_takes_effect_and_leaves_the_rest_of_the_file() {
    let place = Place::new();
    let fresh = run(&mut place.bare(&["config", "set", "agent.policy", "dex"])).done();
    assert_says(&fresh, &["Set agent.policy in ", ".config/throughline/config.toml."]);
    let file = place.folder.path().join(".config/throughline/config.toml");
    let mode = |file: &std::path::Path| fs::metadata(file).unwrap().permissions().mode() & 0o777;
    assert_eq!(
        (fs::read_to_string(&file).unwrap().as_str(), mode(&file)),
        ("[agent]\npolicy = \"dex\"\n", 0o600)
    );
    // A settings file is often a link into a folder under version control.
    let real = place.folder.path().join("dotfiles.toml");
    fs::write(
        &real,
        "# mine\n[model] # whose\nprovider = \"openai\" # for now\n\n# at most\n[limits]\ncost = 5\n",
    )
    .unwrap();
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
    fs::remove_file(&file).unwrap();
    std::os::unix::fs::symlink(&real, &file).unwrap();
    run(&mut place.bare(&["config", "set", "model.provider", "anthropic"])).done();
    run(&mut place.bare(&["config", "set", "permissions.deny", "[\"shell(rm *)\", \"read(.env)\"]"])).done();
    assert!(file.is_symlink());
    assert_eq!(mode(&real), 0o640);
    assert_eq!(
        fs::read_to_string(&real).unwrap(),
        "# mine\n[model] # whose\nprovider = \"anthropic\" # for now\n\n# at most\n[limits]\ncost = 5\n\n\
         [permissions]\ndeny = [\"shell(rm *)\", \"read(.env)\"]\n"
    );
    let got = run(&mut place.bare(&["config", "get", "model.provider"])).done();
    assert_says(&got, &["SETTING", "model.provider", "\"anthropic\"", "config.toml:3:1"]);
    assert!(!got.contains("limits.cost"), "{got}");
    let json = run(&mut place.bare(&["config", "get", "limits.cost", "--json"])).json();
    assert_eq!((json["value"].as_str(), json["set"].as_bool()), (Some("\"5 USD\""), Some(true)));
    let mut beaten = place.bare(&["config", "set", "agent.policy", "vibe"]);
    let said = run(beaten.env("THROUGHLINE_AGENT_POLICY", "slop")).done();
    assert_says(&said, &["Here $THROUGHLINE_AGENT_POLICY sets it to \"slop\", and that wins."]);
    assert_says(
        &run(&mut place.bare(&["config", "unset", "limits.cost"])).done(),
        &["Removed limits.cost from "],
    );
    assert_says(
        &run(&mut place.bare(&["config", "unset", "limits.cost"])).done(),
        &["limits.cost is not set in "],
    );
    assert_says(&run(&mut place.bare(&["config", "get", "limits.cost"])).done(), &["(no limit)", "default"]);
}

#[test]
fn a_set_that_cannot_hold_changes_nothing() {
    let place = Place::new();
    let file = place.folder.path().join(".config/throughline/config.toml");
    for (args, says) in [
        (["agent.polcy", "dex"], "`agent.polcy`: unknown key; did you mean `agent.policy`?"),
        (["sandbox", "false"], "did you mean `tools.sandbox`?"),
        (["agent.hard_block", "2"], "write a fraction above 0 and at most 1"),
        (["model.headers", "x"], "write it into the file yourself"),
        (["model.base_url", "http://127.0.0.1:1"], "so name its provider too: `provider` in [model]"),
        (["permissions.deny", "[\"shell(git push *\"]"], "the closing parenthesis is missing"),
        (["permissions.allow", "[\"bash(git push *)\"]"], "the tool is named \"shell\" here"),
        (["fetch.allow", "[\"http://a/b\"]"], "http://a/b"),
        (["storage.database", "foo"], "storage.database cannot be used"),
        (["storage.blobs", "foo"], "write s3://bucket/prefix or file:///folder"),
    ] {
        assert_says(&run(&mut place.bare(&["config", "set", args[0], args[1]])).misused(), &[says]);
        assert!(!file.parent().unwrap().exists(), "{says}");
    }
    let of_provider = "[model]\nprovider = \"anthropic\"\n";
    write(&place, ".config/throughline/config.toml", of_provider);
    let said = run(&mut place.bare(&["config", "set", "model.base_url", "foo"])).misused();
    assert_says(&said, &["config.toml, line 3, `model.base_url`", "write it as `https://host`"]);
    assert_eq!(fs::read_to_string(&file).unwrap(), of_provider);
    let broken = "[agent]\npolicy = \n";
    write(&place, ".config/throughline/config.toml", broken);
    let said = run(&mut place.bare(&["config", "set", "agent.strict", "true"])).misused();
    assert_says(&said, &["config.toml, line 2, `policy`"]);
    assert_eq!(fs::read_to_string(&file).unwrap(), broken);
    // A key that is no setting is removed, also where another one is wrong.
    write(&place, ".config/throughline/config.toml", "[agent]\npolcy = \"dx\"\nstrct = 1\nstrict = true\n");
    assert_says(&run(&mut place.bare(&["config", "unset", "agent.polcy"])).done(), &["Removed agent.polcy"]);
    run(&mut place.bare(&["config", "unset", "agent.strct"])).done();
    assert_eq!(fs::read_to_string(&file).unwrap(), "[agent]\nstrict = true\n");
    run(&mut place.bare(&["config", "set", "agent.warn_at", "-20000"])).done();
    // A wrong value is replaced: that is its fix.
    write(&place, ".config/throughline/config.toml", "[agent]\npolicy = \"dx\"\n");
    run(&mut place.bare(&["config", "set", "agent.policy", "dex"])).done();
    assert_says(
        &run(&mut place.bare(&["config", "get", "agent.polic"])).misused(),
        &["did you mean `agent.policy`?"],
    );
}

#[test]
fn a_projects_file_is_changed_inside_the_project_and_asks_for_trust_again() {
    let place = Place::new();
    let said =
        run(&mut place.bare(&["config", "set", "permissions.allow", "shell(ls *)", "--project"])).done();
    assert_says(&said, &["work/.throughline/config.toml", "ignored until you trust this project"]);
    let got = run(&mut place.bare(&["config", "get", "permissions.allow"])).done();
    assert_says(
        &got,
        &["([])", "Ignored until you trust this project (throughline trust): permissions.allow"],
    );
    run(&mut place.bare(&["trust"])).done();
    let said = run(&mut place.bare(&["config", "set", "agent.strict", "true", "--project"])).done();
    assert_says(&said, &["The project is not trusted any more, because its file has changed"]);
    let file = place.work().join(".throughline/config.toml");
    assert_eq!(
        fs::read_to_string(&file).unwrap(),
        "[permissions]\nallow = [\"shell(ls *)\"]\n\n[agent]\nstrict = true\n"
    );
    fs::remove_dir_all(place.work().join(".throughline")).unwrap();
    let elsewhere = place.folder.path().join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    std::os::unix::fs::symlink(&elsewhere, place.work().join(".throughline")).unwrap();
    let said = run(&mut place.bare(&["config", "set", "agent.strict", "true", "--project"])).failed();
    assert_says(&said, &["leads out of the project"]);
    assert_eq!(fs::read_dir(&elsewhere).unwrap().count(), 0);
}

fn nix_fifo(path: &std::path::Path) {
    assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
}
