//! Laws that hold under every policy: whatever happens in a session, requests stay valid, references are stored, the
//! last request is verbatim, and a call that waits for its result is not touched.

use std::sync::Arc;

use proptest::prelude::*;
use throughline_conversation::{Message, Source, ToolResult};

use throughline_compaction::{CompactionPolicy, Compactor, Goal, StrategyChain};

use super::{Event, Play, event};
use crate::{Dex, Rubichan, Slop, Vibe};

/// The chains with numbers small enough for texts of a few words.
#[derive(Debug, Clone)]
pub(super) enum Chain {
    Dex(Dex),
    Vibe(Vibe),
    Rubichan(Rubichan),
    Slop(Slop),
}

impl Chain {
    pub(super) fn compactor(&self) -> Compactor {
        let chain: Arc<dyn StrategyChain> = match self.clone() {
            Self::Dex(dex) => Arc::new(dex),
            Self::Vibe(vibe) => Arc::new(vibe),
            Self::Rubichan(rubichan) => Arc::new(rubichan),
            Self::Slop(slop) => Arc::new(slop),
        };
        let minimum_gain = if matches!(self, Self::Vibe(_) | Self::Slop(_)) { 0.0 } else { 0.1 };
        let policy = CompactionPolicy { chain, minimum_gain, max_failures: 0, ..CompactionPolicy::default() };
        Compactor::new(policy, None)
    }

    /// Returns true if a compaction may put the last request into its summary.
    pub(super) fn moves_request(&self) -> bool {
        matches!(self, Self::Vibe(_))
    }
}

pub(super) fn chain() -> impl Strategy<Value = Chain> {
    let dex = Dex { keep_messages: 4, ..Dex::default() };
    let rubichan = Rubichan { clear_bytes: 200, summarize_from: 6, ..Rubichan::default() };
    let slop = Slop { recent: 2, recent_chars: 400, older_chars: 200, inactive_chars: 60, ..Slop::default() };
    prop_oneof![
        Just(Chain::Dex(dex)),
        Just(Chain::Vibe(Vibe::default())),
        Just(Chain::Rubichan(rubichan)),
        Just(Chain::Slop(slop)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    // S3-29
    #[test]
    fn a_session_survives_any_compactions_under_any_chain(
        chain in chain(),
        events in prop::collection::vec(event(), 1..50),
    ) {
        let compactor = chain.compactor();
        let mut play = Play::new(chain.moves_request());
        for event in &events {
            match event {
                Event::Compacts { room, goal } => play.compact(&compactor, *room, *goal),
                event => play.play(event),
            }
        }
        play.compact(&compactor, 400, Goal::Deep);
        play.compact(&compactor, 400, Goal::MustFit(200));
    }

    #[test]
    fn a_step_that_waits_is_never_touched_under_any_chain(
        chain in chain(),
        events in prop::collection::vec(event(), 1..40),
        room in 100u64..800,
    ) {
        let compactor = chain.compactor();
        let mut play = Play::new(chain.moves_request());
        events.iter().for_each(|event| play.play(event));
        let message = play.leave_open();
        play.compact(&compactor, room, Goal::Deep);
        play.compact(&compactor, room, Goal::MustFit(room / 2));
        prop_assert_eq!(play.view.entries().last().map(|entry| entry.message.as_ref().clone()), Some(message));
        play.say(Message::results([ToolResult::text("open", "ok")]), Source::Tools);
        prop_assert_eq!(play.view.violations(), []);
    }

    // A summary of summaries does not grow.
    #[test]
    fn summaries_do_not_grow_without_end(which in 0usize..3, size in 20usize..60) {
        let chain: Arc<dyn StrategyChain> = match which {
            0 => Arc::new(Dex { keep_messages: 2, summary_tokens: 60, ..Dex::default() }),
            1 => Arc::new(Vibe { summary_tokens: 60 }),
            _ => Arc::new(Rubichan { summarize_from: 4, summary_tokens: 60, ..Rubichan::default() }),
        };
        let policy = CompactionPolicy {
            chain,
            user_words_tokens: 80,
            minimum_gain: 0.0,
            max_failures: 0,
            ..CompactionPolicy::default()
        };
        let compactor = Compactor::new(policy, None);
        let mut play = Play::new(true);
        for round in 0..20 {
            for _ in 0..4 {
                play.play(&Event::Works { calls: vec![(size, 5, false)], thinks: false, says: 12 });
            }
            play.play(&Event::Says(10));
            play.play(&Event::Asks(6));
            play.compact(&compactor, 400, Goal::Deep);
            prop_assert!(play.view.tokens() < 2_000, "round {round}: {} tokens", play.view.tokens());
        }
    }
}
