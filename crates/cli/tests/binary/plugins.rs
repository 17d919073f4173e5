//! `throughline plugin`, and sessions with plugins.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use throughline_testserver::{Answer, Script};

use crate::permitted::{MODEL, results};
use crate::place::{Place, serve};
use crate::ran::{Ran, assert_says, run};

/// Writes a file below a folder, with its folders.
fn write(root: &Path, name: &str, text: &str) {
    let path = root.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// A script below a folder.
fn script(root: &Path, name: &str, text: &str) {
    write(root, name, &format!("#!/bin/sh\n{text}\n"));
    fs::set_permissions(root.join(name), fs::Permissions::from_mode(0o755)).unwrap();
}

/// A marketplace with a plugin that has one part of each kind.
fn shop(place: &Place) -> PathBuf {
    let root = place.folder.path().join("shop");
    let list = json!({ "name": "shop", "owner": { "name": "A. Person" }, "plugins": [
        { "name": "full", "source": "./full", "description": "One of each kind" },
        { "name": "outside", "source": "../outside" },
        { "name": "package", "source": { "source": "npm", "package": "x" } },
    ] });
    write(&root, ".claude-plugin/marketplace.json", &list.to_string());
    let full = root.join("full");
    write(
        &full,
        ".claude-plugin/plugin.json",
        r#"{ "name": "full", "version": "1.0.0", "description": "d" }"#,
    );
    write(
        &full,
        "commands/ship.md",
        "---\ndescription: Ships it\n---\nShip $1 by ${CLAUDE_PLUGIN_ROOT}/ship.sh.\n",
    );
    write(
        &full,
        "agents/judge.md",
        "---\nname: judge\ndescription: Judges a change\ntools: [Read]\n---\nYou judge.\n",
    );
    write(
        &full,
        "skills/deploy/SKILL.md",
        "---\nname: deploy\ndescription: How to deploy\n---\nPush the button.\n",
    );
    let start =
        json!([{ "hooks": [{ "type": "command", "command": "\"${CLAUDE_PLUGIN_ROOT}/start.sh\"" }] }]);
    write(&full, "hooks/hooks.json", &json!({ "hooks": { "SessionStart": start } }).to_string());
    script(&full, "start.sh", "echo started from ${CLAUDE_PLUGIN_ROOT##*/installed/}");
    let server = json!({ "own": { "command": "${CLAUDE_PLUGIN_ROOT}/server.sh", "args": ["mcp"] } });
    write(&full, ".mcp.json", &server.to_string());
    let program = env!("CARGO_BIN_EXE_throughline");
    script(
        &full,
        "server.sh",
        &format!("echo $CLAUDE_PLUGIN_ROOT > \"$HOME/server-root\"\nexec {program} \"$@\""),
    );
    root
}

fn plugin(place: &Place, args: &[&str]) -> Ran {
    run(&mut place.bare(&[&["plugin"], args].concat()))
}

/// A place in which the plugin is installed from a folder.
fn installed() -> (Place, PathBuf) {
    let place = Place::new();
    let shop = shop(&place);
    plugin(&place, &["marketplace", "add", shop.to_str().unwrap()]).done();
    plugin(&place, &["install", "full", "--yes"]).done();
    (place, shop)
}

/// The folder of the installed copy.
fn copy(place: &Place) -> PathBuf {
    let listed = plugin(place, &["list", "--json"]).json();
    PathBuf::from(listed[0]["folder"].as_str().unwrap())
}

fn git(folder: &Path, arguments: &[&str]) {
    let identity = ["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "init.defaultBranch=main"];
    let ran = Command::new("git").arg("-C").arg(folder).args(identity).args(arguments).output().unwrap();
    assert!(ran.status.success(), "{ran:?}");
}

#[test]
fn a_plugin_of_a_folder_is_installed_listed_switched_and_removed() {
    let place = Place::new();
    let shop = shop(&place);
    assert_says(&plugin(&place, &["marketplace", "list"]).done(), &["No marketplaces"]);
    let added = plugin(&place, &["marketplace", "add", shop.to_str().unwrap()]).done();
    assert_says(&added, &["Added the marketplace shop (3 plugins)", "plugin install PLUGIN@shop"]);
    let listed = plugin(&place, &["marketplace", "list"]).done();
    assert_says(&listed, &["MARKETPLACE", "full@shop  One of each kind"]);
    // Without a terminal nothing is installed unasked, and what it would run is shown.
    let asked = plugin(&place, &["install", "full@shop"]);
    assert_eq!(asked.code, Some(1), "{asked:?}");
    assert_says(
        &asked.err,
        &[
            "the hook SessionStart (plugin full: hooks/hooks.json): it runs `\"${CLAUDE_PLUGIN_ROOT}/start.sh\"`",
            "the MCP server \"own\" (plugin full: .mcp.json): it runs `${CLAUDE_PLUGIN_ROOT}/server.sh mcp`",
            "full was not installed",
            "--yes",
        ],
    );
    assert_says(&plugin(&place, &["list"]).done(), &["No plugins."]);
    let said = plugin(&place, &["install", "full", "--yes"]).done();
    assert_says(&said, &["It would run, with your rights:", "Installed the plugin full 1.0.0"]);
    let listed = plugin(&place, &["list"]).done();
    expect_test::expect![[r"
        full  1.0.0  enabled  from shop
          commands    /full:ship
          sub-agents  full:judge
          skills      full:deploy
          hooks       1 at SessionStart
          servers     plugin_full_own
    "]]
    .assert_eq(&listed);
    let object = plugin(&place, &["list", "--json"]).json()[0].clone();
    assert_eq!((&object["state"], &object["hooks"]), (&json!("enabled"), &json!(1)));
    let root = copy(&place);
    assert!(
        root.starts_with(place.folder.path().canonicalize().unwrap().join(".config/throughline/plugins"))
    );
    assert_says(&run(&mut place.bare(&["mcp", "list"])).done(), &["plugin full", "plugin_full_own"]);
    assert_says(
        &plugin(&place, &["disable", "full"]).done(),
        &["full is disabled, from the next session on"],
    );
    assert_says(&plugin(&place, &["list"]).done(), &["full  1.0.0  disabled"]);
    plugin(&place, &["enable", "full"]).done();
    assert_says(&plugin(&place, &["update"]).done(), &["full 1.0.0 is up to date."]);
    let market = plugin(&place, &["marketplace", "remove", "shop"]).done();
    assert_says(&market, &["stay installed, without updates: full"]);
    assert_says(&plugin(&place, &["update", "full"]).misused(), &["there is no marketplace \"shop\""]);
    assert_says(&plugin(&place, &["remove", "full"]).done(), &["Removed the plugin full."]);
    assert!(!root.exists());
}

#[test]
fn wrong_usage_says_what_would_be_right() {
    let (place, shop) = installed();
    for (words, says) in [
        (&["install", "ful"][..], "did you mean full?"),
        (&["install", "full@nowhere"], "there is no marketplace \"nowhere\""),
        (&["install", "full"], "is installed already"),
        (&["enable", "nothing"], "no plugin \"nothing\" is installed; there are: full"),
        (&["remove", "nothing"], "is installed"),
        (&["marketplace", "remove", "sho"], "did you mean shop?"),
        (&["marketplace", "add", "no-such-place"], "OWNER/REPO"),
        (&["marketplace", "add", "https://me:canary@example.com/x"], "has a password"),
        (&["--data-dir", "x", "list"], "--data-dir"),
        (&[], "Usage"),
    ] {
        let said = plugin(&place, words).misused();
        assert!(said.contains(says) && !said.contains("canary"), "{said}");
    }
    let other = place.folder.path().join("other");
    write(&other, ".claude-plugin/marketplace.json", r#"{ "name": "shop", "plugins": [] }"#);
    let said = plugin(&place, &["marketplace", "add", other.to_str().unwrap()]).misused();
    assert_says(&said, &["a marketplace shop is known already, from", "plugin marketplace remove shop"]);
    write(&other, ".claude-plugin/marketplace.json", "{");
    let said = plugin(&place, &["marketplace", "add", other.to_str().unwrap()]).failed();
    assert_says(&said, &["other/.claude-plugin/marketplace.json: no JSON"]);
    fs::remove_dir_all(shop).unwrap();
    assert_says(&plugin(&place, &["marketplace", "list"]).done(), &["cannot read the marketplace in"]);
}

#[test]
fn a_plugin_of_a_repository_follows_its_commits() {
    let place = Place::new();
    let shop = shop(&place);
    git(&shop, &["init", "-q"]);
    git(&shop, &["add", "-A"]);
    git(&shop, &["commit", "-qm", "one"]);
    let url = format!("file://{}", shop.display());
    plugin(&place, &["marketplace", "add", &url]).done();
    plugin(&place, &["install", "full", "--yes"]).done();
    let first = copy(&place);
    write(&shop, "full/.claude-plugin/plugin.json", r#"{ "name": "full", "version": "1.1.0" }"#);
    git(&shop, &["commit", "-qam", "two"]);
    // Nothing that runs has changed, so nothing is asked.
    let said = plugin(&place, &["update", "full"]).done();
    assert_says(&said, &["Updated full: 1.0.0 → 1.1.0, from the next session on."]);
    let second = copy(&place);
    assert!(first.exists() && second.exists() && first != second, "open sessions have the old copy");
    plugin(&place, &["disable", "full"]).done();
    script(&shop.join("full"), "start.sh", "echo changed");
    git(&shop, &["commit", "-qam", "three"]);
    let asked = plugin(&place, &["update"]);
    assert_eq!(asked.code, Some(1), "{asked:?}");
    assert_says(&asked.err, &["it runs `\"${CLAUDE_PLUGIN_ROOT}/start.sh\"`", "--yes"]);
    assert_eq!(copy(&place), second);
    plugin(&place, &["update", "--yes"]).done();
    let listed = plugin(&place, &["list", "--json"]).json()[0].clone();
    assert_eq!(listed["state"], "disabled", "an update does not enable");
    let third = PathBuf::from(listed["folder"].as_str().unwrap());
    assert_says(&fs::read_to_string(third.join("start.sh")).unwrap(), &["echo changed"]);
    assert!(!first.exists() && second.exists());
    let updated = plugin(&place, &["marketplace", "update", "shop"]).done();
    assert_says(&updated, &["shop: 3 plugins, at "]);
    fs::remove_dir_all(&shop).unwrap();
    assert_says(
        &plugin(&place, &["marketplace", "update"]).failed(),
        &["shop is not updated: cannot clone file://"],
    );
    plugin(&place, &["marketplace", "remove", "shop"]).done();
    assert!(!place.folder.path().join(".config/throughline/plugins/marketplaces/shop").exists());
}

#[test]
fn what_leads_out_of_a_plugin_is_refused() {
    let place = Place::new();
    let shop = shop(&place);
    write(place.folder.path(), "outside/.claude-plugin/plugin.json", r#"{ "name": "outside" }"#);
    write(place.folder.path(), "secret.md", "canary");
    symlink("../../secret.md", shop.join("full/commands.md")).unwrap();
    plugin(&place, &["marketplace", "add", shop.to_str().unwrap()]).done();
    for (name, says) in [
        ("outside", "the path \"../outside\" has `..`, which leads out of its folder"),
        ("full", "full/commands.md is a link to ../../secret.md, which leads out of the plugin"),
        ("package", "its source \"npm\" is not supported"),
    ] {
        assert_says(&plugin(&place, &["install", name, "--yes"]).failed(), &[says]);
    }
    fs::remove_file(shop.join("full/commands.md")).unwrap();
    let manifest = r#"{ "name": "full", "commands": "../../secret.md", "hooks": "/etc/hosts" }"#;
    write(&shop, "full/.claude-plugin/plugin.json", manifest);
    let said = plugin(&place, &["install", "full", "--yes"]).done();
    assert_says(&said, &["\"../../secret.md\" has `..`", "\"/etc/hosts\" is absolute"]);
    assert!(!said.contains("canary"));
    assert_says(&plugin(&place, &["list"]).done(), &["Not used as written:", "such as ./commands"]);
}

#[test]
fn a_session_has_every_part_of_a_plugin() {
    let (place, _) = installed();
    let script = Script::new()
        .then(Answer::call(
            "c1",
            "agent",
            json!({ "agent": "full:judge", "title": "Judge", "prompt": "Judge it." }),
        ))
        .then(Answer::text("It is good."))
        .then(Answer::call("c2", "use_skill", json!({ "name": "full:deploy" })))
        .then(Answer::call("c3", "mcp__plugin_full_own__search_history", json!({ "query": "kestrel" })))
        .then(Answer::text("Done."));
    let server = serve(script);
    let allowed = ["--allow", "mcp__plugin_full_own__search_history", "/full:ship it"];
    let ran = run(&mut place.asks(&server, MODEL, &allowed));
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), "Done.\n"), "{ran:?}");
    let root = copy(&place).display().to_string();
    let received = server.received();
    let asked = received.iter().filter(|one| !one.body.is_null());
    let bodies: Vec<String> = asked.map(|one| one.body.to_string()).collect();
    let name = root.rsplit("/installed/").next().unwrap();
    assert_says(
        &bodies[0],
        &[
            &format!("Ship it by {root}/ship.sh."),
            "full:judge: Judges a change",
            "full:deploy: How to deploy",
            "mcp__plugin_full_own__search_history",
            &format!("<hook event=\\\"SessionStart\\\">\\nstarted from {name}\\n</hook>"),
        ],
    );
    assert_says(&bodies[1], &["You judge.", "Judge it."]);
    let child: Value = serde_json::from_str(&bodies[1]).unwrap();
    let tools: Vec<&str> =
        child["tools"].as_array().unwrap().iter().filter_map(|tool| tool["name"].as_str()).collect();
    assert!(
        tools.contains(&"read_file") && !tools.contains(&"write_file") && !tools.contains(&"agent"),
        "{tools:?}"
    );
    assert_says(&results(&server), &["Push the button.", "It is good."]);
    assert_eq!(fs::read_to_string(place.folder.path().join("server-root")).unwrap().trim(), root);
    // The short name is free, so it works, too.
    let server = serve(Script::new().then(Answer::text("Shipped.")));
    let ran = run(&mut place.asks(&server, MODEL, &["/ship both now"]));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_says(&server.received()[0].body.to_string(), &["Ship both by "]);
    plugin(&place, &["disable", "full"]).done();
    let server = serve(Script::new().then(Answer::text("Nothing.")));
    let ran = run(&mut place.asks(&server, MODEL, &["Go."]));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let body = server.received()[0].body.to_string();
    assert!(
        !body.contains("full:") && !body.contains("plugin_full") && !body.contains("started from"),
        "{body}"
    );
    let unknown = run(&mut place.asks(&server, MODEL, &["/full:ship it"]));
    assert_says(&unknown.misused(), &["there is no command /full:ship"]);
}

#[test]
fn a_broken_plugin_is_a_notice_and_the_session_works() {
    let (place, _) = installed();
    let root = copy(&place);
    fs::write(root.join(".claude-plugin/plugin.json"), "{ broken").unwrap();
    let server = serve(Script::new().then(Answer::text("Fine.")));
    let ran = run(&mut place.asks(&server, MODEL, &["Go."]));
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), "Fine.\n"), "{ran:?}");
    let says = [
        "plugin full is not used:",
        "plugin.json: no JSON",
        "`throughline plugin update full` copies it again",
    ];
    assert_says(&ran.err, &says);
    assert_says(&plugin(&place, &["list"]).done(), &["full  1.0.0  broken", "no JSON"]);
    plugin(&place, &["update", "full"]).done();
    assert_says(&plugin(&place, &["list"]).done(), &["full  1.0.0  enabled", "/full:ship"]);
    // Parts that cannot be used are named, and the others work.
    fs::write(root.join("hooks/hooks.json"), r#"{ "hooks": { "Stop": 1 } }"#).unwrap();
    fs::write(root.join(".mcp.json"), r#"{ "own": { "type": "sse", "url": "https://example.com" } }"#)
        .unwrap();
    fs::write(root.join("skills/deploy/SKILL.md"), "no front matter").unwrap();
    let server = serve(Script::new().then(Answer::text("Fine.")));
    let ran = run(&mut place.asks(&server, MODEL, &["/full:ship it"]));
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), "Fine.\n"), "{ran:?}");
    assert_says(
        &ran.err,
        &[
            "not used: plugin full: hooks/hooks.json: hooks.Stop: a list is expected",
            "plugin full: .mcp.json: MCP server \"own\" is ignored",
            "plugin full: skills/deploy/SKILL.md: it has no front matter",
        ],
    );
    // A registry that cannot be read stops no session.
    fs::write(place.folder.path().join(".config/throughline/plugins/registry.json"), "{").unwrap();
    let server = serve(Script::new().then(Answer::text("Fine.")));
    let ran = run(&mut place.asks(&server, MODEL, &["Go."]));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_says(&ran.err, &["plugins are not used:", "registry.json is damaged"]);
}
