//! The generated session.

use std::path::Path;

use serde_json::json;
use throughline_continuity::{MessageLog as _, SessionDirectory as _, SessionInfo};
use throughline_conversation::{
    Action, Components, ContentBlock, Decision, Edit, EditReason, ExchangeId, FigureSource, Message,
    MessageRecord, Millis, ModelRecord, Origin, Receipt, Record, RecordBody, Role, Seq, SessionId, Source,
    Span, SummaryNote, ToolCall, ToolResult, Usage, WindowFigures,
};
use throughline_store::{DataDir, Store};

/// The model that the session names.
pub(crate) const MODEL: &str = "claude-sonnet-4-5";
/// Requests of a turn.
const REQUESTS: u64 = 10;
/// Records of a turn: the user's message, an answer and a receipt for each request, and the results of all but the last.
pub(crate) const TURN: u64 = 3 * REQUESTS;
/// Turns between two compactions.
const COMPACTED: u64 = 6;
/// Records of one append.
const BATCH: usize = 1_000;
/// Lines of a tool result.
const LINES: u64 = 82;

/// Writes the session into a new data folder. Returns the size of the database in bytes.
pub(crate) async fn generate(data: &Path, session: &str, records: u64) -> anyhow::Result<u64> {
    let folder = DataDir::new(Some(data.to_path_buf()))?;
    let store = Store::open(&folder.database()).await?;
    let session = SessionId::new(session)?;
    let info = SessionInfo {
        id: session.clone(),
        title: "A very long session".to_owned(),
        workspace: String::new(),
        model: MODEL.to_owned(),
        created: Millis(1_700_000_000_000),
    };
    store.sessions().create(&info).await?;
    let mut made = Writer::default();
    let log = store.message_log();
    let model = ModelRecord {
        origin: Origin::new("anthropic", MODEL).into(),
        window: 200_000,
        learnt: Default::default(),
        foreign: Default::default(),
        thinking_from: None,
        thinking: None,
    };
    made.add(0, RecordBody::Model(model));
    let mut turn = 0;
    while made.seq < records {
        turn += 1;
        made.turn(turn);
        if turn % COMPACTED == 0 {
            made.compaction(turn);
        }
        if made.records.len() >= BATCH {
            log.append(&session, &std::mem::take(&mut made.records)).await?;
        }
    }
    log.append(&session, &made.records).await?;
    store.close().await?;
    Ok(folder.database().metadata()?.len())
}

#[derive(Debug, Default)]
struct Writer {
    seq: u64,
    request: u64,
    records: Vec<Record>,
    /// The range of the newest summary.
    covered: Option<Span>,
}

impl Writer {
    fn add(&mut self, exchange: u64, body: RecordBody) {
        self.seq += 1;
        let at = Millis(1_700_000_000_000 + i64::try_from(self.seq).unwrap_or_default() * 2_000);
        self.records.push(Record { seq: Seq(self.seq), at, exchange: ExchangeId(exchange), body });
    }

    fn message(&mut self, turn: u64, message: Message, source: Source, usage: Option<Usage>) {
        self.add(turn, RecordBody::Message(MessageRecord { message, source, usage }));
    }

    fn turn(&mut self, turn: u64) {
        let text = format!("Step {turn}: look at the next part of the project, and fix what is wrong there.");
        self.message(turn, Message::user(text), Source::User, None);
        for request in 1..=REQUESTS {
            self.request += 1;
            let usage = Usage { input: 3, cache_read: 90_000, cache_write: 2_500, output: 160, searches: 0 };
            let source = Source::Model(MODEL.to_owned());
            if request == REQUESTS {
                let text = "The bounds were wrong in two places, and both have a test now. ".repeat(6);
                self.message(turn, Message::assistant(text), source, Some(usage));
                self.receipt(turn, usage);
                break;
            }
            let id = format!("toolu_{}", self.request);
            let path = format!("crates/part_{turn}/src/module_{request}.rs");
            let call =
                ToolCall { id: id.clone(), name: "read_file".to_owned(), input: json!({ "path": path }) };
            let text = "I look at the file before I change anything, because its callers depend on it.";
            let content = vec![ContentBlock::Text { text: text.to_owned() }, ContentBlock::ToolCall(call)];
            self.message(turn, Message { role: Role::Assistant, content }, source, Some(usage));
            self.receipt(turn, usage);
            let lines = (1..=LINES).map(|line| {
                let value = line.wrapping_mul(turn).wrapping_mul(request) % 9_973;
                format!("{line:>6}  let part_{value} = slice.get({line}..{value}).ok_or(\"bad range\\n\")?; // §{turn}\n")
            });
            let result = ToolResult::text(id, lines.collect::<String>());
            self.message(turn, Message::results([result]), Source::Tools, None);
        }
    }

    fn receipt(&mut self, turn: u64, usage: Usage) {
        let used = Components { system: 3_000, skills: 0, tools: 9_000, conversation: 80_000 };
        let decision = |step: &str| Decision {
            step: step.to_owned(),
            what: "nothing to do".to_owned(),
            why: "52% of the effective window is used, which is below every threshold".to_owned(),
        };
        let receipt = Receipt {
            turn,
            request: self.request,
            upto: Seq(self.seq),
            epoch: turn / COMPACTED,
            model: MODEL.to_owned(),
            window: WindowFigures {
                total: 200_000,
                reserved_output: 32_000,
                used,
                source: FigureSource::Anchored,
            },
            pressure: "none".to_owned(),
            decisions: ["measure", "compact", "select_tools", "build_request"].map(decision).to_vec(),
            compaction: None,
            certificate: None,
            price: None,
            regret: Vec::new(),
            offloaded: Vec::new(),
            tools_active: 18,
            tools_deferred: 0,
            breakpoints: Vec::new(),
            tail: Vec::new(),
            system_tail: false,
            predicted: Usage { output: 0, ..usage },
            cache: None,
            reported: Some(usage),
            diagnosis: None,
            window_prompt: None,
            short_report: false,
            searches: Vec::new(),
            cited: Vec::new(),
            stop: "tool_use".to_owned(),
            degraded: Vec::new(),
        };
        self.add(turn, RecordBody::Receipt(Box::new(receipt)));
    }

    /// Covers everything up to the last answer, which has a receipt, by a summary.
    fn compaction(&mut self, turn: u64) {
        let span = Span { first: Seq(2), last: Seq(self.seq - 1) };
        let note = SummaryNote {
            template: "throughline".to_owned(),
            model: Some(MODEL.to_owned()),
            tokens: 900,
            provider: None,
            parent: self.covered.replace(span),
        };
        let summary = Some("Each part was read, and what was wrong there was fixed and tested. ".repeat(60));
        let actions = vec![Action::Cover { span, summary, note: Some(note) }];
        let strategies = vec!["summarize".to_owned()];
        self.add(turn, RecordBody::Edit(Edit { reason: EditReason::CompactThreshold, actions, strategies }));
    }
}
