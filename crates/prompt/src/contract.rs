//! The contract of [`SectionSource`]. An adapter's tests run [`contract_section_source`] over it; a broken
//! rule panics with the rule.

use crate::source::SectionSource;

/// All rules. The source must be one that answers, and what it reads must not change meanwhile.
pub async fn contract_section_source(source: &dyn SectionSource) {
    contract_name_stays(source).await;
    contract_same_sections_again(source).await;
    contract_sections_are_well_formed(source).await;
}

/// The name is not empty and stays the same over calls.
pub async fn contract_name_stays(source: &dyn SectionSource) {
    let name = source.name();
    assert!(!name.trim().is_empty(), "a source must have a name");
    let answer = source.sections().await;
    assert!(answer.is_ok(), "the source must answer: {answer:?}");
    assert_eq!(source.name(), name, "a source must keep its name");
}

/// Nothing changed, so neither do the sections, to the byte.
pub async fn contract_same_sections_again(source: &dyn SectionSource) {
    let (first, second) = (source.sections().await, source.sections().await);
    assert!(first.is_ok() && second.is_ok(), "the source must answer: {first:?}, {second:?}");
    assert_eq!(first.ok(), second.ok(), "equal state must give equal sections in the same order");
}

/// Each section has a name, and no dynamic one claims to be cacheable.
pub async fn contract_sections_are_well_formed(source: &dyn SectionSource) {
    let sections = source.sections().await;
    assert!(sections.is_ok(), "the source must answer: {sections:?}");
    for section in sections.into_iter().flatten() {
        assert!(!section.name.trim().is_empty(), "a section must have a name: {section:?}");
        let claims = section.cacheable && section.stability.is_dynamic();
        assert!(!claims, "a dynamic section must not be cacheable: {section:?}");
    }
}
