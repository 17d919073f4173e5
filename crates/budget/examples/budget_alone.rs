//! The budget without the rest: a request grows, the meter learns from the provider's report, and the thresholds say what
//! is due.

use throughline_budget::{ContextBudget, InvalidThresholds, Meter, ScriptAwareEstimator, Thresholds};
use throughline_conversation::{Components, TokenCounter, Usage};

const WINDOW: u64 = 16_000;
const RESERVED: u64 = 4_000;

// S3-30
fn main() -> Result<(), InvalidThresholds> {
    let counter = ScriptAwareEstimator;
    let limits = Thresholds::default().limits(WINDOW, RESERVED)?;
    let mut meter = Meter::new();
    let mut raw = Components {
        system: counter.text("You are a careful engineer. Read before you edit."),
        tools: 900,
        ..Components::default()
    };
    let page = "The invoice of the second quarter lists every country with its rate. ".repeat(180);
    for request in 1..=5 {
        raw.conversation += counter.text(&page);
        let mut budget = ContextBudget::new(WINDOW, RESERVED);
        budget.measure_usage(&meter.measure(raw));
        println!(
            "request {request}: {:>6} tokens, {:>3.0} %, {:>6} left, {:?}: {:?}",
            budget.used_tokens(),
            budget.used_percentage(),
            budget.remaining_tokens(),
            budget.source,
            limits.pressure(budget.used_tokens()),
        );
        if budget.exceeds_budget() {
            println!("the request does not fit any more");
            break;
        }
        // A provider counts a tenth more than the estimate. From here on only what is added is estimated.
        let usage = Usage { input: raw.total() * 11 / 10, ..Usage::default() };
        meter.anchor(raw.total(), raw.total(), &usage);
    }
    Ok(())
}
