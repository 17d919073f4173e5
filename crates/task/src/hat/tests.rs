//! Prompts of hats, and the template of the scratchpad.

use super::{Hat, SCRATCHPAD_PROMPT, builtin_hats};

// S0-15
#[test]
fn every_hat_ends_with_how_to_keep_a_scratchpad() {
    let own = Hat::new("own", "Do it.\n");
    for hat in builtin_hats().into_iter().chain([own]) {
        let prompt = hat.prompt();
        assert!(prompt.ends_with(SCRATCHPAD_PROMPT.trim_end()), "{}", hat.name);
        assert_eq!(prompt.matches("## Maintaining Your Scratchpad").count(), 1, "{}", hat.name);
    }
}

// S0-15
#[test]
fn the_template_has_its_five_sections_in_order_and_its_last_sentence() {
    let headings: Vec<&str> = SCRATCHPAD_PROMPT
        .lines()
        .filter_map(|line| line.strip_prefix("SCRATCHPAD:").unwrap_or(line).strip_prefix("## "))
        .collect();
    let sections = ["Current Understanding", "Current Plan", "Key Decisions", "Blockers", "Last Action"];
    assert_eq!(headings.split_first(), Some((&"Maintaining Your Scratchpad", sections.as_slice())));
    assert!(
        SCRATCHPAD_PROMPT
            .trim_end()
            .ends_with("\n\nKeep it concise but complete enough to resume with only this information.")
    );
    assert_eq!(SCRATCHPAD_PROMPT.matches("\nSCRATCHPAD:## Current Understanding\n").count(), 1);
}
