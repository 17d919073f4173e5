//! Which skills of a list are taken.

use serde_json::{Value, json};

use super::{Manifest, ManifestReader};
use crate::limits;

fn skill(name: &str, files: &[&str]) -> Value {
    let base = format!("skill://server/{name}");
    let digest = format!("sha256:{}", "0".repeat(64));
    let file = |path: &&str| json!({"uri": format!("{base}/{path}"), "digest": digest, "size": 4});
    json!({
        "uri": format!("{base}/SKILL.md"),
        "frontmatter": {"name": name, "description": "It helps."},
        "resources": files.iter().map(file).collect::<Vec<_>>(),
    })
}

fn read(skills: &[Value]) -> (Manifest, Vec<String>) {
    let mut reader = ManifestReader::default();
    assert_eq!(reader.add_page(&json!({"skills": skills})), None);
    reader.finish()
}

#[test]
fn files_below_the_skill_are_taken_and_others_refuse_it() {
    let (manifest, notes) = read(&[skill("review", &["SKILL.md", "notes/style.md"])]);
    let paths: Vec<&str> = manifest.skills[0].files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!((paths, notes), (vec!["SKILL.md", "notes/style.md"], vec![]));
    for path in ["a\\b.md", "c%2fd.md", "e:f.md", "g//h.md", "./i.md", "j.md?k"] {
        let (manifest, notes) = read(&[skill("review", &["SKILL.md", path])]);
        assert!(
            manifest.skills.is_empty() && notes[0].contains("its skill \"review\" is not offered"),
            "{path}"
        );
    }
    for path in ["../other/SKILL.md", "notes/../../up.md"] {
        let (manifest, notes) = read(&[skill("review", &["SKILL.md", path])]);
        assert!(manifest.skills.is_empty() && notes.len() == 1, "{path}: {notes:?}");
    }
}

#[test]
fn names_are_plain_and_taken_once() {
    let entry = ["SKILL.md"];
    let (manifest, notes) = read(&[skill("review", &entry), skill("review", &entry), skill("Big", &entry)]);
    assert_eq!(manifest.skills.len(), 1);
    assert!(notes[0].contains("another one has its name") && notes[1].contains("1 to 64"), "{notes:?}");
    let (manifest, notes) = read(&[json!({"uri": "skill://x/SKILL.md"}), json!(5)]);
    assert_eq!((manifest.skills.len(), notes.len()), (0, 2));
}

#[test]
fn number_and_size_have_limits() {
    let many: Vec<Value> = (0..=limits::SKILLS).map(|n| skill(&format!("s{n}"), &["SKILL.md"])).collect();
    let (manifest, notes) = read(&many);
    assert_eq!((manifest.skills.len(), notes.len()), (limits::SKILLS, 1));
    let paths: Vec<String> = (0..limits::SKILL_FILES).map(|n| format!("{n}.md")).collect();
    let mut paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    paths.push("SKILL.md");
    assert!(read(&[skill("review", &paths)]).1[0].contains("201 files"));
    let mut large = skill("review", &["SKILL.md"]);
    large["resources"][0]["size"] = json!(limits::SKILL_BYTES + 1);
    assert!(read(&[large.clone()]).1[0].contains("more than"));
    large["resources"][0]["size"] = json!(u64::MAX);
    let (manifest, notes) = read(&[large, skill("other", &["SKILL.md"])]);
    assert_eq!((manifest.skills.len(), notes.len()), (0, 2), "the sum does not wrap");
}

#[test]
fn a_list_of_files_that_change_is_never_equal_for_sure() {
    let mut dynamic = skill("review", &[]);
    dynamic["resources"] = json!("dynamic");
    let (manifest, _) = read(&[dynamic]);
    assert!(!manifest.is_promised() && read(&[skill("review", &["SKILL.md"])]).0.is_promised());
    let (changed, old) =
        (read(&[skill("review", &["SKILL.md", "a.md"])]).0, read(&[skill("review", &["SKILL.md"])]).0);
    assert_eq!(changed.changed_since(&old).collect::<Vec<_>>(), ["review"]);
    assert_eq!(old.changed_since(&Manifest::default()).count(), 0, "a new one has not changed");
}

#[test]
fn pages_end() {
    let mut reader = ManifestReader::default();
    let page = json!({"skills": [], "nextCursor": "a"});
    assert_eq!(reader.add_page(&page).as_deref(), Some("a"));
    assert_eq!(reader.add_page(&page), None);
    assert_eq!(reader.finish().1, ["its list of skills is truncated: its pages repeat"]);
}
