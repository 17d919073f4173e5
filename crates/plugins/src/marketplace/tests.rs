//! Lists of plugins.

use super::*;
use crate::stage::Stage;

fn read(list: &str) -> (Stage, Result<Marketplace>) {
    let stage = Stage::of(&[(LIST, list)]);
    let read = Marketplace::read(&stage.root());
    (stage, read)
}

#[test]
fn every_source_is_read_or_says_why_not() {
    let (_stage, read) = read(
        r#"{ "name": "shop", "owner": { "name": "A" }, "metadata": { "pluginRoot": "./plugins" }, "plugins": [
            { "name": "a", "source": "./one", "description": "First", "version": "1.0" },
            { "name": "b", "source": { "source": "github", "repo": "who/what", "ref": "v2" } },
            { "name": "c", "source": { "source": "url", "url": "https://git.example/x.git", "sha": "0f", "ref": "main" } },
            { "name": "d", "source": { "source": "git-subdir", "url": "https://git.example/x.git", "path": "./in/it" } },
            { "name": "e", "source": { "source": "npm", "package": "x" } },
            { "name": "f", "source": "../outside" },
            { "name": "g", "source": { "source": "url", "url": "ext::sh -c x" } },
            { "name": "h", "source": { "source": "url", "url": "https://me:secret@git.example/x.git" } },
            { "name": "a", "source": "./two" },
            { "source": "./three" } ] }"#,
    );
    let marketplace = read.unwrap();
    let shown: Vec<String> =
        marketplace.plugins.iter().map(|plugin| format!("{}: {}", plugin.name, plugin.source)).collect();
    expect_test::expect![[r#"
        a: ./plugins/one
        b: https://github.com/who/what.git#v2
        c: https://git.example/x.git#0f
        d: https://git.example/x.git, folder in/it
        e: its source "npm" is not supported; a plugin comes from a path in the marketplace, "github", "url" or "git-subdir"
        f: source: the path "../outside" has `..`, which leads out of its folder; write one from the folder of the plugin on, such as ./commands
        g: there is no folder "ext::sh -c x", and it is no address of a Git repository; write a folder, https://HOST/REPO.git or OWNER/REPO
        h: the address has a password, which would be stored; leave it to the credential helper of git"#]]
    .assert_eq(&shown.join("\n"));
    assert_eq!(marketplace.problems.len(), 2, "{:?}", marketplace.problems);
    assert_eq!(marketplace.find("a").and_then(|plugin| plugin.version.as_deref()), Some("1.0"));
}

#[test]
fn a_broken_list_is_named_with_its_file() {
    for (list, why) in [
        ("{", "no JSON"),
        ("[]", "an object is expected"),
        (r#"{ "plugins": [] }"#, "\"name\" is missing"),
        (r#"{ "name": "A B", "plugins": [] }"#, "no name of a marketplace"),
        (r#"{ "name": "a" }"#, "plugins: a list"),
    ] {
        let (stage, read) = read(list);
        let said = stage.shown(&read.unwrap_err().to_string());
        assert!(said.starts_with("ROOT/.claude-plugin/marketplace.json: ") && said.contains(why), "{said}");
    }
}
