//! Files of output styles.

use std::fs;
use std::path::Path;

use super::*;

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

#[test]
fn a_file_of_claude_code_is_read_unchanged() {
    let text = "---\nname: Code Reviewer\ndescription: Reviews only\nkeep-coding-instructions: true\n---\n\n# Review\nBe strict.\n";
    let style = style_of(text, "other").unwrap();
    assert_eq!((style.name.as_str(), style.description.as_str()), ("code-reviewer", "Reviews only"));
    assert_eq!((style.text.as_str(), style.keeps_coding), ("# Review\nBe strict.", true));
}

#[test]
fn name_and_description_may_be_missing() {
    let style = style_of("---\nname: Öl & Gas\n---\nWrite as a poet.\nAlways.\n", "My Poet").unwrap();
    assert_eq!((style.name.as_str(), style.description.as_str()), ("my-poet", "Write as a poet."));
    assert!(!style.keeps_coding);
}

#[test]
fn a_mistake_is_named() {
    let fails = |text: &str, why: &str| {
        let error = style_of(text, "a").unwrap_err().to_string();
        assert!(error.contains(why), "{error}");
    };
    fails("Be brief.", "no front matter");
    fails("---\nname: a\n---\n\n", "no text");
    fails(
        "---\nkeep-coding-instructions: maybe\n---\nx\n",
        "keep-coding-instructions is \"maybe\"; write true or false",
    );
    assert!(style_of("---\nname: a\n---\nx\n", "ä").is_ok());
    let error = style_of("---\ndescription: d\n---\nx\n", "ä").unwrap_err().to_string();
    assert!(error.contains("1 to 64 of the characters"), "{error}");
}

#[test]
fn the_users_come_before_the_projects_the_plugins_and_the_built_in_ones() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    let named = |name: &str, text: &str| format!("---\nname: {name}\n---\n{text}\n");
    write(&root.join("config/output-styles/own.md"), &named("concise", "the user's"));
    write(&root.join("work/.claude/output-styles/p.md"), &named("poet", "the project's"));
    write(&root.join("plugin/output-styles/p.md"), &named("poet", "in ${ROOT}"));
    write(&root.join("config/output-styles/long.md"), &named("long", &"x".repeat(MAX_CHARS + 1)));
    let places = SessionFolders::of(&root.join("work"), Some(&root.join("config")));
    let plugin = PluginParts {
        name: "quality".to_owned(),
        root: root.join("plugin"),
        output_styles: vec![root.join("plugin/output-styles/p.md")],
        root_mark: "${ROOT}".to_owned(),
        ..PluginParts::default()
    };
    let names = |styles: &OutputStyles| styles.iter().map(|style| style.name.clone()).collect::<Vec<_>>();
    let untrusted = OutputStyles::discover(&places, false, &[]);
    assert_eq!(names(&untrusted), ["concise", "explanatory"]);
    let all = OutputStyles::discover(&places, true, std::slice::from_ref(&plugin));
    assert_eq!(names(&all), ["concise", "explanatory", "poet", "quality:poet"]);
    assert_eq!(all.get("Concise").unwrap().text, "the user's");
    assert_eq!(all.get("quality:poet").unwrap().text, format!("in {}", root.join("plugin").display()));
    let problems: Vec<&str> = all.problems().iter().map(|problem| problem.why.as_str()).collect();
    assert_eq!(problems, ["its text has 20001 characters; shorten it to 20000"]);
}
