//! When a skill's text comes into the prompt and when it goes.

use expect_test::expect;
use throughline_conversation::SectionText;
use throughline_prompt::contract::contract_section_source;
use throughline_prompt::{DynamicPlacement, PromptBuilder, SectionSource as _, Stability};

use super::SkillsSource;
use crate::skills::SkillsPolicy;
use crate::stage::Stage;

fn stage() -> Stage {
    let skill = |name: &str| format!("---\nname: {name}\ndescription: Does {name}.\n---\nHow to {name}.\n");
    Stage::of(&[
        ("config/skills/fix/SKILL.md", &skill("fix")),
        ("config/skills/test/SKILL.md", &skill("test")),
    ])
}

fn source(stage: &Stage) -> SkillsSource {
    SkillsSource::discover(stage.places("repo"), SkillsPolicy::default())
}

async fn names(source: &SkillsSource) -> Vec<String> {
    source.sections().await.unwrap().into_iter().map(|section| section.name).collect()
}

/// The system prompt as the log keeps it.
async fn system(source: &SkillsSource) -> Vec<SectionText> {
    let mut builder = PromptBuilder::new(DynamicPlacement::LastUser);
    source.sections().await.unwrap().into_iter().for_each(|section| builder.add(section));
    builder.build().system.to_vec()
}

// S3-13: skills are the fourth part.
#[tokio::test]
async fn a_skill_comes_and_goes_with_a_compaction() {
    let stage = stage();
    let source = source(&stage);
    contract_section_source(&source).await;
    assert_eq!(names(&source).await, ["skills"]);
    assert!(source.activate("test") && source.activate("fix") && source.activate("test"));
    assert!(!source.activate("none"));
    // What is cached stays unchanged.
    assert_eq!(names(&source).await, ["skills"]);
    source.renew();
    assert_eq!(names(&source).await, ["skills", "skill test", "skill fix"]);
    let sections = source.sections().await.unwrap();
    assert!(sections.iter().all(|section| section.stability == Stability::Skill && section.cacheable));
    // S3-01: what skills take is counted apart.
    assert!(system(&source).await.iter().all(|section| section.skill));
    expect![[r"
        # Skill: fix

        Folder: ~/config/skills/fix

        How to fix."]]
    .assert_eq(&stage.plain(&sections[2].content));
    assert_eq!(source.active(), ["test", "fix"]);
}

#[tokio::test]
async fn folders_are_looked_through_again_after_a_compaction() {
    let stage = stage();
    let source = source(&stage);
    source.activate("fix");
    source.activate("test");
    source.renew();
    let before = source.sections().await.unwrap();
    stage.put("config/skills/new/SKILL.md", b"---\nname: new\ndescription: Is new.\n---\nNew.\n");
    std::fs::remove_dir_all(stage.path("config/skills/test")).unwrap();
    assert_eq!(source.sections().await.unwrap(), before);
    source.renew();
    let after = source.sections().await.unwrap();
    assert!(after[0].content.ends_with("- fix: Does fix.\n- new: Is new."), "{after:?}");
    assert!(after[2].content.contains("[Its text is not shown: it is gone."), "{after:?}");
    assert_eq!((source.skills().len(), source.active()), (2, vec!["fix".to_owned()]));
    source.renew();
    assert_eq!(names(&source).await, ["skills", "skill fix"]);
}

#[tokio::test]
async fn a_session_that_is_taken_up_again_has_the_same_prompt() {
    let stage = stage();
    let before = source(&stage);
    before.activate("fix");
    before.renew();
    let sent = system(&before).await;
    let again = source(&stage);
    again.restore(&sent, []);
    assert_eq!(system(&again).await, sent);
    assert_eq!(again.active(), ["fix"]);
}

#[tokio::test]
async fn all_active_skills_together_have_a_limit() {
    let stage = stage();
    let policy = SkillsPolicy { active_chars: 66, ..SkillsPolicy::default() };
    let source = SkillsSource::discover(stage.places("repo"), policy);
    source.activate("fix");
    source.renew();
    let sections = source.sections().await.unwrap();
    assert!(
        sections[1]
            .content
            .ends_with("[Its text is not shown: there is no room for it. use_skill tells more.]")
    );
    assert!(!source.is_in_prompt("fix"));
}

#[tokio::test]
async fn without_skills_the_prompt_has_nothing_of_them() {
    let stage = Stage::of(&[]);
    assert!(system(&source(&stage)).await.is_empty());
}
