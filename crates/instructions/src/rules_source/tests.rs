//! When rules are read.

use throughline_prompt::SectionSource as _;
use throughline_prompt::contract::contract_section_source;

use super::RulesSource;
use crate::rules::RulesPolicy;
use crate::stage::Stage;

#[tokio::test]
async fn a_changed_file_waits_for_the_compaction() {
    let stage = Stage::of(&[("repo/AGENTS.md", "First.")]);
    let source = RulesSource::new(stage.places("repo"), RulesPolicy::default());
    contract_section_source(&source).await;
    let first = source.sections().await.unwrap();
    stage.put("repo/AGENTS.md", b"Second.");
    stage.put("config/AGENTS.md", b"Mine.");
    assert_eq!(source.sections().await.unwrap(), first);
    source.renew();
    let second = source.sections().await.unwrap();
    assert_eq!(second.len(), 2);
    assert!(second[0].content.ends_with("Mine.") && second[1].content.ends_with("Second."), "{second:?}");
    std::fs::remove_file(stage.path("repo/AGENTS.md")).unwrap();
    assert_eq!(source.sections().await.unwrap(), second);
    source.renew();
    assert_eq!(source.sections().await.unwrap().len(), 1);
}
