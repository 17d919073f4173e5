//! Skills that a server offers.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use rmcp::model::SkillResource;
use serde_json::{Value, json};
use throughline_mcp::McpServers;

use crate::fake::{Fake, Say, hello, options};

const REVIEW: &str = "---\nname: review\ndescription: Reviews a change.\n---\nRead the whole change first.\n";
const STYLE: &str = "No tabs.\n";

/// A server with these files in its skill `review`. `promised` is what its list says of them.
fn with_skill(files: &[(&'static str, &'static str)], promised: &[(&'static str, &'static str)]) -> Fake {
    let uri = |path: &str| format!("skill://s/review/{path}");
    let resources: Vec<SkillResource> =
        promised.iter().map(|(path, text)| SkillResource::from_bytes(uri(path), text.as_bytes())).collect();
    let listed = json!({"skills": [{
        "uri": uri("SKILL.md"),
        "frontmatter": {"name": "review", "description": "Reviews a change."},
        "resources": resources,
    }]});
    let files: Arc<[(String, &str)]> = files.iter().map(|(path, text)| (uri(path), *text)).collect();
    let mut greeting = hello();
    greeting["capabilities"]["extensions"] = json!({"io.modelcontextprotocol/skills": {}});
    Fake::new("s", &["x"])
        .on("initialize", move |_| vec![Say::Result(greeting.clone())])
        .on("skills/list", move |_| vec![Say::Result(listed.clone())])
        .on("resources/read", move |message| {
            let uri = message["params"]["uri"].as_str().unwrap();
            let found = files.iter().find(|(known, _)| known == uri);
            vec![match found {
                Some((_, text)) => Say::Result(json!({"contents": [{"uri": uri, "text": text}]})),
                None => Say::Error(-32002, "there is no such file"),
            }]
        })
}

/// Starts a server with a cache.
async fn started(fake: &Fake, cache: &Path) -> McpServers {
    let servers = McpServers::new([fake.config()], options(Some(cache)));
    servers.start().await;
    servers
}

/// The files of the only skill, and what they say.
fn copied(servers: &McpServers) -> Vec<(String, String)> {
    let skills = servers.skills();
    let Some(one) = skills.first() else { return Vec::new() };
    assert_eq!((one.server.as_str(), one.skills.len()), ("s", 1));
    let folder = &one.skills[0];
    assert!(folder.starts_with(&one.root) && folder.ends_with("review"));
    let mut files = vec![(String::new(), folder.clone())];
    let mut found = Vec::new();
    while let Some((before, folder)) = files.pop() {
        for entry in fs::read_dir(folder).unwrap().flatten() {
            let name = format!("{before}{}", entry.file_name().to_str().unwrap());
            match entry.path().is_dir() {
                true => files.push((format!("{name}/"), entry.path())),
                false => found.push((name, fs::read_to_string(entry.path()).unwrap())),
            }
        }
    }
    found.sort();
    found
}

fn asked(fake: &Fake, method: &str) -> usize {
    fake.received().iter().filter(|message| message["method"] == method).count()
}

#[tokio::test]
async fn skills_are_copied_once_and_known_before_the_server_is_started() {
    let cache = tempfile::tempdir().unwrap();
    let files = [("SKILL.md", REVIEW), ("notes/style.md", STYLE)];
    let fake = with_skill(&files, &files);
    let first = started(&fake, cache.path()).await;
    let expected = [("SKILL.md", REVIEW), ("notes/style.md", STYLE)];
    assert_eq!(copied(&first), expected.map(|(path, text)| (path.to_owned(), text.to_owned())));
    assert_eq!((first.notes(), asked(&fake, "resources/read")), (Vec::<String>::new(), 2));
    first.close().await;

    let second = McpServers::new([fake.config()], options(Some(cache.path())));
    assert_eq!((copied(&second).len(), fake.connections()), (2, 1), "it is not started");
    crate::fake::call(&second, "mcp__s__x", json!({})).await;
    assert_eq!(asked(&fake, "resources/read"), 2, "nothing has changed");
    second.close().await;
}

#[tokio::test]
async fn a_skill_that_changes_is_replaced_whole_and_the_user_learns_it() {
    let cache = tempfile::tempdir().unwrap();
    let files = [("SKILL.md", REVIEW), ("notes/style.md", STYLE)];
    started(&with_skill(&files, &files), cache.path()).await.close().await;
    let new = [("SKILL.md", "---\nname: review\ndescription: Reviews.\n---\nBe brief.\n")];
    let fake = with_skill(&new, &new);
    let servers = McpServers::new([fake.config()], options(Some(cache.path())));
    crate::fake::call(&servers, "mcp__s__x", json!({})).await;
    assert_eq!(copied(&servers), [("SKILL.md".to_owned(), new[0].1.to_owned())]);
    let notes = servers.notes().join("\n");
    assert!(notes.contains("its skill \"review\" has changed since it was last offered"), "{notes}");
    servers.close().await;

    // A server that has none any more takes its skills with it.
    let servers = McpServers::new([Fake::new("s", &["x"]).config()], options(Some(cache.path())));
    crate::fake::call(&servers, "mcp__s__x", json!({})).await;
    assert!(copied(&servers).is_empty());
    servers.close().await;
}

#[tokio::test]
async fn what_is_not_as_promised_is_not_offered() {
    for (files, why) in [
        (
            vec![("SKILL.md", "---\nname: review\n---\nSomething else.\n"), ("notes/style.md", STYLE)],
            "review/SKILL.md",
        ),
        (vec![("SKILL.md", REVIEW)], "there is no such file"),
    ] {
        let cache = tempfile::tempdir().unwrap();
        let fake = with_skill(&files, &[("SKILL.md", REVIEW), ("notes/style.md", STYLE)]);
        let servers = started(&fake, cache.path()).await;
        assert!(copied(&servers).is_empty());
        let notes = servers.notes().join("\n");
        assert!(notes.contains("its skill \"review\" is not offered") && notes.contains(why), "{notes}");
        assert_eq!(servers.tools().len(), 1, "its tools are");
        servers.close().await;
    }
}

#[tokio::test]
async fn without_an_answer_the_server_starts_without_skills() {
    let cache = tempfile::tempdir().unwrap();
    let fake = with_skill(&[], &[]).on("skills/list", |_| vec![Say::Error(-32603, "no disk")]);
    let servers = started(&fake, cache.path()).await;
    let notes = servers.notes().join("\n");
    assert!(notes.contains("its skills could not be read, so the old ones are used: no disk"), "{notes}");
    assert_eq!(crate::fake::call(&servers, "mcp__s__x", json!({"a": 1})).await.to_text(), r#"{"a":1}"#);
    let odd = with_skill(&[], &[]).on("skills/list", |_| vec![Say::Result(Value::Null)]);
    let servers = started(&odd, cache.path()).await;
    assert!(copied(&servers).is_empty() && servers.tools().len() == 1);
}
