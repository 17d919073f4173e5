//! Step 1: the system prompt, static parts first.
//!
//! Static sections are read anew at a new user message and after a compaction, never inside a tool loop: a
//! changed system prompt makes the whole conversation behind it cold. A source may be stricter and hold what has
//! changed back until a compaction. Sections that change all the time go to the tail of the request.

use throughline_prompt::{BuiltPrompt, PromptBuilder, PromptSection, SectionError};

use crate::engine::{Engine, Wire};

/// The prompt is built.
#[derive(Debug)]
pub(crate) struct Prompted {
    /// Sections for the tail of this request.
    pub(crate) tail: Vec<String>,
}

pub(crate) async fn build_prompt(engine: &mut Engine, wire: &Wire<'_>) -> Prompted {
    let sections = gather(engine, wire).await;
    let built = build(engine, sections);
    let epoch = engine.view.epoch();
    if engine.fresh_turn || engine.prompt_epoch != Some(epoch) {
        engine.set_system(&built.system);
        engine.prompt_epoch = Some(epoch);
    }
    let mut tail = built.tail;
    tail.extend(engine.resumed.clone());
    tail.extend(engine.recalled.clone());
    tail.extend(engine.complaints.iter().cloned());
    Prompted { tail }
}

/// Builds the system prompt anew when the view was compacted since: what is sent next is cold as it is. Left for the
/// request after, a changed section would make all of it cold a second time.
pub(crate) async fn renew_prompt(engine: &mut Engine, wire: &Wire<'_>) {
    if engine.rewritten {
        let sections = gather(engine, wire).await;
        let built = build(engine, sections);
        engine.set_system(&built.system);
        engine.prompt_epoch = Some(engine.view.epoch());
    }
}

async fn gather(engine: &mut Engine, wire: &Wire<'_>) -> Vec<PromptSection> {
    let mut all = Vec::new();
    if std::mem::take(&mut engine.rewritten) {
        engine.parts.sources.iter().for_each(|source| source.renew());
    }
    for source in engine.parts.sources.clone() {
        let name = source.name();
        match source.sections().await {
            Ok(sections) => {
                engine.last_sections.insert(name, sections.clone());
                all.extend(sections);
            }
            // What it gave before is still true, and it keeps the cached prefix warm.
            Err(error @ SectionError::Unavailable { .. }) if engine.last_sections.contains_key(&name) => {
                let fallback = format!("section source {name:?} is shown as it was before");
                engine.degrade(wire, "prompt", &fallback, &error);
                all.extend(engine.last_sections.get(&name).cloned().unwrap_or_default());
            }
            Err(error) => {
                let fallback = format!("section source {name:?} is left out");
                engine.degrade(wire, "prompt", &fallback, &error);
            }
        }
    }
    all
}

fn build(engine: &Engine, sections: Vec<PromptSection>) -> BuiltPrompt {
    let mut builder = PromptBuilder::new(engine.parts.settings.placement);
    for section in sections {
        builder.add(section);
    }
    builder.build()
}
