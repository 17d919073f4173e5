//! The list of skills against the files that it promises.

use rmcp::model::{ResourceContents, SkillResources, validate_skills};

use super::{get, list, read};

fn text_at(uri: &str) -> String {
    match read(uri).unwrap().contents.pop().unwrap() {
        ResourceContents::TextResourceContents { text, .. } => text,
        other => panic!("{other:?}"),
    }
}

#[test]
fn each_file_has_the_bytes_that_the_list_promises() {
    let skills = list().skills;
    validate_skills(&skills).unwrap();
    for skill in &skills {
        let SkillResources::Files(files) = &skill.resources else { panic!("{skill:?}") };
        for file in files {
            file.verify(text_at(&file.uri).as_bytes()).unwrap();
        }
        assert_eq!(get(&skill.uri).unwrap().skill, *skill);
    }
}

#[test]
fn an_entry_begins_with_the_front_matter_of_the_list() {
    for skill in list().skills {
        let front =
            format!("---\nname: {}\ndescription: {}\n---\n\n# ", skill.name(), skill.frontmatter.description);
        assert!(text_at(&skill.uri).starts_with(&front), "{}", skill.uri);
    }
}

#[test]
fn an_address_of_no_skill_has_no_file() {
    let other =
        ["skill://throughline/continue-work/queries.md", "skill://throughline/", "throughline://memo/1"];
    assert!(other.into_iter().all(|uri| read(uri).is_none()));
    let error = get("skill://throughline/continue-work").unwrap_err();
    assert!(error.message.contains("skills/list names them"), "{error:?}");
}
