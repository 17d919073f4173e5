//! Thinking is asked for where the API takes it.

use proptest::prelude::*;
use throughline_completion::CompletionRequest;
use throughline_conversation::{ContentBlock, Message, Role, Thinking};
use throughline_testkit::{parse, request};

use super::*;
use crate::anthropic::{encode, encode_with};
use crate::tests::example;
use crate::tests::samples::any_request;
use crate::validate::{self, Alternation};

/// The field `thinking` of a request with this budget and room for this many tokens.
fn asked(budget: u64, max_output_tokens: u64, messages: Vec<Message>) -> Option<Value> {
    let request = CompletionRequest { max_output_tokens, ..request(messages) };
    let body = encode_with(
        &request,
        &AnthropicOptions { thinking_budget: Some(budget), ..AnthropicOptions::default() },
    );
    assert_eq!(validate::anthropic(&body), []);
    let mut without = body.clone();
    let asked = without.as_object_mut().unwrap().shift_remove("thinking");
    assert_eq!(without, encode(&request));
    asked
}

#[test]
fn a_budget_is_asked_for_where_it_fits() {
    let asked = |budget, most| asked(budget, most, parse("user: hi"));
    assert_eq!(asked(1_024, 1_025), Some(json!({"type": "enabled", "budget_tokens": 1_024})));
    assert_eq!(asked(1_024, 1_024), None);
    assert_eq!(asked(1_023, 9_000), None);
    assert_eq!(asked(u64::MAX, 16), None);
}

#[test]
fn a_tool_loop_continues_with_thinking_as_it_began() {
    let loop_of = |thinking: Option<Thinking>| {
        let mut messages = parse("user: a\nassistant: b\n  -> c1 read\nresults:\n  c1 = x");
        messages[1].content.splice(0..0, thinking.map(ContentBlock::Thinking));
        assert_eq!(messages[1].role, Role::Assistant);
        asked(2_000, 9_000, messages).is_some()
    };
    let thinking = |signature: Option<&str>| {
        Some(Thinking { text: "hm".to_owned(), signature: signature.map(str::to_owned), redacted: None })
    };
    assert!(!loop_of(None));
    assert!(!loop_of(thinking(None)));
    assert!(loop_of(thinking(Some("sig"))));
    // Behind an answer without calls thinking may begin.
    assert!(asked(2_000, 9_000, parse("user: a\nassistant: b\nuser: c")).is_some());
}

// Without interleaved thinking a model thinks before the first calls of a loop alone. The field stays, so that the
// provider's cache of the messages does.
#[test]
fn a_tool_loop_that_began_with_thinking_keeps_it_to_its_end() {
    let mut messages = parse(
        "user: a
         assistant: b
           -> c1 read
         results:
           c1 = x
         assistant:
           -> c2 read
         results:
           c2 = y
         assistant:
           -> c3 read
         results:
           c3 = z",
    );
    let thinking = Thinking { text: "hm".to_owned(), signature: Some("sig".to_owned()), redacted: None };
    messages[1].content.insert(0, ContentBlock::Thinking(thinking));
    let field = Some(json!({"type": "enabled", "budget_tokens": 2_000}));
    for until in [1, 3, 5, 7] {
        assert_eq!(asked(2_000, 9_000, messages[..until].to_vec()), field, "{until}");
    }
    // What the user says among the results begins a turn of its own, and this one has no thinking.
    messages.insert(5, Message::user("hurry"));
    assert_eq!(asked(2_000, 9_000, messages[..6].to_vec()), field);
    assert_eq!(asked(2_000, 9_000, messages), None);
}

/// The fields of a request that asks a model of this form to think with this many tokens.
fn fields(thinking_form: ThinkingForm, budget: u64) -> (Option<Value>, Option<Value>) {
    let request = CompletionRequest { max_output_tokens: 9_000, ..request(parse("user: hi")) };
    let options = AnthropicOptions {
        thinking_budget: Some(budget),
        thinking_form,
        bound_thinking: false,
        ..AnthropicOptions::default()
    };
    let body = encode_with(&request, &options);
    assert_eq!(validate::anthropic_with(&body, Alternation::Strict, Some(thinking_form)), []);
    (body.get("thinking").cloned(), body.get("output_config").cloned())
}

#[test]
fn a_number_of_tokens_selects_an_effort_where_the_model_takes_none() {
    let adaptive = json!({"type": "adaptive", "display": "summarized"});
    for (budget, effort) in
        [(1, "low"), (2_047, "low"), (2_048, "medium"), (8_191, "medium"), (8_192, "high")]
    {
        let effort = json!({"effort": effort});
        assert_eq!(
            fields(ThinkingForm::Adaptive, budget),
            (Some(adaptive.clone()), Some(effort)),
            "{budget}"
        );
    }
    // The answer may be shorter than the number: it is no part of it.
    assert_eq!(fields(ThinkingForm::Adaptive, u64::MAX).0, Some(adaptive));
    assert_eq!(fields(ThinkingForm::Adaptive, 0), (None, None));
    let enabled = json!({"type": "enabled", "budget_tokens": 2_048});
    assert_eq!(fields(ThinkingForm::Either, 2_048), (Some(enabled), None));
}

#[test]
fn thinking_that_is_bound_is_dropped_rather_than_refused() {
    let field = |thinking_budget, thinking_form| {
        let options = AnthropicOptions {
            thinking_budget,
            thinking_form,
            bound_thinking: true,
            ..AnthropicOptions::default()
        };
        let body = encode_with(&example::tool_loop(), &options);
        assert_eq!(validate::anthropic_with(&body, Alternation::Strict, Some(ThinkingForm::Adaptive)), []);
        (body["thinking"].clone(), body.get("output_config").cloned())
    };
    let drops = json!({"prefix_mismatch_behavior": "drop_block"});
    // Such a model thinks unasked, so nothing else is asked for.
    let unasked = json!({"type": "adaptive", "block_binding": drops});
    assert_eq!(field(None, ThinkingForm::Adaptive), (unasked.clone(), None));
    assert_eq!(field(Some(0), ThinkingForm::Budget), (unasked, None));
    let asked = json!({"type": "adaptive", "display": "summarized", "block_binding": drops});
    let effort = Some(json!({"effort": "low"}));
    assert_eq!(field(Some(1_024), ThinkingForm::Adaptive), (asked.clone(), effort.clone()));
    assert_eq!(field(Some(1_024), ThinkingForm::Budget), (asked, effort));
}

proptest! {
    // Law I-1: whatever the transcript, thinking makes no body one that the API refuses.
    #[test]
    fn a_request_with_thinking_has_a_body_without_faults(request in any_request(), budget in 0_u64..6_000) {
        let request = CompletionRequest { max_output_tokens: 4_000, ..request };
        for thinking_form in [ThinkingForm::Budget, ThinkingForm::Either, ThinkingForm::Adaptive] {
            let options = AnthropicOptions { thinking_budget: Some(budget), thinking_form, bound_thinking: false, ..AnthropicOptions::default() };
            let body = encode_with(&request, &options);
            prop_assert_eq!(validate::anthropic_with(&body, Alternation::Strict, Some(thinking_form)), vec![], "{:#}", body);
        }
    }
}
