//! Tests of an audit's parts.

use throughline_completion::{CacheRules, Price, Prices};
use throughline_conversation::{Role, Usage};
use throughline_replay::{
    Format, RecordedSession, RecordedStep, RecordedTurn, RequestFacts, RequestTerms, SessionPart,
    UnshownAnswer,
};
use throughline_terminal::Style;
use throughline_testkit::{WordCounter, parse};

use super::causes::RequestUse;
use super::shown_file::file_of_command;
use super::{AuditOptions, AuditReport, Causes, CountedAnswers, ModelPrice, audit, text};

/// A session of these messages.
fn session(notation: &str) -> RecordedSession {
    let mut turns: Vec<RecordedTurn> = Vec::new();
    for message in parse(notation) {
        let is_result = message.tool_results().next().is_some();
        match (message.role, turns.last_mut()) {
            (Role::Assistant, Some(turn)) => turn.steps.push(RecordedStep {
                assistant: message,
                results: Vec::new(),
                usage: None,
                asked_at: None,
                answered_at: None,
                request: RequestFacts::default(),
            }),
            (Role::User, Some(turn)) if is_result => {
                turn.steps.last_mut().unwrap().results.extend(message.tool_results().cloned());
            }
            _ => turns.push(RecordedTurn { user: message, steps: Vec::new() }),
        }
    }
    RecordedSession {
        id: "sample".to_owned(),
        file: "sample.jsonl".into(),
        format: Format::Pi,
        model: None,
        title: None,
        system: None,
        part: SessionPart::Conversation,
        parent: None,
        turns,
        open_request: None,
        separate: Vec::new(),
        warnings: Vec::new(),
        repairs: Vec::new(),
        recorded_compactions: 0,
    }
}

/// Puts a report of a prompt of this many tokens at each step, in order.
fn with_prompts(mut session: RecordedSession, prompts: &[u64]) -> RecordedSession {
    let steps = session.turns.iter_mut().flat_map(|turn| &mut turn.steps);
    for (step, prompt) in steps.zip(prompts) {
        step.usage = Some(Usage { input: *prompt, ..Usage::default() });
    }
    session
}

/// One dollar for a million tokens of input.
fn price(rules: CacheRules) -> ModelPrice {
    ModelPrice {
        price: Price {
            multiples: Prices::openai(),
            dollars_per_million_input: Some(1.0),
            dollars_per_search: None,
        },
        rules,
    }
}

fn causes(read: u64, input: u64, rules: CacheRules) -> Causes {
    let usage = Usage { input, cache_read: read, ..Usage::default() };
    let request = RequestUse { usage, hour_write: 0, before: Some(10_000), compacted: false, cold: false };
    request.causes(&price(rules))
}

#[test]
fn a_cache_that_reads_in_steps_has_not_changed_its_prefix() {
    let found = causes(9_900, 600, CacheRules::automatic());
    assert_eq!((found.new_text.tokens, found.prefix_changes.tokens), (600, 0));
    let found = causes(9_900, 600, CacheRules::anthropic());
    assert_eq!((found.new_text.tokens, found.prefix_changes.tokens), (500, 100));
}

#[test]
fn independent_reads_could_have_been_one_request() {
    let found = |notation: &str| {
        let prompts = [1_000, 1_100, 1_200, 1_300, 1_400];
        let session = with_prompts(session(notation), &prompts);
        let options =
            AuditOptions { counter: &WordCounter, price: &|_| price(CacheRules::automatic()), overhead: 400 };
        audit(&session, &options, &mut CountedAnswers::default()).mergeable.requests
    };
    let read = |id: &str, path: &str, shows: &str| {
        format!("assistant:\n-> {id} read {{\"path\":\"{path}\"}}\nresults:\n{id} = {shows}\n")
    };
    let start = "user: Compare a.rs with b.rs.\n";
    let both = [start, &read("c1", "a.rs", "fn one() {}"), &read("c2", "b.rs", "fn two() {}")].concat();
    assert_eq!(found(&both), 1, "both names were known");
    let found_there = [start, &read("c1", "a.rs", "mod parser;"), &read("c2", "parser.rs", "x")].concat();
    assert_eq!(found(&found_there), 0, "the first result has named the second file");
    let edit =
        "assistant:\n-> c2 edit {\"path\":\"a.rs\",\"old\":\"one\",\"new\":\"two\"}\nresults:\nc2 = ok\n";
    let changed = [start, &read("c1", "a.rs", "fn one() {}"), edit, &read("c3", "b.rs", "x")].concat();
    assert_eq!(found(&changed), 0, "an edit stands between the reads");
}

#[test]
fn commands_that_only_show_a_file() {
    let shown = |command: &str| file_of_command(command);
    assert_eq!(shown("sed -n 1,80p src/main.rs").as_deref(), Some("src/main.rs"));
    assert_eq!(shown("cat \"notes.md\"").as_deref(), Some("notes.md"));
    for other in
        ["sed -i s/a/b/ src/main.rs", "cat a.rs | wc -l", "cat a.rs > b.rs", "ls src/", "head -5", ""]
    {
        assert_eq!(shown(other), None, "{other}");
    }
}

#[test]
fn shares_of_tools_and_causes_have_one_sum() {
    let recorded = session(
        "user: read it\nassistant: let me look\n  -> c1 read {\"path\":\"a.rs\"}\nresults:\n  c1 = one two three\n\
         assistant: done\nuser: again\nassistant: yes",
    );
    for recorded in [with_prompts(recorded.clone(), &[500, 520, 300]), recorded] {
        let options =
            AuditOptions { counter: &WordCounter, price: &|_| price(CacheRules::automatic()), overhead: 400 };
        let found = audit(&recorded, &options, &mut CountedAnswers::default());
        let by_tool: f64 = found.tools.iter().map(super::ToolCost::dollars).sum();
        assert!(
            found.dollars > 0.0 && (by_tool - found.dollars).abs() < 1e-12,
            "{by_tool} {}",
            found.dollars
        );
    }
}

/// The second of two requests, which follows a compaction.
fn compacted(change: impl FnOnce(&mut RecordedStep)) -> AuditReport {
    let mut recorded =
        with_prompts(session("user: go\nassistant: yes\nuser: more\nassistant: done"), &[9_000, 3_000]);
    let second = &mut recorded.turns[1].steps[0];
    second.request.compacted = true;
    change(second);
    let paid = price(CacheRules::automatic());
    let paid = ModelPrice { price: Price { dollars_per_search: Some(0.01), ..paid.price }, ..paid };
    let options = AuditOptions { counter: &WordCounter, price: &|_| paid, overhead: 400 };
    AuditReport::of(vec![audit(&recorded, &options, &mut CountedAnswers::default())], Vec::new())
}

#[test]
fn a_summary_with_usage_is_counted_and_not_estimated() {
    let without = compacted(|_| {});
    let usage = Usage { input: 9_100, output: 500, ..Usage::default() };
    let with = compacted(|step| {
        step.request.unshown.push(UnshownAnswer {
            answer: None,
            model: None,
            usage,
            hour_write: 0,
            terms: RequestTerms::default(),
            answered_at: None,
            is_summary: true,
        });
    });
    let paid = price(CacheRules::automatic()).dollars(usage, 0);
    let of = |report: &AuditReport| report.sessions[0].compactions[0];
    assert!(of(&without).summary.is_none() && of(&without).summary_estimate > 0.0);
    assert_eq!((of(&with).summary, of(&with).summary_estimate), (Some(paid), 0.0));
    let near = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-12, "{found} {expected}");
    near(with.totals.dollars - without.totals.dollars, paid);
    near(with.totals.causes.compactions.dollars - without.totals.causes.compactions.dollars, paid);
    assert_eq!(with.totals.causes.compactions.tokens - without.totals.causes.compactions.tokens, 9_600);
    let says =
        |report: &AuditReport| text(report, Style::with_colour(false)).join(" ").contains("do not have the");
    assert!(says(&without) && !says(&with));
}

#[test]
fn searches_have_their_price_and_requests_of_another_price_are_named() {
    let plain = compacted(|_| {});
    let found = compacted(|step| {
        step.usage.as_mut().unwrap().searches = 10;
        step.request.terms.fast = true;
    });
    assert!((found.totals.dollars - plain.totals.dollars - 0.1).abs() < 1e-12, "{}", found.totals.dollars);
    assert!((found.totals.causes.output.dollars - plain.totals.causes.output.dollars - 0.1).abs() < 1e-12);
    let says = |report: &AuditReport| text(report, Style::with_colour(false)).join(" ").contains("fast mode");
    assert!(says(&found) && !says(&plain));
}

#[test]
fn a_batch_costs_half_and_servers_in_the_us_only_cost_a_tenth_more() {
    let second = |terms: RequestTerms| {
        let report = compacted(|step| step.request.terms = terms);
        report.sessions[0].steps[1].causes.dollars()
    };
    let plain = second(RequestTerms::default());
    let check = |terms: RequestTerms, times: f64| {
        let found = second(terms);
        assert!((found - plain * times).abs() < 1e-12, "{found} {plain}");
    };
    check(RequestTerms { batch: true, ..RequestTerms::default() }, 0.5);
    check(RequestTerms { us_only: true, ..RequestTerms::default() }, 1.1);
    check(RequestTerms { batch: true, us_only: true, fast: false }, 0.55);
}

/// Without a price.
fn unpriced() -> ModelPrice {
    let price = price(CacheRules::automatic());
    ModelPrice { price: Price { dollars_per_million_input: None, ..price.price }, ..price }
}

fn report(notation: &str, prompts: &[u64], price: ModelPrice) -> AuditReport {
    let options = AuditOptions { counter: &WordCounter, price: &|_| price, overhead: 400 };
    let session = with_prompts(session(notation), prompts);
    AuditReport::of(vec![audit(&session, &options, &mut CountedAnswers::default())], Vec::new())
}

#[test]
fn a_front_is_not_larger_than_the_smallest_prompt() {
    let notation = "user: go ahead\nassistant: yes\nuser: more\nassistant: done";
    let begun = report(notation, &[9_000, 3_000], price(CacheRules::automatic()));
    let found = &begun.sessions[0];
    assert_eq!((found.front, found.earlier), (3_000, 5_998));
    let by_tool: f64 = found.tools.iter().map(super::ToolCost::dollars).sum();
    assert!((by_tool - found.dollars).abs() < 1e-12, "{by_tool} {}", found.dollars);
    let text = text(&begun, Style::with_colour(false)).join("\n");
    assert!(text.contains("5,998 tokens of the first request are earlier"), "{text}");
    let less = &report(notation, &[9_000, 7_500], price(CacheRules::automatic())).sessions[0];
    assert_eq!((less.front, less.earlier), (7_500, 0), "the rest is text that the log does not show");
    let whole = &report(notation, &[9_000, 9_500], price(CacheRules::automatic())).sessions[0];
    assert_eq!((whole.front, whole.earlier), (8_998, 0));
}

#[test]
fn tokens_without_a_price_are_counted_and_sorted() {
    let notation = "user: look\nassistant:\n-> c1 list {\"path\":\"a\"}\nresults:\nc1 = one\n\
         assistant:\n-> c2 read {\"path\":\"b.rs\"}\nresults:\nc2 = one two three four five six\nassistant: done";
    let found = report(notation, &[1_000, 1_010, 1_030], unpriced());
    let session = &found.sessions[0];
    assert_eq!((session.unpriced_requests, session.dollars), (3, 0.0));
    let tokens: u64 = found.totals.causes.named().iter().map(|(_, spent)| spent.tokens).sum();
    assert_eq!(tokens, 3_040 + session.usage.output);
    let sizes: Vec<f64> = session.largest.iter().map(|item| item.tokens).collect();
    assert!(sizes.is_sorted_by(|one, other| one >= other) && sizes.len() > 4, "{sizes:?}");
    assert!(session.tools.is_sorted_by(|one, other| one.tokens >= other.tokens), "{:?}", session.tools);
    let text = text(&found, Style::with_colour(false)).join("\n");
    for part in ["By tool, in tokens", "Largest items, in tokens", "read: b.rs", "list: a"] {
        assert!(text.contains(part), "{part} in {text}");
    }
}

#[test]
fn a_long_path_of_an_item_shows_its_file() {
    let notation = "user: look\nassistant:\n-> c1 read {\"path\":\"/Users/someone/a/rather/long/folder/with/more/folders/in/it/ledger.rs\"}\n\
         results:\nc1 = one\nassistant: done";
    let text =
        text(&report(notation, &[1_000, 1_010], price(CacheRules::automatic())), Style::with_colour(false))
            .join("\n");
    assert!(text.contains("read: …") && text.contains("folders/in/it/ledger.rs"), "{text}");
}
