//! Predictions by the rules of the cache.

use std::sync::Arc;

use expect_test::{Expect, expect};
use throughline_completion::CacheRules;
use throughline_conversation::{
    CacheBreakpoint, CacheChange, CacheForecast, Millis, Place, SectionText, TokenCounter, ToolDefinition,
    ToolOrigin, Usage,
};
use throughline_testkit::{WordCounter, view};

use super::{CachePredictor, NextRequest};
use crate::{BreakpointPlanner, PlanInput, SectionFigures};

fn tool(name: &str, words: &str) -> ToolDefinition {
    ToolDefinition {
        name: name.to_owned(),
        description: words.to_owned(),
        input_schema: serde_json::json!({"type": "object"}),
        origin: ToolOrigin::Builtin,
    }
}

fn tools(words: &str) -> Arc<[ToolDefinition]> {
    Arc::new([tool("read", words)])
}

fn system(words: &str) -> Arc<[SectionText]> {
    Arc::new([SectionText { name: "base".to_owned(), text: words.to_owned(), cacheable: true, skill: false }])
}

/// Tools of 1,000 tokens, a system prompt of 200, and this many messages of 3 tokens each, with a tail of 3. Everything of
/// 500 tokens or more is cached.
struct Session {
    predictor: CachePredictor,
    planner: BreakpointPlanner,
    rules: CacheRules,
    model: &'static str,
    now: Millis,
    scale: f64,
    tools: Arc<[ToolDefinition]>,
    tool_tokens: Vec<u64>,
    system: Arc<[SectionText]>,
    epoch: u64,
}

impl Session {
    fn new() -> Self {
        let rules = CacheRules { min_tokens: 500, ..CacheRules::anthropic() };
        Self {
            predictor: CachePredictor::new(),
            planner: BreakpointPlanner::new(),
            rules,
            model: "a",
            now: Millis(0),
            scale: 1.0,
            tools: tools("t"),
            tool_tokens: vec![1_000],
            system: system("s"),
            epoch: 0,
        }
    }

    /// A provider that caches by itself.
    fn automatic() -> Self {
        Self { rules: CacheRules { min_tokens: 500, ..CacheRules::automatic() }, ..Self::new() }
    }

    /// Lets a reader see the request with this many messages.
    fn with<T>(
        &mut self,
        messages: usize,
        read: impl FnOnce(&mut CachePredictor, &NextRequest<'_>) -> T,
    ) -> T {
        let text = |at| match at % 2 {
            0 => format!("user: {} please {at}\n", self.epoch),
            _ => format!("assistant: {} done {at}\n", self.epoch),
        };
        let view = view(&(0..messages).map(text).collect::<String>());
        let sections = [SectionFigures { tokens: 200, cacheable: true }];
        let breakpoints = self.planner.plan(&PlanInput {
            rules: self.rules,
            tools: self.tools.len(),
            tools_tokens: self.tool_tokens.iter().sum(),
            system: &sections,
            entries: view.entries(),
            conversation_tokens: view.tokens(),
            epoch: self.epoch,
        });
        assert_eq!(view.tokens(), view.entries().len() as u64 * 3, "{}", WordCounter.text("a b"));
        read(
            &mut self.predictor,
            &NextRequest {
                model: self.model,
                rules: self.rules,
                now: self.now,
                scale: self.scale,
                tools: &self.tools,
                tool_tokens: &self.tool_tokens,
                system: &self.system,
                section_tokens: &[200],
                entries: view.entries(),
                epoch: self.epoch,
                breakpoints: &breakpoints,
                tail_tokens: 3,
            },
        )
    }

    /// What the next request finds, and what has changed.
    fn forecast(&mut self, messages: usize) -> Option<(u64, Option<CacheChange>)> {
        let found = self.with(messages, |predictor, next| predictor.forecast(next));
        found.map(|CacheForecast { warm, change }| (warm, change))
    }

    fn send(&mut self, messages: usize, after: &Expect) {
        let read = self.with(messages, |predictor, next| predictor.read(next));
        let usage = self.with(messages, CachePredictor::predict);
        assert_eq!(usage.cache_read, read, "asking records nothing");
        after.assert_eq(&format!(
            "read {} write {} input {}",
            usage.cache_read, usage.cache_write, usage.input
        ));
    }
}

#[test]
fn an_extended_request_reads_all_that_was_sent_before() {
    let mut session = Session::new();
    session.send(1, &expect!["read 0 write 1203 input 3"]);
    session.send(3, &expect!["read 1203 write 6 input 3"]);
    session.send(3, &expect!["read 1209 write 0 input 3"]);
}

// OpenAI's rules from GPT-5.6 on.
#[test]
fn where_only_markers_are_looked_at_a_prefix_is_read_at_any_distance_for_thirty_minutes() {
    let rules = CacheRules { min_tokens: 500, ..CacheRules::openai_marked() };
    let mut session = Session { rules, ..Session::new() };
    session.send(1, &expect!["read 0 write 1203 input 3"]);
    session.send(99, &expect!["read 1203 write 294 input 3"]);
    session.now = Millis(29 * 60_000);
    session.send(101, &expect!["read 1497 write 6 input 3"]);
    // Tools carry no marker.
    session.system = system("other");
    session.send(101, &expect!["read 0 write 1503 input 3"]);
    session.now = Millis(60 * 60_000);
    session.send(101, &expect!["read 0 write 1503 input 3"]);
}

#[test]
fn a_new_epoch_reads_tools_and_system_prompt() {
    let mut session = Session::new();
    session.send(9, &expect!["read 0 write 1227 input 3"]);
    session.epoch += 1;
    session.send(1, &expect!["read 1200 write 3 input 3"]);
    session.send(3, &expect!["read 1203 write 6 input 3"]);
}

#[test]
fn a_view_that_comes_back_is_read_where_it_was_marked() {
    let mut session = Session::new();
    session.send(9, &expect!["read 0 write 1227 input 3"]);
    session.epoch += 1;
    session.send(1, &expect!["read 1200 write 3 input 3"]);
    session.epoch -= 1;
    session.send(11, &expect!["read 1227 write 6 input 3"]);
}

#[test]
fn a_marker_finds_what_is_less_than_twenty_blocks_before_it() {
    let mut session = Session::new();
    session.send(1, &expect!["read 0 write 1203 input 3"]);
    session.planner = BreakpointPlanner::new();
    session.send(20, &expect!["read 1203 write 57 input 3"]);
    session.planner = BreakpointPlanner::new();
    session.send(40, &expect!["read 1200 write 120 input 3"]);
    // The marker of the request before is set once more, and is read at any distance.
    session.send(90, &expect!["read 1320 write 150 input 3"]);
}

#[test]
fn a_change_makes_everything_behind_it_cold() {
    let mut session = Session::new();
    session.send(1, &expect!["read 0 write 1203 input 3"]);
    session.system = system("other");
    session.send(3, &expect!["read 1000 write 209 input 3"]);
    session.tools = tools("other");
    session.send(3, &expect!["read 0 write 1209 input 3"]);
    // Equal content elsewhere in memory is no change.
    session.tools = tools("other");
    session.send(3, &expect!["read 1209 write 0 input 3"]);
}

#[test]
fn tools_that_come_behind_the_others_are_counted_alone() {
    let mut session = Session::new();
    session.send(1, &expect!["read 0 write 1203 input 3"]);
    // The front has twice as many tokens as the counter says.
    session.predictor.learn(&reported(0, 2_403));
    session.tools = Arc::new([tool("read", "t"), tool("write", "t")]);
    session.tool_tokens = vec![1_000, 100];
    session.send(1, &expect!["read 2200 write 303 input 3"]);
    // The same where each place ends a prefix.
    let mut session = Session::automatic();
    session.send(1, &expect!["read 0 write 0 input 1206"]);
    session.tools = Arc::new([tool("read", "t"), tool("write", "t")]);
    session.tool_tokens = vec![1_000, 100];
    session.send(1, &expect!["read 896 write 0 input 410"]);
}

#[test]
fn each_model_has_a_cache_of_its_own() {
    let mut session = Session::new();
    session.send(1, &expect!["read 0 write 1203 input 3"]);
    session.model = "b";
    session.predictor.forget(CacheChange::ModelSwitch);
    session.send(3, &expect!["read 0 write 1209 input 3"]);
    session.model = "a";
    session.predictor.forget(CacheChange::ModelSwitch);
    session.send(5, &expect!["read 1203 write 12 input 3"]);
}

#[test]
fn a_prefix_leaves_the_cache_some_time_after_its_last_use() {
    let mut session = Session::new();
    session.send(1, &expect!["read 0 write 1203 input 3"]);
    for _ in 0..2 {
        session.now.0 += 300_000;
        session.send(1, &expect!["read 1203 write 0 input 3"]);
    }
    session.now.0 += 300_001;
    session.send(1, &expect!["read 0 write 1203 input 3"]);
}

#[test]
fn a_prefix_that_is_too_short_is_not_cached() {
    let mut session = Session::new();
    session.rules.min_tokens = 2_000;
    session.send(1, &expect!["read 0 write 0 input 1206"]);
    session.send(3, &expect!["read 0 write 0 input 1212"]);
}

#[test]
fn a_provider_that_caches_by_itself_is_read_in_steps() {
    let mut session = Session::automatic();
    session.send(1, &expect!["read 0 write 0 input 1206"]);
    session.send(60, &expect!["read 1152 write 0 input 231"]);
    session.send(61, &expect!["read 1280 write 0 input 106"]);
    session.epoch += 1;
    session.send(1, &expect!["read 1152 write 0 input 54"]);
}

// Why requests depart from S3-13, which has marks behind the parts of the system prompt alone.
#[test]
fn marks_in_the_system_prompt_alone_leave_the_conversation_uncached() {
    let mut session = Session::new();
    let marked_system = |predictor: &mut CachePredictor, next: &NextRequest<'_>| {
        let system = |marker: &&CacheBreakpoint| !matches!(marker.place, Place::Message(_));
        let breakpoints: Vec<CacheBreakpoint> = next.breakpoints.iter().filter(system).copied().collect();
        predictor.predict(&NextRequest { breakpoints: &breakpoints, ..*next })
    };
    session.with(1, marked_system);
    let long = session.with(401, marked_system);
    let longer = session.with(403, marked_system);
    assert_eq!((long.cache_read, longer.cache_read, longer.input), (1_200, 1_200, 403 * 3 + 3));
    // The planner's marks move along.
    let mut session = Session::new();
    session.send(401, &expect!["read 0 write 2403 input 3"]);
    session.send(403, &expect!["read 2403 write 6 input 3"]);
}

// As the server of llama.cpp: any prefix is read, to the token.
#[test]
fn a_read_that_the_rules_exclude_ends_them() {
    let report = |cache_read, input| Usage { input, cache_read, cache_write: 0, output: 9, searches: 0 };
    let mut session = Session { rules: CacheRules::automatic(), ..Session::new() };
    session.rules.min_tokens = 2_000;
    session.send(1, &expect!["read 0 write 0 input 1206"]);
    session.predictor.learn(&report(0, 1_206));
    session.send(3, &expect!["read 0 write 0 input 1212"]);
    session.predictor.learn(&report(1_203, 9));
    session.send(5, &expect!["read 1209 write 0 input 9"]);
    session.predictor.learn(&report(1_209, 9));
    // They hold for a model that has not been seen to read more.
    session.model = "b";
    session.send(5, &expect!["read 0 write 0 input 1218"]);
    session.send(7, &expect!["read 0 write 0 input 1224"]);
    session.model = "a";
    session.send(7, &expect!["read 1215 write 0 input 9"]);
}

#[test]
fn reports_replace_the_estimate() {
    let mut session = Session::new();
    session.send(1, &expect!["read 0 write 1203 input 3"]);
    // The front has twice as many tokens as the counter says.
    session.predictor.learn(&Usage { input: 3, cache_read: 0, cache_write: 2_403, output: 9, searches: 0 });
    session.send(3, &expect!["read 2403 write 6 input 3"]);
    session.predictor.learn(&Usage { input: 3, cache_read: 2_403, cache_write: 12, output: 9, searches: 0 });
    // New messages have it, too.
    session.send(5, &expect!["read 2415 write 12 input 3"]);
    session.epoch += 1;
    session.send(1, &expect!["read 2400 write 6 input 3"]);
    // The size of the front is still known when its time is up, and is the first guess for another model.
    session.now.0 += 300_001;
    session.epoch += 1;
    session.send(1, &expect!["read 0 write 2406 input 3"]);
    session.model = "b";
    session.send(1, &expect!["read 0 write 2406 input 3"]);
}

/// The report of a request with a tail of 3.
fn reported(cache_read: u64, cache_write: u64) -> Usage {
    Usage { input: 3, cache_read, cache_write, output: 9, searches: 0 }
}

#[test]
fn a_read_near_its_estimate_is_the_size_of_the_prefix() {
    // The estimate is 1,203, an eighth of it 150. Else the size follows from the whole: 1,280 less 6 for two messages.
    for (read, size) in [(1_250, 1_250), (1_053, 1_053), (1_052, 1_274)] {
        let mut session = Session::new();
        session.send(1, &expect!["read 0 write 1203 input 3"]);
        session.send(3, &expect!["read 1203 write 6 input 3"]);
        session.predictor.learn(&reported(read, 1_280 - read));
        let again = session.with(1, CachePredictor::predict);
        assert_eq!((again.cache_read, again.cache_write, again.input), (size, 0, 3), "{read}");
    }
}

#[test]
fn new_messages_have_a_quarter_of_the_estimate_to_four_times_as_much_or_the_report_is_not_about_them() {
    // Four messages of 12 tokens by the counter, and then four more.
    for (written, next) in [(48, 48), (49, 12), (3, 3), (2, 12)] {
        let mut session = Session::new();
        session.send(1, &expect!["read 0 write 1203 input 3"]);
        session.predictor.learn(&reported(0, 1_203));
        session.send(5, &expect!["read 1203 write 12 input 3"]);
        session.predictor.learn(&reported(1_203, written));
        let more = session.with(9, CachePredictor::predict);
        assert_eq!((more.cache_read, more.cache_write), (1_203 + written, next), "{written}");
    }
}

#[test]
fn a_report_about_no_new_message_says_nothing_of_messages() {
    let mut session = Session::new();
    session.send(1, &expect!["read 0 write 1203 input 3"]);
    session.predictor.learn(&reported(0, 1_203));
    session.send(1, &expect!["read 1203 write 0 input 3"]);
    session.predictor.learn(&reported(1_204, 0));
    session.send(3, &expect!["read 1204 write 6 input 3"]);
}

#[test]
fn a_read_of_the_smallest_prefix_does_not_end_its_limit() {
    let mut session = Session::automatic();
    session.rules.min_tokens = 1_152;
    session.send(1, &expect!["read 0 write 0 input 1206"]);
    session.send(1, &expect!["read 1152 write 0 input 54"]);
    session.predictor.learn(&Usage { input: 54, cache_read: 1_152, cache_write: 0, output: 9, searches: 0 });
    // Only the 1,000 tokens of the tools are the same.
    session.system = system("other");
    session.send(1, &expect!["read 0 write 0 input 1206"]);
}

#[test]
fn the_size_of_a_prefix_is_still_known_when_its_time_is_up() {
    let mut session = Session::new();
    session.send(1, &expect!["read 0 write 1203 input 3"]);
    session.predictor.learn(&reported(0, 2_403));
    session.send(3, &expect!["read 2403 write 6 input 3"]);
    session.predictor.learn(&reported(2_403, 18));
    session.now.0 += 300_001;
    session.epoch += 1;
    // Three tokens for one of the counter.
    session.send(1, &expect!["read 0 write 2409 input 3"]);
    session.epoch -= 1;
    // 2,421 in all, and not 2,400 and nine times three.
    session.send(3, &expect!["read 2400 write 21 input 3"]);
}

#[test]
fn of_many_prefixes_whose_time_is_up_only_tools_and_system_prompt_have_a_known_size() {
    let prompt = |tokens| Usage { input: tokens, ..Usage::default() };
    let mut session = Session::automatic();
    session.send(600, &expect!["read 0 write 0 input 3003"]);
    // 2,400 for the front, 1,800 for the messages and 3 for the tail.
    session.predictor.learn(&prompt(4_203));
    session.now.0 += 86_400_000;
    // The other model has half as many again for the front.
    session.model = "b";
    session.epoch += 1;
    session.send(1, &expect!["read 0 write 0 input 2406"]);
    session.predictor.learn(&prompt(3_606));
    session.model = "a";
    session.epoch += 1;
    session.send(1, &expect!["read 0 write 0 input 2406"]);
}

#[test]
fn notes_at_the_end_of_the_system_prompt_make_the_messages_cold_when_they_change() {
    let with_note = |words: &str| {
        let [base, note] = ["s", words].map(|text| SectionText {
            name: "any".to_owned(),
            text: text.to_owned(),
            cacheable: text == "s",
            skill: false,
        });
        let system: Arc<[SectionText]> = Arc::new([base, note]);
        move |predictor: &mut CachePredictor, next: &NextRequest<'_>| {
            let usage = predictor.predict(&NextRequest { system: &system, ..*next });
            (usage.cache_read, usage.cache_write, usage.input)
        }
    };
    let mut session = Session::new();
    assert_eq!(session.with(1, with_note("80 %")), (0, 1_206, 0));
    assert_eq!(session.with(3, with_note("80 %")), (1_206, 6, 0));
    assert_eq!(session.with(3, with_note("85 %")), (1_200, 12, 0));
}

#[test]
fn a_report_of_something_else_changes_nothing() {
    let mut session = Session::new();
    session.send(1, &expect!["read 0 write 1203 input 3"]);
    session.predictor.learn(&Usage::default());
    session.send(3, &expect!["read 1203 write 6 input 3"]);
}

#[test]
fn what_has_changed_since_the_request_before_is_named() {
    use CacheChange::{Idle, Messages, ModelSwitch, SystemPrompt, Tools};
    let mut session = Session::new();
    assert_eq!(session.forecast(1), None, "nothing was sent");
    session.send(1, &expect!["read 0 write 1203 input 3"]);
    assert_eq!(session.forecast(2), Some((1_203, None)));
    session.epoch += 1;
    assert_eq!(session.forecast(2), Some((1_203, Some(Messages))));
    session.system = system("other");
    assert_eq!(session.forecast(2), Some((1_203, Some(SystemPrompt))));
    session.tools = tools("other");
    assert_eq!(session.forecast(2), Some((1_203, Some(Tools))));
    session.predictor.forget(ModelSwitch);
    // The first cause counts.
    session.predictor.forget(Idle { minutes: 5 });
    assert_eq!(session.forecast(2), Some((1_203, Some(ModelSwitch))));
    session.send(2, &expect!["read 0 write 1206 input 3"]);
    assert_eq!(session.forecast(2), Some((1_206, None)));
}

#[test]
fn a_model_that_counts_twice_as_much_reads_twice_as_much() {
    let mut session = Session { scale: 2.0, ..Session::new() };
    session.send(1, &expect!["read 0 write 2406 input 6"]);
    session.send(3, &expect!["read 2406 write 12 input 6"]);
}

#[test]
fn what_a_report_names_is_what_is_warm() {
    let mut session = Session::new();
    session.send(1, &expect!["read 0 write 1203 input 3"]);
    session.predictor.learn(&reported(0, 1_003));
    assert_eq!(session.forecast(3), Some((1_003, None)));
    session.send(3, &expect!["read 1003 write 6 input 3"]);
    session.predictor.learn(&Usage::default());
    assert_eq!(session.forecast(5), Some((1_009, None)), "nothing was reported");
    let mut session = Session::automatic();
    session.send(1, &expect!["read 0 write 0 input 1206"]);
    session.predictor.learn(&Usage { input: 1_003, ..Usage::default() });
    assert_eq!(session.forecast(3), Some((1_000, None)), "without the tail");
}

#[test]
fn equal_tools_and_sections_of_other_lists_are_no_change() {
    let mut session = Session::new();
    session.send(1, &expect!["read 0 write 1203 input 3"]);
    (session.tools, session.system) = (tools("t"), system("s"));
    assert_eq!(session.forecast(3), Some((1_203, None)));
}
