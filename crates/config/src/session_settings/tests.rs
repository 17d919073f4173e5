//! What the settings change of a policy.

use throughline_budget::Threshold;
use throughline_conversation::{ForeignTools, PolicyRecord};
use throughline_documents::StateRule;
use throughline_policies::{Dex, Economy, Policy, Slop};
use throughline_prompt::DynamicPlacement;
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
fn a_notice_or_warning_that_would_come_after_the_compaction_is_off() {
    let text = "[agent]\ncompact_at = \"50%effective\"\n";
    let settings = choice(text, Some(Policy::Rubichan)).for_window(100_000, 4_000);
    assert_eq!(settings.thresholds.compact, Threshold::PercentEffective(50.0));
    assert_eq!(settings.thresholds.notice, Threshold::Off, "80 % is never reached");
    assert!(settings.thresholds.limits(100_000, 4_000).is_ok());
    // Per cent of a window that is too small for the answer and them are those of the rest of it.
    let text = "[agent]\nwarn_at = \"75%window\"\ncompact_at = \"90%window\"\n";
    let settings = choice(text, None).for_window(16_000, 8_000);
    assert_eq!(settings.thresholds.warn, Threshold::PercentEffective(75.0));
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

// S3-13 S3-25 S4-04 S4-08 S4-09
#[test]
fn placement_state_and_foreign_tools_are_those_of_the_policy_until_they_are_set() {
    let own = |text: &str, policy| {
        let choice = choice(text, Some(policy));
        let settings = choice.for_window(200_000, 4_096);
        (settings.placement, settings.foreign, choice.state_rule())
    };
    use DynamicPlacement::{LastUser, SystemTail};
    use ForeignTools::{Digest, Isolate};
    for policy in [Policy::Throughline, Policy::Dex, Policy::Vibe, Policy::Off] {
        assert_eq!(own("", policy), (LastUser, Digest, StateRule::WhenChanged));
    }
    assert_eq!(own("", Policy::Rubichan), (SystemTail, Digest, StateRule::WhenChanged));
    assert_eq!(own("", Policy::Slop), (SystemTail, Isolate, StateRule::EveryResponse));
    let text =
        "[agent]\ndynamic_placement = \"system_tail\"\nforeign_tools = \"isolate\"\nstate_rule = \"off\"\n";
    assert_eq!(own(text, Policy::Throughline), (SystemTail, Isolate, StateRule::Off));
    let text = "[agent]\ndynamic_placement = \"last_user\"\nforeign_tools = \"digest\"\nstate_rule = \"when_changed\"\n";
    assert_eq!(own(text, Policy::Slop), (LastUser, Digest, StateRule::WhenChanged));
}

// S4-02 S4-06
#[test]
fn groups_and_sizes_of_slop_can_be_set() {
    let plain = choice("", Some(Policy::Slop));
    let chain = |choice: &SessionSettings| choice.for_window(200_000, 4_096).compaction.chain;
    assert_eq!(format!("{:?}", chain(&plain)), format!("{:?}", Slop::default()));
    assert_eq!(plain.shown_groups(chain(&plain).shown_groups()), Some(5));
    let text = "[agent]\ncontext_groups = 3\n[truncation]\nrecent_results = 2\nrecent_chars = 900\nolder_chars = 90\n\
                inactive_chars = 9\n";
    let set = choice(text, Some(Policy::Slop));
    let sizes = Slop { recent: 2, recent_chars: 900, older_chars: 90, inactive_chars: 9, ..Slop::default() };
    assert_eq!(format!("{:?}", chain(&set)), format!("{sizes:?}"));
    assert_eq!(set.shown_groups(Some(5)), Some(3));
    assert_eq!(choice("[agent]\ncontext_groups = 0\n", Some(Policy::Slop)).shown_groups(Some(5)), None);
    assert_eq!(choice(text, None).shown_groups(None), Some(3), "with any policy");
}

// S0-18
#[test]
fn the_thresholds_of_a_handoff_are_a_setting() {
    let own = |text: &str| choice(text, None).for_window(200_000, 4_096).thresholds;
    let handoff = own("[agent]\nthresholds = \"handoff\"\n");
    assert_eq!(handoff.warn, Threshold::PercentWindow(75.0));
    assert_eq!(handoff.compact, Threshold::PercentWindow(90.0));
    assert_eq!(own("[agent]\nthresholds = \"policy\"\n"), own(""));
    let later = own("[agent]\nthresholds = \"handoff\"\ncontext_compact_pct = 95\n");
    assert_eq!(later.compact, Threshold::PercentWindow(95.0), "a threshold that is set takes precedence");
}

// S4-15
#[test]
fn an_undo_hides_until_it_is_set_to_delete() {
    assert!(!choice("", None).undo_deletes());
    assert!(choice("[undo]\nmode = \"delete\"\n", None).undo_deletes());
}

fn recorded(name: &str, economy: Option<&str>) -> PolicyRecord {
    PolicyRecord { name: name.to_owned(), before: None, economy: economy.map(str::to_owned) }
}

#[test]
fn a_session_keeps_the_policy_of_its_log_unless_a_flag_names_another() {
    let file = "[agent]\npolicy = \"rubichan\"\n";
    let dex = recorded("dex", None);
    assert_eq!(choice(file, None).continuing(Some(&dex)).policy(), Policy::Dex);
    assert_eq!(choice(file, Some(Policy::Vibe)).continuing(Some(&dex)).policy(), Policy::Vibe);
    // A log of another version may name a policy that this one does not have.
    for recorded in [None, Some(&recorded("best", None))] {
        assert_eq!(choice(file, None).continuing(recorded).policy(), Policy::Rubichan);
    }
}

/// The steps that a session may take from here, as `from to`.
fn steps(settings: &SessionSettings) -> Vec<String> {
    let mut next = settings.for_window(100_000, 8_000).next_step;
    std::iter::from_fn(|| {
        let step = next.take()?;
        next = step.settings.next_step;
        Some(format!("{} {}", step.from, step.to))
    })
    .collect()
}

#[test]
fn a_session_continues_where_it_moved_its_dial_to_unless_the_setting_forbids_it() {
    let lean = "[agent]\neconomy = \"lean\"\n";
    assert_eq!(steps(&choice(lean, None)), ["lean balanced", "balanced faithful"]);
    let moved = recorded("throughline", Some("balanced"));
    let continued = choice(lean, None).continuing(Some(&moved));
    assert_eq!(continued.economy(), Economy::Balanced);
    assert_eq!(steps(&continued), ["balanced faithful"]);
    let faithful = choice("", None).continuing(Some(&moved));
    assert_eq!((faithful.economy(), steps(&faithful)), (Economy::Faithful, vec![]), "it never moves back");

    let fixed = choice(&format!("{lean}[compaction]\nadapt = false\n"), None).continuing(Some(&moved));
    assert_eq!((fixed.economy(), steps(&fixed)), (Economy::Lean, vec![]));
    let typed = Flag { name: "--economy", key: keys::ECONOMY.name(), text: "lean".to_owned() };
    let flags = Layer::from_flags([typed]).unwrap();
    let pinned = SessionSettings::of(&resolve([flags], true).unwrap()).continuing(Some(&moved));
    assert_eq!((pinned.economy(), steps(&pinned)), (Economy::Lean, vec![]), "the command line pins it");
}
