//! Marketplaces and plugins on their way into the home.

use std::process::Command;

use super::*;
use crate::stage::Stage;

const SHOP: (&str, &str) = (
    ".claude-plugin/marketplace.json",
    r#"{ "name": "shop", "owner": { "name": "A" }, "plugins": [
        { "name": "greeter", "source": "./greeter" },
        { "name": "bare", "source": "./bare", "version": "3", "skills": ["./one"] },
        { "name": "wrong", "source": "./greeter" },
        { "name": "missing", "source": "./missing" },
        { "name": "package", "source": { "source": "npm", "package": "x" } } ] }"#,
);

fn shop() -> Stage {
    Stage::of(&[
        SHOP,
        ("greeter/.claude-plugin/plugin.json", r#"{ "name": "greeter", "version": "1.0" }"#),
        ("greeter/hooks/hooks.json", r#"{ "hooks": {} }"#),
        ("greeter/say.sh", "echo hello"),
        ("greeter/README.md", "One."),
        ("bare/one/SKILL.md", "---\nname: one\ndescription: d\n---\nText.\n"),
    ])
}

async fn prepared(home: &PluginHome, shop: &Stage, name: &str) -> Result<PreparedPlugin> {
    let marketplace = Marketplace::read(&shop.root())?;
    home.fetch_plugin(&marketplace, marketplace.find(name).unwrap(), None).await
}

#[tokio::test]
async fn a_plugin_is_copied_and_placed_and_an_update_leaves_what_is_named() {
    let (shop, folder) = (shop(), tempfile::tempdir().unwrap());
    let home = PluginHome::new(folder.path().join("plugins"));
    let first = prepared(&home, &shop, "greeter").await.unwrap().place().unwrap();
    assert_eq!((first.version.as_deref(), first.enabled), (Some("1.0"), true));
    assert_eq!(Plugin::read(&home.copy_of("greeter", &first)).unwrap().name, "greeter");
    // Text alone is not asked about again, a program is.
    shop.write("greeter/README.md", "Two.");
    let text = prepared(&home, &shop, "greeter").await.unwrap();
    assert!(text.record.files != first.files && text.record.runs == first.runs);
    shop.write("greeter/say.sh", "echo other");
    let second = prepared(&home, &shop, "greeter").await.unwrap();
    assert_ne!(second.record.runs, first.runs);
    drop(text);
    let second = second.place().unwrap();
    home.remove_copies("greeter", &[&second]).unwrap();
    assert!(!home.copy_of("greeter", &first).exists() && home.copy_of("greeter", &second).exists());
    home.remove_copies("greeter", &[]).unwrap();
    assert!(!home.copies("greeter").exists());
    assert_eq!(fs::read_dir(folder.path().join("plugins/temporary")).unwrap().count(), 0);
}

#[tokio::test]
async fn an_entry_is_the_manifest_of_a_plugin_without_one() {
    let (shop, folder) = (shop(), tempfile::tempdir().unwrap());
    let home = PluginHome::new(folder.path());
    let bare = prepared(&home, &shop, "bare").await.unwrap();
    assert_eq!((bare.plugin.skills.len(), bare.record.version.as_deref()), (1, Some("3")));
    assert_eq!(bare.record.runs, "", "it runs nothing");
    assert!(!shop.root().join("bare/.claude-plugin").exists(), "the marketplace is not changed");
}

#[tokio::test]
async fn a_plugin_that_cannot_be_used_is_refused_with_the_reason() {
    let (shop, folder) = (shop(), tempfile::tempdir().unwrap());
    let home = PluginHome::new(folder.path());
    for (name, why) in [
        ("wrong", "lists a plugin wrong, whose .claude-plugin/plugin.json says greeter"),
        ("missing", "there is no folder"),
        ("package", "source \"npm\" is not supported"),
    ] {
        let said = prepared(&home, &shop, name).await.unwrap_err().to_string();
        assert!(said.contains(why), "{said}");
    }
}

fn git(folder: &Path, arguments: &[&str]) {
    let identity = ["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "init.defaultBranch=main"];
    let ran = Command::new("git").arg("-C").arg(folder).args(identity).args(arguments).output().unwrap();
    assert!(ran.status.success(), "{ran:?}");
}

#[tokio::test]
async fn a_repository_is_cloned_at_a_tag_or_its_head() {
    let (shop, folder) = (shop(), tempfile::tempdir().unwrap());
    git(&shop.root(), &["init", "-q"]);
    git(&shop.root(), &["add", "-A"]);
    git(&shop.root(), &["commit", "-qm", "one"]);
    git(&shop.root(), &["tag", "v1"]);
    shop.write("greeter/say.sh", "echo second");
    git(&shop.root(), &["commit", "-qam", "two"]);
    let home = PluginHome::new(folder.path());
    let url = format!("file://{}", shop.root().display());
    let fetch = async |reference: Option<&str>| {
        let origin = MarketplaceOrigin::Git { url: url.clone(), reference: reference.map(str::to_owned) };
        home.fetch_marketplace(origin).await
    };
    let said = || fs::read_to_string(home.clone_of("shop").join("greeter/say.sh")).unwrap();
    let first = fetch(Some("v1")).await.unwrap().place().unwrap();
    assert_eq!((said().as_str(), home.marketplace("shop", &first)), ("echo hello", home.clone_of("shop")));
    let second = fetch(None).await.unwrap().place().unwrap();
    assert_eq!(said(), "echo second");
    let (first, second) = (first.commit.unwrap(), second.commit.unwrap());
    assert!(first.len() == 40 && first != second);
    fetch(Some(&first)).await.unwrap().place().unwrap();
    assert_eq!(said(), "echo hello", "a commit is a reference, too");
    let error = fetch(Some("nothing")).await.unwrap_err();
    assert!(throughline_text::error_chain(&error).contains("cannot clone file://"), "{error:?}");
    home.remove_clone("shop").unwrap();
    home.remove_clone("shop").unwrap();
}
