//! The tool as a model calls it.

use std::sync::Arc;

use expect_test::expect;
use serde_json::{Value, json};
use throughline_conversation::ToolCall;
use throughline_prompt::SectionSource as _;
use throughline_tools::{Effect, ToolContext, ToolOutput, contract};

use super::{USE_SKILL, skill_tool};
use crate::skills::SkillsPolicy;
use crate::skills_source::SkillsSource;
use crate::stage::Stage;

const FIX: &str = "---\nname: fix\ndescription: Fixes.\n---\nLook first.\n";

fn source(stage: &Stage) -> Arc<SkillsSource> {
    Arc::new(SkillsSource::discover(stage.places("repo"), SkillsPolicy::default()))
}

async fn call(source: &Arc<SkillsSource>, input: Value) -> ToolOutput {
    let call = ToolCall { id: "c1".to_owned(), name: USE_SKILL.to_owned(), input };
    skill_tool(Arc::clone(source)).call(&call, &ToolContext::new("/")).await
}

#[tokio::test]
async fn it_keeps_the_contract_of_tools() {
    let stage = Stage::of(&[("config/skills/fix/SKILL.md", FIX)]);
    let tool = skill_tool(source(&stage));
    contract::contract_definition(tool.as_ref()).await;
    contract::contract_wrong_arguments(tool.as_ref(), &ToolContext::new("/")).await;
    contract::contract_registers(Arc::clone(&tool)).await;
    let call = ToolCall { id: "c1".to_owned(), name: USE_SKILL.to_owned(), input: json!({"name": "fix"}) };
    let access = tool.access(&call);
    assert_eq!((access.effect, access.subject.as_deref()), (Effect::Read, Some("fix")));
}

#[tokio::test]
async fn a_call_gives_the_text_at_once_and_makes_the_skill_active() {
    let stage = Stage::of(&[("config/skills/fix/SKILL.md", FIX)]);
    let source = source(&stage);
    let output = call(&source, json!({"name": "fix"})).await;
    assert!(!output.is_error);
    expect![[r"
        # Skill: fix

        Folder: ~/config/skills/fix

        Look first."]]
    .assert_eq(&stage.plain(&output.to_text()));
    assert_eq!(source.active(), ["fix"]);
    // It is not in the prompt before the next compaction, so it is given again.
    source.sections().await.unwrap();
    assert!(call(&source, json!({"name": "fix"})).await.to_text().ends_with("Look first."));
    source.renew();
    source.sections().await.unwrap();
    let again = call(&source, json!({"name": "fix"})).await.to_text();
    assert_eq!(again, "The text of this skill is in your instructions already, under \"# Skill: fix\".");
}

#[tokio::test]
async fn wrong_names_are_answered_with_the_right_ones() {
    let stage = Stage::of(&[]);
    let text = |output: ToolOutput| (output.is_error, output.to_text());
    let none = call(&source(&stage), json!({"name": "fix"})).await;
    assert_eq!(text(none), (true, "There is no skill \"fix\": this session has none.".to_owned()));
    stage.put("config/skills/fix/SKILL.md", FIX.as_bytes());
    let source = source(&stage);
    let wrong = call(&source, json!({"name": "fixing"})).await;
    assert_eq!(text(wrong), (true, "There is no skill \"fixing\". The skills are: fix.".to_owned()));
    std::fs::remove_file(stage.path("config/skills/fix/SKILL.md")).unwrap();
    let gone = call(&source, json!({"name": "fix"})).await;
    assert_eq!(text(gone), (true, "The skill fix cannot be shown: it is missing.".to_owned()));
    assert!(source.active().is_empty());
}

#[tokio::test]
async fn other_files_of_the_skill_are_read_in_pages() {
    let stage = Stage::of(&[("config/skills/fix/SKILL.md", FIX), ("config/AGENTS.md", "mine")]);
    let lines: String = (1..=3_000).map(|line| format!("line {line}\n")).collect();
    stage.put("config/skills/fix/ref/all.md", lines.as_bytes());
    stage.put("config/skills/fix/empty.md", b"");
    stage.put("config/skills/fix/wide.md", format!("{}\nnext\n", "x".repeat(50_000)).as_bytes());
    let source = source(&stage);
    let page = async |file: &str, offset: usize| {
        call(&source, json!({"name": "fix", "file": file, "offset": offset})).await
    };
    let first = page("ref/all.md", 1).await.to_text();
    assert!(first.starts_with("line 1\n") && first.chars().count() < 20_100);
    let next: usize =
        first.rsplit_once("continue with offset ").unwrap().1.trim_end_matches(']').parse().unwrap();
    let second = page("ref/all.md", next).await.to_text();
    assert!(
        second.starts_with(&format!("line {next}\n"))
            && second.ends_with("line 3000\n[end of file: 3,000 lines]")
    );
    let wide = page("wide.md", 1).await.to_text();
    assert!(wide.ends_with("[the line was too long and was cut]\n[more follows: continue with offset 2]"));
    assert!(
        page("ref/all.md", 4_000).await.to_text().contains("has 3,000 lines; line 4000 is behind its end")
    );
    assert_eq!(page("empty.md", 1).await.to_text(), "[the file is empty]");
    for outside in ["../../AGENTS.md", "/etc/passwd", "none.md", "ref"] {
        let output = page(outside, 1).await;
        let text = output.to_text();
        assert!(output.is_error && text.ends_with("use_skill without file names its files."), "{text}");
    }
    // Reading a file of it is not yet using it.
    assert!(source.active().is_empty());
}
