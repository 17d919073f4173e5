//! Laws that hold under every preset: whatever happens in a session, requests stay valid, references are stored, the
//! last request is verbatim, and a call that waits for its result is not touched.

use proptest::prelude::*;
use throughline_conversation::{Message, Source, ToolResult};

use super::{Dex, Preset, Rubichan, Slop, Vibe};
use crate::laws::{Event, Play, event};
use crate::{CompactionPolicy, Compactor, Goal};

/// The presets with numbers small enough for texts of a few words.
fn preset() -> impl Strategy<Value = Preset> {
    let dex = Dex { keep_messages: 4, ..Dex::default() };
    let rubichan = Rubichan { clear_bytes: 200, summarize_from: 6, ..Rubichan::default() };
    let slop = Slop { recent: 2, recent_chars: 400, older_chars: 200, inactive_chars: 60, ..Slop::default() };
    prop_oneof![
        Just(Preset::Dex(dex)),
        Just(Preset::Vibe(Vibe::default())),
        Just(Preset::Rubichan(rubichan)),
        Just(Preset::Slop(slop)),
    ]
}

fn compactor(preset: Preset) -> Compactor {
    let minimum_gain = if matches!(preset, Preset::Vibe(_) | Preset::Slop(_)) { 0.0 } else { 0.1 };
    let policy = CompactionPolicy { preset, minimum_gain, max_failures: 0, ..CompactionPolicy::default() };
    Compactor::new(policy, None)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    // S3-29
    #[test]
    fn a_session_survives_any_compactions_under_any_preset(
        preset in preset(),
        events in prop::collection::vec(event(), 1..50),
    ) {
        let moves_request = matches!(preset, Preset::Vibe(_));
        let compactor = compactor(preset);
        let mut play = Play::new(moves_request);
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
    fn a_step_that_waits_is_never_touched_under_any_preset(
        preset in preset(),
        events in prop::collection::vec(event(), 1..40),
        room in 100u64..800,
    ) {
        let moves_request = matches!(preset, Preset::Vibe(_));
        let compactor = compactor(preset);
        let mut play = Play::new(moves_request);
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
        let preset = [
            Preset::Dex(Dex { keep_messages: 2, summary_tokens: 60, ..Dex::default() }),
            Preset::Vibe(Vibe { summary_tokens: 60 }),
            Preset::Rubichan(Rubichan { summarize_from: 4, summary_tokens: 60, ..Rubichan::default() }),
        ][which].clone();
        let policy = CompactionPolicy {
            preset,
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
