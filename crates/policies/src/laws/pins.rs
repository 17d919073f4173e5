//! Pins hold under every policy: each pinned text is in the view after every compaction, word for word.

use proptest::prelude::*;
use throughline_compaction::{CompactionPolicy, Compactor, Goal, TargetSize};
use throughline_conversation::{
    ContentBlock, Documents, EntryKind, ExchangeId, Groups, Mark, Pin, PinnedText, View,
};
use throughline_testkit::WordCounter;

use super::chains::{Chain, chain};
use super::{Event, Play, event};

/// A chain, or that of policy throughline.
fn compactor(chain: Option<&Chain>) -> Compactor {
    let target = TargetSize { fraction: 0.5, tokens: 200 };
    let own = CompactionPolicy { target, minimum_gain: 0.0, max_failures: 0, ..CompactionPolicy::default() };
    chain.map_or_else(|| Compactor::new(own, None), Chain::compactor)
}

/// Every text of the messages in view that can be pinned.
fn candidates(view: &View) -> Vec<(ExchangeId, PinnedText)> {
    let said = view.native().iter().filter(|entry| entry.kind != EntryKind::Summary);
    let texts = said.flat_map(|entry| {
        let seq = entry.span.first;
        entry
            .message
            .content
            .iter()
            .filter_map(move |block| PinnedText::of_block(seq, block))
            .map(move |text| (entry.exchange, text))
    });
    texts.collect()
}

/// Pins one of the texts in view, or the start of it.
fn pin(play: &mut Play, pins: &mut Vec<Pin>, which: usize, most: Option<usize>) {
    let mut found = candidates(&play.view);
    if found.is_empty() {
        return;
    }
    let (exchange, mut pinned) = found.swap_remove(which % found.len());
    if let Some(most) = most {
        pinned.text = pinned.text.chars().take(most).collect();
    }
    if pinned.text.trim().is_empty() {
        return;
    }
    pins.push(Pin { number: pins.len() as u32 + 1, exchange, texts: vec![pinned] });
    let marks: Vec<Mark> = pins.iter().cloned().map(Mark::Pin).collect();
    play.view = play.view.clone().with(Groups::from_marks(&marks), Documents::default(), &WordCounter);
}

fn shows(view: &View, text: &str) -> bool {
    view.entries().iter().flat_map(|entry| &entry.message.content).any(|block| match block {
        ContentBlock::Text { text: said } => said.contains(text),
        ContentBlock::ToolResult(result) => result.content.contains(text),
        _ => false,
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn each_pinned_text_is_in_view_after_any_compactions_under_any_chain(
        chain in prop::option::of(chain()),
        events in prop::collection::vec(event(), 1..50),
        choices in prop::collection::vec(prop::option::of((0..100_usize, prop::option::of(1..60_usize))), 50),
    ) {
        let compactor = compactor(chain.as_ref());
        let mut play = Play::new(chain.as_ref().is_some_and(Chain::moves_request));
        let mut pins = Vec::new();
        let last = [Event::Compacts { room: 400, goal: Goal::Deep }, Event::Compacts { room: 400, goal: Goal::MustFit(200) }];
        for (event, choice) in events.iter().zip(&choices).chain(last.iter().zip(&choices)) {
            match event {
                Event::Compacts { room, goal } => play.compact(&compactor, *room, *goal),
                event => play.play(event),
            }
            for pinned in pins.iter().flat_map(|pin: &Pin| &pin.texts) {
                prop_assert!(shows(&play.view, &pinned.text), "{:?} of record {}", pinned.text, pinned.message);
            }
            if let Some((which, most)) = choice {
                pin(&mut play, &mut pins, *which, *most);
            }
        }
    }
}
