//! Requests for summaries, and what counts as an answer.

use std::sync::Arc;

use expect_test::expect;
use throughline_compaction::SummaryPrefix;
use throughline_completion::{ModelInfo, Prices, Reply, ScriptedModel};
use throughline_conversation::{
    ContentBlock, EntryKind, Place, SectionText, SessionId, TokenCounter, ToolDefinition, ToolOrigin, View,
};
use throughline_testkit::{WordCounter, view};

use super::*;
use throughline_conversation::Message;

/// A session that asks for a summary of its oldest messages.
struct Session {
    view: View,
    id: SessionId,
    system: Arc<[SectionText]>,
    tools: Arc<[ToolDefinition]>,
    model: Arc<ScriptedModel>,
    /// How many of the oldest messages leave.
    leaving: usize,
    cached: u64,
}

fn session(notation: &str, leaving: usize, window: u64, replies: Vec<Reply>) -> Session {
    let view = view(notation);
    let section = SectionText {
        name: "rules".to_owned(),
        text: "work with care".to_owned(),
        cacheable: true,
        skill: false,
    };
    let tool = ToolDefinition {
        name: "read".to_owned(),
        description: "reads".to_owned(),
        input_schema: serde_json::json!({ "type": "object" }),
        origin: ToolOrigin::Builtin,
    };
    let info = ModelInfo::with_window("m", window, window / 4);
    let cached = view.tokens();
    Session {
        view,
        id: SessionId::new("s").expect("a name"),
        system: Arc::from(vec![section]),
        tools: Arc::from(vec![tool]),
        model: Arc::new(ScriptedModel::new(info, Box::new(WordCounter), replies).recording()),
        leaving,
        cached,
    }
}

impl Session {
    fn prefix(&self) -> SummaryPrefix<'_> {
        SummaryPrefix {
            model: "m",
            session: &self.id,
            system: &self.system,
            tools: &self.tools,
            transcript: self.view.transcript(),
            max_output_tokens: 900,
            tokens: self.view.tokens() + 20,
            cached: self.cached,
        }
    }

    async fn ask(&self, prefix: Option<SummaryPrefix<'_>>) -> Result<Prose, SummaryError> {
        let summarizer = ModelSummarizer::new(self.model.clone(), SummarizerSettings::default());
        let entries = self.view.entries().get(..self.leaving).expect("enough entries");
        let prompt = "Write notes of 50 tokens.";
        let request = SummaryRequest {
            entries,
            previous: None,
            budget: 50,
            prompt,
            counter: &WordCounter,
            prefix,
            spending: None,
            checks: None,
        };
        summarizer.summarize(&request).await
    }

    /// Returns true if the session's own request was sent. As text it may take several.
    async fn in_place(&self, prefix: SummaryPrefix<'_>) -> bool {
        self.ask(Some(prefix)).await.expect("an answer");
        let requests = self.model.requests();
        let own = requests[0].session.is_some();
        assert!(!own || requests.len() == 1);
        own
    }
}

fn words(count: usize) -> String {
    (0..count).map(|n| format!("w{n}")).collect::<Vec<_>>().join(" ")
}

/// Two exchanges that leave, one that stays and waits for an answer.
fn long() -> String {
    format!(
        "user: build it\nassistant: {}\nuser: test it\nassistant: reading\n  -> c1 read {{\"path\":\"a.rs\"}}\nresults:\n  c1 = {}\n\
         assistant: it works, {}\nuser: and now the docs, please",
        words(100),
        words(300),
        words(20),
    )
}

fn notes() -> Vec<Reply> {
    vec![Reply::text("the notes")]
}

#[tokio::test]
async fn the_cached_request_is_sent_again_with_an_instruction() {
    let session = session(&long(), 6, 4_000, notes());
    let prose = session.ask(Some(session.prefix())).await.expect("an answer");
    assert_eq!(prose, Prose::by_model("the notes", "m"));
    let [request] = session.model.requests().try_into().expect("one request");
    assert!(request.transcript.is_same(session.view.transcript()));
    assert!(Arc::ptr_eq(&request.system, &session.system) && Arc::ptr_eq(&request.tools, &session.tools));
    assert_eq!(request.session, Some(session.id.clone()));
    assert_eq!(request.max_output_tokens, 900);
    let places: Vec<Place> = request.breakpoints.iter().map(|marker| marker.place).collect();
    assert_eq!(places, [Place::Section(0), Place::Message(4), Place::Message(6)]);
    expect![[r#"
        [This is not from the user. The work pauses for one answer, and continues after it. Room in the context window is running out: everything up to the user's message that begins "and now the docs, please", which stays with all that follows it, will leave it. Answer with the notes that take their place and with nothing else. Call no tool, do not continue the work, and do not answer the user yet. Messages that stay need no notes.]

        Write notes of 50 tokens.
    "#]]
    .assert_eq(&request.tail.join("\n---\n"));
}

#[tokio::test(start_paused = true)]
async fn a_failure_that_may_pass_is_tried_again_and_a_lasting_one_is_not() {
    let overloaded =
        |wait| ModelError::Unavailable { message: "overloaded".to_owned(), retry_after_ms: wait };
    let session_of = |replies| session(&long(), 6, 4_000, replies);
    let passing = session_of(vec![
        Reply::Fail(overloaded(None)),
        Reply::BreakOff(Vec::new()),
        Reply::text("the notes"),
    ]);
    let prose = passing.ask(Some(passing.prefix())).await.expect("an answer");
    assert_eq!((prose, passing.model.requests().len()), (Prose::by_model("the notes", "m"), 3));
    let rejected = || ModelError::Unauthorized { message: "no".to_owned() };
    // A session does not wait a minute for its summary.
    let cases: [(&dyn Fn() -> ModelError, usize); 3] =
        [(&|| overloaded(None), 3), (&|| overloaded(Some(60_000)), 1), (&rejected, 1)];
    for (error, attempts) in cases {
        let lasting = session_of((0..4).map(|_| Reply::Fail(error())).collect());
        lasting.ask(Some(lasting.prefix())).await.expect_err("no answer");
        assert_eq!(lasting.model.requests().len(), attempts);
    }
}

#[tokio::test]
async fn after_an_answer_of_the_model_the_instruction_is_a_message_of_its_own() {
    let notation = format!("{}\nassistant: they are done", long());
    let session = session(&notation, 6, 4_000, notes());
    session.ask(Some(session.prefix())).await.expect("an answer");
    let [request] = session.model.requests().try_into().expect("one request");
    assert_eq!(request.faults(), []);
    assert_eq!(request.transcript.common_prefix(session.view.transcript()), 8);
    let last = request.transcript.entries().last().expect("a message");
    assert_eq!((last.kind, request.transcript.len()), (EntryKind::Notice, 9));
    assert!(last.message.text().ends_with("Write notes of 50 tokens.\n"), "{}", last.message.text());
    assert_eq!(last.tokens, WordCounter.text(&last.message.text()));
}

#[tokio::test]
async fn the_prefix_is_used_only_where_it_is_cheaper_and_fits() {
    let at = |window| session(&long(), 6, window, notes());
    let usual = at(4_000);
    assert!(usual.in_place(usual.prefix()).await);
    // What is not in the cache costs more than the text.
    let cold = at(4_000);
    assert!(!cold.in_place(SummaryPrefix { cached: 0, ..cold.prefix() }).await);
    // Another model's cache is of no use.
    let other = at(4_000);
    assert!(!other.in_place(SummaryPrefix { model: "other", ..other.prefix() }).await);
    // Without room for instruction and answer it would overflow.
    let narrow = at(1_400);
    assert!(!narrow.in_place(narrow.prefix()).await);
    // A provider that charges the same for cached input.
    let mut same = at(4_000);
    let prices = Prices { cache_read: 1.0, ..Prices::anthropic() };
    let info = ModelInfo { prices, ..same.model.info() };
    same.model = Arc::new(ScriptedModel::new(info, Box::new(WordCounter), notes()).recording());
    assert!(!same.in_place(same.prefix()).await);
    // A call that waits for its result.
    let open = session(&format!("{}\nassistant: now\n  -> c2 read {{}}", long()), 6, 4_000, notes());
    assert!(!open.in_place(open.prefix()).await);
    // Few messages leave, and many are in the request.
    let few = session(&long(), 1, 4_000, notes());
    assert!(!few.in_place(few.prefix()).await);
}

#[tokio::test]
async fn a_range_in_the_middle_is_named_by_its_first_words() {
    let mut session = session(&long(), 6, 4_000, notes());
    let entries: Vec<_> = session.view.entries().to_vec();
    session.leaving = 0;
    let request = SummaryRequest {
        entries: &entries[3..5],
        previous: None,
        budget: 50,
        prompt: "p",
        counter: &WordCounter,
        prefix: Some(session.prefix()),
        spending: None,
        checks: None,
    };
    ModelSummarizer::new(session.model.clone(), SummarizerSettings::default())
        .summarize(&request)
        .await
        .expect("an answer");
    let tail = session.model.requests()[0].tail.join("");
    assert!(
        tail.contains("everything from your message that begins \"reading\" on up to your message that begins \"it works, w0"),
        "{tail}"
    );
}

// F-15
#[tokio::test]
async fn an_answer_that_calls_a_tool_is_rejected() {
    let call = || vec![Reply::call("x", "read", serde_json::json!({ "path": "a.rs" }))];
    let session = session(&long(), 6, 4_000, call());
    let error = session.ask(Some(session.prefix())).await.expect_err("no summary");
    assert_eq!(error.to_string(), "the summarizer called the tool \"read\" instead of writing");
    assert_eq!(session.model.request_count(), 1, "there is no second try");
}

#[tokio::test]
async fn after_an_overflow_the_messages_are_sent_as_text() {
    let overflow = ModelError::Overflow { message: "too long".to_owned(), limit: None, tokens: None };
    let session = session(&long(), 6, 4_000, vec![Reply::Fail(overflow), Reply::text("the notes")]);
    assert_eq!(session.ask(Some(session.prefix())).await.expect("an answer").text, "the notes");
    let requests = session.model.requests();
    assert_eq!((requests.len(), requests[1].session.is_none()), (2, true));
}

// F-14 I-4
#[tokio::test]
async fn messages_that_do_not_fit_are_read_in_parts() {
    let exchange = |n: usize| format!("user: part {n}\nassistant: {n} {}\n", words(150));
    let notation: String = (0..40).map(exchange).collect();
    let replies = (0..8).map(|n| Reply::text(format!("notes number {n}"))).collect();
    let session = session(&(notation + "user: go"), 80, 2_000, replies);
    let prose = session.ask(None).await.expect("an answer");
    let requests = session.model.requests();
    let parts = requests.len() - 1;
    assert!(
        (3..=SummarizerSettings::default().max_parts).contains(&parts),
        "{parts}: each part once, and once to join them"
    );
    assert_eq!(prose.text, format!("notes number {parts}"));
    let shown: Vec<String> =
        requests.iter().flat_map(|request| request.transcript.messages().map(Message::text)).collect();
    let heading = |part: usize| format!("This is part {part} of {parts}");
    assert!(shown[0].contains("[user]\npart 0\n") && shown[0].contains(&heading(1)), "{}", shown[0]);
    assert!(shown[parts - 1].contains("part 39\n") && shown[parts - 1].contains(&heading(parts)));
    expect![[r#"
        Write notes of 50 tokens.

        The messages were too long for one reading, so notes were taken of each part. They follow, oldest first. Make of them the one set of notes that is asked for above: what a later part says counts more than what an earlier one says, and what was solved since is no longer open.

        Part 1:
        notes number 0

        Part 2:
        notes number 1

        Part 3:
        notes number 2

        Part 4:
        notes number 3"#]]
    .assert_eq(&shown[parts]);
}

/// Thinks for this many tokens before it writes, all within the limit of an answer.
#[derive(Debug)]
struct Thinker {
    info: ModelInfo,
    thinks: u64,
    /// Limits of the requests.
    limits: std::sync::Mutex<Vec<u64>>,
}

#[async_trait]
impl LanguageModel for Thinker {
    fn info(&self) -> ModelInfo {
        self.info.clone()
    }

    async fn stream(
        &self,
        request: &CompletionRequest,
    ) -> Result<throughline_completion::EventStream, ModelError> {
        let limit = request.max_output_tokens;
        self.limits.lock().expect("no panic").push(limit);
        let shown: u64 = request.transcript.messages().map(|message| WordCounter.message(message)).sum();
        if shown + limit > self.info.window {
            return Err(ModelError::Overflow { message: "too long".to_owned(), limit: None, tokens: None });
        }
        let text = ContentBlock::Text { text: "### Now\nWork.\n### Done\nSome of it".to_owned() };
        let (blocks, stop) = match limit {
            _ if limit < self.thinks => (vec![], StopReason::MaxTokens),
            _ if limit < self.thinks + 20 => (vec![text], StopReason::MaxTokens),
            _ => (vec![text], StopReason::EndTurn),
        };
        let events = blocks.into_iter().map(CompletionEvent::Block).chain([CompletionEvent::Finished(stop)]);
        Ok(futures_util::stream::iter(events.map(Ok).collect::<Vec<_>>()).boxed())
    }
}

/// Asks a model that thinks. Returns the summary and the output limits of the requests.
async fn think(window: u64, max_output: u64, thinks: u64) -> (Result<String, String>, Vec<u64>) {
    let session = session(&long(), 6, window, vec![]);
    let info = ModelInfo::with_window("thinker", window, max_output);
    let model = Arc::new(Thinker { info, thinks, limits: std::sync::Mutex::default() });
    let request = SummaryRequest {
        entries: session.view.entries().get(..6).expect("enough entries"),
        previous: None,
        budget: 1_000,
        prompt: "Write notes.",
        counter: &WordCounter,
        prefix: None,
        spending: None,
        checks: None,
    };
    let prose = ModelSummarizer::new(model.clone(), SummarizerSettings::default()).summarize(&request).await;
    let limits = model.limits.lock().expect("no panic").clone();
    (prose.map(|prose| prose.text).map_err(|error| error.to_string()), limits)
}

#[tokio::test]
async fn the_output_limit_leaves_room_for_thinking() {
    let (prose, limits) = think(200_000, 32_000, 5_000).await;
    assert!(prose.expect("a summary").ends_with("Some of it"));
    assert_eq!(limits, [10_000]);
    // No more than the model can say, and than the window has left.
    assert_eq!(think(200_000, 4_096, 3_000).await.1, [4_096]);
    let (prose, limits) = think(8_000, 8_000, 5_000).await;
    assert!(prose.is_ok() && limits.iter().all(|limit| (6_500..7_500).contains(limit)), "{limits:?}");
    // A small one has what it needs for the summary in any case.
    let (prose, limits) = think(2_200, 2_200, 0).await;
    assert!(prose.is_ok() && limits.iter().all(|limit| (2_000..2_200).contains(limit)), "{limits:?}");
}

#[tokio::test]
async fn a_truncated_summary_is_rejected() {
    for thinks in [20_000, 9_990] {
        let (prose, limits) = think(200_000, 32_000, thinks).await;
        assert_eq!(prose, Err("the summary is cut off at its limit of tokens".to_owned()), "{thinks}");
        assert_eq!(limits.len(), 1, "there is no second try");
    }
}
