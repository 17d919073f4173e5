//! `throughline mcp add`, `list` and `remove`: the servers that the model may use.

use std::fs;

use serde_json::json;
use throughline_testserver::{Answer, Script};

use crate::place::{Place, serve};
use crate::ran::{assert_says, run};

#[test]
fn servers_are_added_listed_and_removed_and_the_rest_of_the_file_stays() {
    let place = Place::new();
    let folder = place.folder.path().join(".config/throughline");
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join("config.toml");
    fs::write(&file, "# mine\n[agent]\npolicy = \"dex\" # for now\n").unwrap();
    assert_says(&run(&mut place.bare(&["mcp", "list"])).done(), &["No MCP servers in the settings"]);
    let said =
        run(&mut place.bare(&["mcp", "add", "--env", "TOKEN", "files", "npx", "-y", "files", "--all"]));
    assert_says(&said.done(), &["Added the MCP server files to", "config.toml"]);
    let header = "Authorization: Bearer ${DOCS_TOKEN}";
    run(&mut place.bare(&["mcp", "add", "--header", header, "docs", "https://docs.example.com/mcp"])).done();
    expect_test::expect![[r#"
        # mine
        [agent]
        policy = "dex" # for now

        [mcp.servers.files]
        command = "npx"
        args = ["-y", "files", "--all"]
        env = { TOKEN = "${TOKEN}" }

        [mcp.servers.docs]
        url = "https://docs.example.com/mcp"
        headers = { Authorization = "Bearer ${DOCS_TOKEN}" }
    "#]]
    .assert_eq(&fs::read_to_string(&file).unwrap());
    let listed = run(&mut place.bare(&["mcp", "list"])).done();
    assert_says(&listed, &["runs \"npx\" (3 arguments, with TOKEN)", "asks https://docs.example.com/mcp"]);
    let taken = run(&mut place.bare(&["mcp", "add", "files", "uvx", "files"]));
    assert_says(&taken.misused(), &["mcp.servers.files", "remove it first"]);
    for (words, says) in [
        (&["mcp", "add", "a b", "npx"][..], "the name of a server"),
        (&["mcp", "add", "x", "https://me:canary@example.com"], "password"),
        (&["mcp", "add", "--env", "API_KEY=canary", "x", "npx"], "--env API_KEY"),
        (&["mcp", "remove", "nothing"], "mcp list"),
    ] {
        let said = run(&mut place.bare(words)).misused();
        assert!(said.contains(says) && !said.contains("canary"), "{said}");
    }
    run(&mut place.bare(&["mcp", "remove", "files"])).done();
    run(&mut place.bare(&["mcp", "remove", "docs"])).done();
    let left = fs::read_to_string(&file).unwrap();
    assert!(
        left.starts_with("# mine\n[agent]\npolicy = \"dex\" # for now\n") && !left.contains("mcp"),
        "{left}"
    );
}

#[test]
fn an_added_server_is_used_by_the_next_run() {
    let place = Place::new();
    let own = env!("CARGO_BIN_EXE_throughline");
    run(&mut place.bare(&["mcp", "add", "own", own, "mcp"])).done();
    let server = serve(
        Script::new()
            .then(Answer::call("c1", "mcp__own__search_history", json!({ "query": "kestrel" })))
            .then(Answer::text("Found nothing.")),
    );
    let model = ("anthropic", "claude-sonnet-4-5");
    let ran = run(&mut place.asks(&server, model, &["--allow", "mcp__own__search_history", "Look it up."]));
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), "Found nothing.\n"), "{ran:?}");
    let sent = server.received()[0].body.to_string();
    assert!(sent.contains("mcp__own__search_history"), "{sent}");
}

#[test]
fn a_server_for_the_project_is_in_its_settings_and_needs_trust() {
    let place = Place::new();
    let said = run(&mut place.bare(&["mcp", "add", "--project", "files", "npx", "files"])).done();
    assert_says(&said, &[".throughline/config.toml", "throughline trust"]);
    assert!(fs::read_to_string(place.work().join(".throughline/config.toml")).unwrap().contains("npx"));
    assert_says(&run(&mut place.bare(&["mcp", "list"])).done(), &["No MCP servers in the settings"]);
    let other = run(&mut place.bare(&["mcp", "remove", "files"]));
    assert_says(&other.misused(), &["with --project"]);
    run(&mut place.bare(&["mcp", "remove", "--project", "files"])).done();
}

#[test]
fn the_skills_of_a_server_are_listed_and_used_as_any_other() {
    const SKILLED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/skill_server.sh");
    let place = Place::new();
    run(&mut place.bare(&["mcp", "add", "forge", "sh", SKILLED])).done();
    let call = Answer::call("c1", "use_skill", json!({ "name": "forge:release" }));
    let server = serve(Script::new().then(call).then(Answer::text("Done.")).repeat_last());
    let ask = ["-o", "json", "Release it."];
    assert_eq!(run(&mut place.asks(&server, ("anthropic", "claude-sonnet-4-5"), &ask)).code, Some(0));
    let bodies = server.received();
    let system = bodies[0].body["system"].to_string();
    assert_says(&system, &["# Skills", "- forge:release: Releases a version."]);
    let given = bodies[1].body["messages"].as_array().unwrap().last().unwrap().to_string();
    assert_says(&given, &["Tag the commit first."]);
    // The next session knows it before the server is started, with the same bytes.
    assert_eq!(run(&mut place.asks(&server, ("anthropic", "claude-sonnet-4-5"), &ask)).code, Some(0));
    assert_eq!(server.received()[2].body["system"].to_string(), system);
}
