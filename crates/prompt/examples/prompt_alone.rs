//! The prompt without the rest: sections in order of stability, the cache breakpoints of a request, and the note at its end.

use throughline_budget::ScriptAwareEstimator;
use throughline_completion::CacheRules;
use throughline_conversation::{
    ExchangeId, Message, MessageRecord, Millis, ProjectError, Record, RecordBody, Seq, Source, TokenCounter,
    project,
};
use throughline_prompt::{
    BreakpointPlanner, DynamicPlacement, PlanInput, PromptBuilder, PromptSection, SectionFigures,
};

// S3-30
fn main() -> Result<(), ProjectError> {
    let mut builder = PromptBuilder::new(DynamicPlacement::LastUser);
    builder.add(PromptSection::scratchpad("scratchpad", "Plan: 1. read the parser 2. fix it"));
    builder.add(PromptSection::project("AGENTS.md", "Run `cargo test` before each commit. ".repeat(40)));
    builder.add(PromptSection::base("base", "You are a careful engineer. ".repeat(60)));
    let prompt = builder.build();
    println!("order: {:?}", prompt.system.iter().map(|section| section.name.as_str()).collect::<Vec<_>>());
    println!("at the end of the request: {:?}", prompt.tail);

    let message = MessageRecord {
        message: Message::user("Why does the parser fail?"),
        source: Source::User,
        usage: None,
    };
    let body = RecordBody::Message(message);
    let log = [Record { seq: Seq(1), at: Millis(0), exchange: ExchangeId(1), body }];
    let view = project(&log, &ScriptAwareEstimator)?;
    let figures = SectionFigures::of(&prompt.system, &ScriptAwareEstimator);
    let input = PlanInput {
        rules: CacheRules { min_tokens: 100, ..CacheRules::anthropic() },
        tools: 12,
        tools_tokens: ScriptAwareEstimator.text(&"tool ".repeat(400)),
        system: &figures,
        entries: view.entries(),
        conversation_tokens: view.tokens(),
        epoch: view.epoch(),
    };
    for breakpoint in BreakpointPlanner::new().plan(&input) {
        println!("breakpoint: {:?}", breakpoint.place);
    }
    Ok(())
}
