//! The prompt without the rest: sections in order of stability, the cache breakpoints of a request, and the note at its end.

use throughline_completion::CacheRules;
use throughline_conversation::TokenCounter;
use throughline_prompt::{
    BreakpointPlanner, DynamicPlacement, PlanInput, PromptBuilder, PromptSection, SectionFigures,
};
use throughline_testkit::{WordCounter, view};

// S3-30
fn main() {
    let mut builder = PromptBuilder::new(DynamicPlacement::LastUser);
    builder.add(PromptSection::scratchpad("scratchpad", "Plan: 1. read the parser 2. fix it"));
    builder.add(PromptSection::project("AGENTS.md", "Run `cargo test` before each commit. ".repeat(40)));
    builder.add(PromptSection::base("base", "You are a careful engineer. ".repeat(60)));
    let prompt = builder.build();
    println!("order: {:?}", prompt.system.iter().map(|section| section.name.as_str()).collect::<Vec<_>>());
    println!("at the end of the request: {:?}", prompt.tail);

    let view = view("user: Why does the parser fail?\nassistant: I read the parser first.");
    let figures = SectionFigures::of(&prompt.system, &WordCounter);
    let input = PlanInput {
        rules: CacheRules { min_tokens: 100, ..CacheRules::anthropic() },
        tools: 12,
        tools_tokens: WordCounter.text(&"tool ".repeat(400)),
        system: &figures,
        entries: view.entries(),
        conversation_tokens: view.tokens(),
        epoch: view.epoch(),
    };
    for breakpoint in BreakpointPlanner::new().plan(&input) {
        println!("breakpoint: {:?}", breakpoint.place);
    }
}
