//! The list and the text of skills.

use expect_test::expect;
use proptest::collection::vec;
use proptest::prelude::{ProptestConfig, prop_assert, proptest};

use super::{body, list};
use crate::skills::{Skills, SkillsPolicy};
use crate::stage::Stage;

fn skills(stage: &Stage) -> Skills {
    Skills::discover(&stage.places("repo"), &SkillsPolicy::default())
}

fn put(stage: &Stage, name: &str, description: &str, text: &str) {
    let text = format!("---\nname: {name}\ndescription: {description}\n---\n{text}\n");
    stage.put(&format!("config/skills/{name}/SKILL.md"), text.as_bytes());
}

#[test]
fn a_line_for_each_skill_by_name() {
    let stage = Stage::of(&[]);
    assert_eq!(list(&skills(&stage), 8_000), "");
    put(&stage, "review", "Reviews a change.", "x");
    put(&stage, "fix", "Fixes what is broken.", "x");
    expect![[r#"
        # Skills

        A skill is a set of instructions for one kind of work. When a task is of a kind that is listed here, call use_skill with that name before you begin, and follow what it says.

        - fix: Fixes what is broken.
        - review: Reviews a change."#]]
    .assert_eq(&list(&skills(&stage), 8_000));
}

#[test]
fn descriptions_of_many_skills_are_shortened() {
    let stage = Stage::of(&[]);
    for number in 0..100 {
        put(&stage, &format!("skill-{number:03}"), &"word ".repeat(100), "x");
    }
    let skills = skills(&stage);
    let shorter = list(&skills, 8_000);
    assert!(
        shorter.chars().count() <= 8_000
            && shorter.contains("- skill-099: word word word word word word word word word word word word…")
    );
    let names = list(&skills, 1_800);
    assert!(names.ends_with("- skill-098\n- skill-099"), "{names}");
    let some = list(&skills, 800);
    assert!(
        some.chars().count() <= 800 && some.contains("\n- skill-000\n") && some.ends_with(" more"),
        "{some}"
    );
}

#[test]
fn the_text_names_the_folder_and_its_files() {
    let stage = Stage::of(&[
        ("config/skills/fix/scripts/run.sh", ""),
        ("config/skills/fix/a.md", ""),
        ("config/skills/fix/.hidden", ""),
    ]);
    put(&stage, "fix", "d", "\n# Fixing\n\nLook first.\n");
    let (text, cut) = body(skills(&stage).get("fix").unwrap(), 20_000).unwrap();
    expect![[r"
        # Skill: fix

        Folder: ~/config/skills/fix
        Files (use_skill with file reads them): a.md, scripts/run.sh

        # Fixing

        Look first."]]
    .assert_eq(&stage.plain(&text));
    assert!(!cut);
}

#[test]
fn a_long_text_is_cut_and_says_how_to_read_on() {
    let stage = Stage::of(&[]);
    put(&stage, "long", "d", &"another line of text\n".repeat(2_000));
    let skills = skills(&stage);
    let (text, cut) = body(skills.get("long").unwrap(), 20_000).unwrap();
    assert!(cut && text.chars().count() <= 20_000);
    assert!(text.contains("are left out here; use_skill with file \"SKILL.md\" shows all of it.]"), "{text}");
    assert_eq!(body(skills.get("long").unwrap(), 100), Err("there is no room for it".to_owned()));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn the_list_is_never_longer_than_its_limit(lengths in vec(1..400_usize, 0..30), most in 300..9_000_usize) {
        let stage = Stage::of(&[]);
        for (index, length) in lengths.iter().enumerate() {
            put(&stage, &format!("s{index}"), &"é".repeat(*length), "x");
        }
        let text = list(&skills(&stage), most);
        prop_assert!(text.chars().count() <= most, "{} of {most}", text.chars().count());
    }
}
