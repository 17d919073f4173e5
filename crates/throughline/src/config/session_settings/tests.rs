//! What the settings change of a policy.

use throughline_budget::Threshold;
use throughline_policies::{Dex, Policy};
use throughline_settings::{Flag, Layer, Scope, keys, resolve};

use super::SessionSettings;

fn policy_flag(policy: Policy) -> Flag {
    Flag { name: "--policy", key: keys::POLICY.name(), text: policy.name().to_owned() }
}

fn choice(text: &str, typed: Option<Policy>) -> SessionSettings {
    let json = text.starts_with('{');
    let read = if json { Layer::from_json } else { Layer::from_toml };
    let flags = Layer::from_flags(typed.map(policy_flag)).unwrap();
    SessionSettings::of(&resolve([read(Scope::User, "config", text).unwrap(), flags], true).unwrap())
}

#[test]
fn an_empty_file_changes_nothing() {
    for text in ["", "[agent]\n", "# nothing\n"] {
        let settings = choice(text, None).for_window(200_000, 4_096);
        assert_eq!(format!("{settings:?}"), format!("{:?}", Policy::Throughline.settings(200_000, 4_096)));
    }
}

#[test]
fn what_is_typed_wins_over_the_file() {
    assert_eq!(choice("[agent]\npolicy = \"dex\"\n", None).policy(), Policy::Dex);
    assert_eq!(choice("[agent]\npolicy = \"dex\"\n", Some(Policy::Vibe)).policy(), Policy::Vibe);
}

// S3-27
#[test]
fn the_keys_of_the_agent_table() {
    let text = "[agent]\npolicy = \"rubichan\"\ncontext_budget = 100000\nmax_output_tokens = 4096\n\
                compact_trigger = 0.90\nhard_block = 0.97\nresult_offload_threshold = 2000\n\
                tool_deferral_threshold = 0.2\n";
    let choice = choice(text, None);
    assert_eq!(choice.max_output_tokens(), Some(4_096));
    let settings = choice.for_window(1_000_000, 4_096);
    assert_eq!(settings.window, Some(100_000));
    assert_eq!(settings.thresholds.compact, Threshold::PercentEffective(90.0));
    assert_eq!(settings.thresholds.block, Threshold::PercentEffective(97.0));
    assert_eq!(settings.offload.threshold_bytes, 2_000);
    assert!((settings.deferral.threshold - 0.2).abs() < f64::EPSILON);
    // A window is never larger than the model's.
    assert_eq!(choice.for_window(50_000, 4_096).window, Some(50_000));
}

// S0-40
#[test]
fn the_keys_of_the_context_guard() {
    let text = "[agent]\npolicy = \"dex\"\ncontext_window_max = 150000\ncontext_warn_pct = 70\n\
                context_compact_pct = 85\nmax_recent_messages = 6\n";
    let settings = choice(text, None).for_window(200_000, 4_096);
    assert_eq!(settings.window, Some(150_000));
    assert_eq!(settings.thresholds.warn, Threshold::PercentWindow(70.0));
    assert_eq!(settings.thresholds.compact, Threshold::PercentWindow(85.0));
    let chain = Dex { keep_messages: 6, ..Dex::default() };
    assert_eq!(format!("{:?}", settings.compaction.chain), format!("{chain:?}"));
}

// S2-04
#[test]
fn a_threshold_of_zero_switches_automatic_compaction_off_and_nothing_else() {
    let own = |text: &str| choice(text, Some(Policy::Vibe)).for_window(1_000_000, 4_096).thresholds;
    let set = own("[compaction]\nthreshold = 150000\n");
    assert_eq!(set.compact, Threshold::Tokens(150_000));
    let off = own("[compaction]\nthreshold = 0\n");
    assert_eq!((off.compact, off.block), (Threshold::Off, Threshold::PercentEffective(98.0)));
}

#[test]
fn of_several_thresholds_the_earliest_counts_and_what_would_come_after_it_is_off() {
    let text = "[agent]\ncompact_trigger = 0.5\ncontext_compact_pct = 60\n[compaction]\nthreshold = 90000\n";
    let settings = choice(text, Some(Policy::Rubichan)).for_window(100_000, 4_000);
    assert_eq!(settings.thresholds.compact, Threshold::PercentEffective(50.0));
    assert_eq!(settings.thresholds.notice, Threshold::Off, "80 % is never reached");
    assert!(settings.thresholds.limits(100_000, 4_000).is_ok());
    // One that switches off gives way to one that is set.
    let text = "[agent]\ncompact_trigger = 0.9\n[compaction]\nthreshold = 0\n";
    let settings = choice(text, Some(Policy::Vibe)).for_window(100_000, 4_000);
    assert_eq!(settings.thresholds.compact, Threshold::PercentEffective(90.0));
}

// S0-23
#[test]
fn strict_is_off_until_it_is_asked_for() {
    assert!(!choice("", None).for_window(200_000, 4_096).compaction.strict);
    assert!(choice("[agent]\nstrict = true\n", None).for_window(200_000, 4_096).compaction.strict);
}

// S0-40 S2-04
#[test]
fn a_json_file_does_the_same() {
    let text = "{\"context_window_max\": 150000, \"context_warn_pct\": 70, \"context_compact_pct\": 85, \
                \"max_recent_messages\": 6, \"checkpoint_interval\": 3, \"generate_handoff\": false}";
    let json = choice(text, Some(Policy::Dex));
    let settings = json.for_window(200_000, 4_096);
    assert_eq!(settings.window, Some(150_000));
    assert_eq!(settings.thresholds.compact, Threshold::PercentWindow(85.0));
    assert_eq!((json.checkpoints().interval, json.handoff()), (3, false));
    let usual = choice("", None);
    assert_eq!((usual.checkpoints().interval, usual.handoff()), (5, true));
    let off = choice("{\"compaction\": {\"threshold\": 0}}", Some(Policy::Vibe));
    assert_eq!(off.for_window(1_000_000, 4_096).thresholds.compact, Threshold::Off);
}

#[test]
fn a_session_keeps_the_policy_of_its_log_unless_a_flag_names_another() {
    let file = "[agent]\npolicy = \"rubichan\"\n";
    assert_eq!(choice(file, None).continuing(Some("dex")).policy(), Policy::Dex);
    assert_eq!(choice(file, Some(Policy::Vibe)).continuing(Some("dex")).policy(), Policy::Vibe);
    // A log of another version may name a policy that this one does not have.
    for recorded in [None, Some("best")] {
        assert_eq!(choice(file, None).continuing(recorded).policy(), Policy::Rubichan);
    }
}
