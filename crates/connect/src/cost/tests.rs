//! One session, added up by its events and by its log.

use std::collections::BTreeMap;

use throughline_conversation::{AnswerIdentity, ForeignTools, ModelRecord, ModelUse, Receipt, Usage};

use super::*;

const LARGE: &str = "claude-opus-4-1";
const SMALL: &str = "claude-haiku-4-5";

fn usage(input: u64) -> Usage {
    Usage { input, cache_read: 3 * input, cache_write: 0, output: input / 10, searches: 0 }
}

fn answered(usage: Option<Usage>) -> Event {
    Event::Answered { usage, stop: "end_turn".to_owned(), identity: AnswerIdentity::default() }
}

fn switched(model: &str) -> Event {
    Event::Switched { from: String::new(), to: format!("anthropic/{model}"), why: "overloaded".to_owned() }
}

fn model_record(model: &str) -> RecordBody {
    RecordBody::Model(ModelRecord {
        origin: Arc::new(Origin::new("anthropic", model)),
        window: 200_000,
        learnt: BTreeMap::new(),
        foreign: ForeignTools::default(),
        thinking_from: None,
        thinking: None,
    })
}

fn receipt(model: &str, reported: Option<Usage>) -> RecordBody {
    let (model, predicted) = (model.to_owned(), usage(7));
    RecordBody::Receipt(Box::new(Receipt { model, predicted, reported, ..throughline_testkit::receipt() }))
}

fn summaries(model: &str, reported: u64, unreported: u64) -> ModelUse {
    let mut used = ModelUse::of(Origin::new("anthropic", model));
    (0..reported).for_each(|_| used.add(usage(50_000)));
    (0..unreported).for_each(|_| used.add_unreported());
    used
}

#[test]
fn events_and_log_give_one_cost_across_a_fallback() {
    let table = ModelTable::builtin();
    let mut meter = CostMeter::new(table.clone(), Origin::new("anthropic", LARGE));
    for event in [
        answered(Some(usage(100_000))),
        Event::Spent(summaries(LARGE, 1, 0)),
        switched(SMALL),
        answered(Some(usage(200_000))),
        Event::Spent(summaries(SMALL, 2, 0)),
    ] {
        assert!(meter.take(&event));
    }
    let log = [
        model_record(LARGE),
        receipt(LARGE, Some(usage(100_000))),
        RecordBody::Spent(summaries(LARGE, 1, 0)),
        model_record(SMALL),
        receipt(SMALL, Some(usage(200_000))),
        RecordBody::Spent(summaries(SMALL, 2, 0)),
    ];
    let by_log = cost_of(&log, &table);
    assert_eq!(*meter.cost(), by_log);
    assert_eq!((by_log.requests, by_log.side_requests), (2, 3));
    let price = |model| table.find("anthropic", model).price();
    let of = |model, tokens| price(model).dollars(usage(tokens)).unwrap();
    let expected = of(LARGE, 100_000) + of(LARGE, 50_000) + of(SMALL, 200_000) + 2.0 * of(SMALL, 50_000);
    let dollars = by_log.dollars().exact().unwrap();
    assert!((dollars - expected).abs() < 1e-9, "{dollars} instead of {expected}");
}

#[test]
fn the_text_says_why_a_cost_is_not_exact() {
    let table = ModelTable::builtin();
    let mut meter = CostMeter::new(table, Origin::new("anthropic", SMALL));
    assert_eq!(cost_text(meter.cost()), "nothing yet");
    meter.take(&answered(Some(Usage { input: 1_000_000, ..Usage::default() })));
    let exact = cost_text(meter.cost());
    assert!(exact.starts_with('$') && !exact.contains(':'), "{exact}");
    meter.take(&answered(None));
    let unreported = format!("at least {exact}: the provider reported no usage for 1 request");
    assert_eq!(cost_text(meter.cost()), unreported);
    meter.set_origin(Origin::new("compatible", "house"));
    meter.take(&answered(Some(usage(1))));
    assert_eq!(cost_text(meter.cost()), format!("{unreported}, and the price of 1 request is unknown"));
    let mut unknown = CostMeter::default();
    unknown.take(&answered(Some(usage(1))));
    assert!(cost_text(unknown.cost()).starts_with("unknown: "));
}
