//! Windows and outputs that a user asks for.

use throughline_providers::models::ModelTable;

use throughline_settings::Origin;

use super::*;
use crate::choice::CompletedFigures;

fn row(provider: &str, model: &str) -> ModelRow {
    ModelTable::builtin().find(provider, model)
}

fn asking(window: u64) -> ModelChoice {
    ModelChoice { window: Some(window), ..ModelChoice::default() }
}

#[test]
fn a_window_above_an_assumed_one_is_used() {
    let mut unknown = row("compatible", "house-special");
    let mut source = WindowSource::of_row(&unknown);
    set_window(&mut unknown, &asking(100_000), &mut source);
    assert_eq!((unknown.info.window, source), (100_000, WindowSource::Chosen));
    assert!(!unknown.note.unwrap().contains("32,768"));
}

#[test]
fn a_window_above_a_known_one_is_not_used() {
    let mut known = row("anthropic", "claude-sonnet-4-5");
    let own = known.info.window;
    let mut source = WindowSource::of_row(&known);
    let origin = Origin::Variable("THROUGHLINE_MODEL_WINDOW".to_owned());
    let figure = SettingFigure { key: "model.window", tokens: 10 * own, origin };
    let completed = CompletedFigures { window: Some(figure), ..CompletedFigures::default() };
    set_window(&mut known, &ModelChoice { completed, ..asking(10 * own) }, &mut source);
    assert_eq!((known.info.window, &source), (own, &WindowSource::Table));
    let note = known.note.clone().unwrap();
    assert!(note.contains("($THROUGHLINE_MODEL_WINDOW) is more than claude-sonnet-4-5 has"), "{note}");
    set_window(&mut known, &asking(64_000), &mut source);
    assert_eq!((known.info.window, source), (64_000, WindowSource::Chosen));
}

#[test]
fn the_notice_of_an_assumed_window_names_the_file_an_example_and_the_option() {
    let mut unknown = row("compatible", "house-special");
    add_advice(&mut unknown, &ModelChoice::default());
    let note = unknown.note.unwrap();
    for part in ["32,768", "--window", "models.toml", "[[model]]", "name = \"house-special\""] {
        assert!(note.contains(part), "{part}: {note}");
    }
}

#[test]
fn a_thinking_budget_that_the_model_does_not_take_is_an_error_that_names_what_it_takes() {
    let check = |provider: Provider, model, budget| {
        let choice = ModelChoice { thinking: Some(budget), ..ModelChoice::default() };
        let checked = check_thinking(&row(provider.name(), model), &choice, provider);
        checked.err().map(|error| error.text()).unwrap_or_default()
    };
    for (provider, model) in [(Provider::Anthropic, "claude-3-5-haiku"), (Provider::Openai, "gpt-4.1")] {
        let said = check(provider, model, 1_000);
        assert!(said.starts_with(&format!("{model} takes no thinking budget")), "{said}");
    }
    for (provider, model, budget, takes) in [
        (Provider::Openai, "gpt-5", 0, "--thinking 0 cannot be asked of openai/gpt-5, which takes an effort"),
        (Provider::Compatible, "house", 0, "compatible/house, which takes an effort"),
        (Provider::Gemini, "gemini-2.5-pro", 0, "gemini/gemini-2.5-pro, which takes 128 to 32,768 tokens"),
        (Provider::Gemini, "gemini-2.5-flash", 30_000, "takes 0 to 24,576 tokens"),
        (Provider::Gemini, "gemini-2.5-flash-lite", 100, "takes 512 to 24,576 tokens, or 0 for none"),
        (
            Provider::Gemini,
            "gemini-3.8-flash",
            0,
            "gemini/gemini-3.8-flash, which takes a level and always thinks",
        ),
        (Provider::Gemini, "gemini-3-pro", 4_096, "below 2,048 tokens is low, from 8,192 high"),
        (Provider::Ollama, "gpt-oss:20b", 0, "ollama/gpt-oss:20b, which takes an effort and always thinks"),
    ] {
        let said = check(provider, model, budget);
        assert!(said.contains(takes), "{said}");
    }
    let origin = Origin::Variable("THROUGHLINE_MODEL_THINKING".to_owned());
    let figure = SettingFigure { key: "model.thinking", tokens: 0, origin };
    let completed = CompletedFigures { thinking: Some(figure), ..CompletedFigures::default() };
    let choice = ModelChoice { thinking: Some(0), completed, ..ModelChoice::default() };
    let said = check_thinking(&row("openai", "gpt-5"), &choice, Provider::Openai).unwrap_err().text();
    assert!(said.starts_with("model.thinking = 0 ($THROUGHLINE_MODEL_THINKING) cannot be asked"), "{said}");
    for (provider, model, budget) in [
        (Provider::Anthropic, "claude-sonnet-4-5", 1_000),
        (Provider::Anthropic, "claude-of-tomorrow", 1_000),
        (Provider::Openai, "gpt-5", 1_000),
        (Provider::Compatible, "house", 1),
        (Provider::Gemini, "gemini-2.5-pro", 32_768),
        (Provider::Gemini, "gemini-3.5-flash", 0),
        (Provider::Gemini, "gemini-3.8-flash", 4_096),
        (Provider::Ollama, "qwen3:8b", 0),
    ] {
        assert_eq!(check(provider, model, budget), "");
    }
}

#[test]
fn openai_s_breakpoints_and_web_search_are_for_responses_alone() {
    for (api, marked) in [(None, true), (Some(Api::Responses), true), (Some(Api::Chat), false)] {
        let mut row = row("openai", "gpt-6-sol");
        limit_by_choice(&mut row, &ModelChoice { api, ..ModelChoice::default() });
        assert_eq!((row.cache_breakpoints, row.info.cache.max_breakpoints > 0), (marked, marked), "{api:?}");
        assert_eq!(row.info.web_search, marked, "{api:?}");
    }
}

#[test]
fn a_thinking_budget_out_of_the_range_names_the_range() {
    let check = |model: &str, budget| {
        let choice = ModelChoice { thinking: Some(budget), ..ModelChoice::default() };
        let checked = check_budget(&row("anthropic", model), &choice, Provider::Anthropic);
        checked.err().map(|error| error.text()).unwrap_or_default()
    };
    for budget in [1, 1_023, 64_000, 99_999_999] {
        let said = check("claude-sonnet-4-5", budget);
        assert!(said.contains("1,024 to 63,999 tokens"), "{budget}: {said}");
    }
    for budget in [0, 1_024, 16_384, 20_000, 63_999] {
        assert_eq!(check("claude-sonnet-4-5", budget), "", "{budget}");
    }
    // An effort is chosen by any number.
    assert_eq!(check("claude-opus-4-7", 1), "");
}
