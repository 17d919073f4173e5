//! Exact values after one compaction: facts that are asked for later, without a model.
//!
//! Reads conversations with questions, each with one exact string as its answer: a JSON array, gzip or plain, of objects
//! with `history` (items of OpenAI's Responses API) and `questions` (`question`, `expected`). A value counts as attached
//! if it stands next to its own key in the next request: behind the id that the question names, or next to most of the
//! words of the question. Visible: anywhere. One search: a query for the key, with a word boundary, finds a message in
//! which the value is attached among the newest five that have the key. Lost: neither.

use std::io::Read as _;
use std::path::Path;

use anyhow::Context as _;
use serde::Deserialize;
use serde_json::Value;
use throughline_agent::Settings;
use throughline_budget::ScriptAwareEstimator;
use throughline_compaction::{CompactionJob, Compactor, Goal, NameLog};
use throughline_conversation::{
    ContentBlock, EditReason, ExchangeId, Message, MessageRecord, Millis, Record, RecordBody, Role, Seq,
    SessionId, Source, TokenCounter as _, ToolCall, ToolResult, View, project,
};

use crate::entrants::{Entrant, entrants};
use crate::questions::{self, Generated};

/// Windows that the compactions are made for.
const WINDOWS: [u64; 3] = [32_000, 64_000, LARGEST];
/// The largest of them.
const LARGEST: u64 = 128_000;
/// Factors of the default policy's room for words, values and names.
const MORE: [u64; 3] = [2, 4, 6];
/// Messages that a search shows.
const FOUND: usize = 5;
/// Tokens of system prompt, tools and answer.
const FIXED: u64 = 10_000;
/// A key stands at most this many bytes before its value.
const REACH: usize = 60;
/// The words of a question without an id stand at most this many bytes before or behind the value.
const AROUND: usize = 100;

#[derive(Debug, Deserialize)]
struct Conversation {
    history: Vec<Value>,
    questions: Vec<Question>,
}

#[derive(Debug, Deserialize)]
struct Question {
    question: String,
    expected: String,
}

#[derive(Debug, Default)]
struct Score {
    tokens: u64,
    attached: usize,
    visible: usize,
    reached: usize,
    asked: usize,
}

/// Compacts every conversation of a file once by every policy and prints a table.
pub(crate) async fn run(file: &Path) -> anyhow::Result<()> {
    let conversations = read(file)?;
    println!("\nrecall: {} conversations of {}, one compaction each", conversations.len(), file.display());
    println!("Published summaries: pi 48.0 % attached, OpenAI native 78.0 % (both by a model).");
    table(&conversations).await
}

/// The same for generated conversations of these seeds.
pub(crate) async fn run_generated(seeds: std::ops::Range<u64>) -> anyhow::Result<()> {
    println!("\nrecall: generated conversations of the seeds {seeds:?}, one compaction each");
    let conversations: Vec<Conversation> = seeds.map(|seed| questions::conversation(seed).into()).collect();
    table(&conversations).await
}

impl From<Generated> for Conversation {
    fn from(generated: Generated) -> Self {
        let questions = generated.questions.into_iter();
        let questions = questions.map(|(question, expected)| Question { question, expected }).collect();
        Self { history: generated.history, questions }
    }
}

async fn table(conversations: &[Conversation]) -> anyhow::Result<()> {
    println!(
        "ATTACHED: values next to their key in the next request; VISIBLE: anywhere in it; SEARCH: attached or one"
    );
    println!("search away; LOST: neither.\n");
    println!("  POLICY                 WINDOW  BEFORE   AFTER  ATTACHED  VISIBLE  SEARCH   LOST");
    for window in WINDOWS {
        for entrant in entrants(window, FIXED / 2) {
            print(&entrant, window, conversations).await?;
        }
    }
    // How much more is attached when more is kept.
    for times in MORE {
        for Entrant { name, policy, mut settings, estimator } in entrants(LARGEST, FIXED / 2) {
            if settings.pricing.is_some() {
                settings.compaction.user_words_tokens *= times;
                settings.compaction.names_tokens *= times;
                settings.compaction.given_tokens *= times;
                print(
                    &Entrant { name: format!("{name} x{times}"), policy, settings, estimator },
                    LARGEST,
                    conversations,
                )
                .await?;
            }
        }
    }
    Ok(())
}

async fn print(entrant: &Entrant, window: u64, conversations: &[Conversation]) -> anyhow::Result<()> {
    let (mut before, mut score) = (0, Score::default());
    for conversation in conversations {
        before += ask(conversation, entrant.settings.clone(), window, &mut score).await?;
    }
    let count = conversations.len().max(1) as u64;
    let share = |found: usize| found as f64 * 100.0 / score.asked.max(1) as f64;
    println!(
        "  {:<22} {window:>6} {:>7} {:>7} {:>7.1} % {:>6.1} % {:>5.1} % {:>4.1} %",
        entrant.name,
        before / count,
        score.tokens / count,
        share(score.attached),
        share(score.visible),
        share(score.reached),
        share(score.asked - score.reached),
    );
    Ok(())
}

fn read(file: &Path) -> anyhow::Result<Vec<Conversation>> {
    let bytes = std::fs::read(file).with_context(|| format!("could not read {}", file.display()))?;
    let mut text = String::new();
    if bytes.starts_with(&[0x1f, 0x8b]) {
        flate2::read::GzDecoder::new(bytes.as_slice()).read_to_string(&mut text)?;
    } else {
        text = String::from_utf8(bytes)?;
    }
    serde_json::from_str(&text)
        .with_context(|| format!("{} holds no conversations with questions", file.display()))
}

/// Compacts a conversation once and looks for the answers. Returns its tokens before.
async fn ask(
    conversation: &Conversation,
    settings: Settings,
    window: u64,
    score: &mut Score,
) -> anyhow::Result<u64> {
    let view = view_of(&conversation.history)?;
    let session = SessionId::new("bench")?;
    let mut names = NameLog::default();
    names.note(view.entries());
    let listed = settings.compaction.lists_session_names().then_some(&names);
    let compactor = Compactor::new(settings.compaction, None);
    let job = CompactionJob {
        goal: Goal::Deep,
        reason: EditReason::CompactThreshold,
        fixed: FIXED / 2,
        names: listed,
        ..CompactionJob::new(&session, &view, &ScriptAwareEstimator, window - FIXED)
    };
    let after = compactor.compact(&job).await.map_or_else(|_| view.clone(), |compacted| compacted.view);
    let text: String = after.entries().iter().map(|entry| text_of(&entry.message)).collect();
    score.tokens += ScriptAwareEstimator.text(&text);
    for question in &conversation.questions {
        score.asked += 1;
        score.visible += usize::from(places(&text, &question.expected).next().is_some());
        let attached = is_attached(&text, question);
        score.attached += usize::from(attached);
        score.reached += usize::from(attached || is_found(&view, question));
    }
    Ok(view.tokens())
}

fn view_of(items: &[Value]) -> anyhow::Result<View> {
    let mut records: Vec<Record> = Vec::new();
    for item in items {
        let text = |name: &str| item.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let (message, source) = match text("type").as_str() {
            "function_call" => {
                let input = serde_json::from_str(&text("arguments"))?;
                let call = ToolCall { id: text("call_id"), name: text("name"), input };
                let content = vec![ContentBlock::ToolCall(call)];
                (Message { role: Role::Assistant, content }, Source::Model("bench".to_owned()))
            }
            "function_call_output" => {
                (Message::results([ToolResult::text(text("call_id"), text("output"))]), Source::Tools)
            }
            _ => {
                let parts = item.get("content").and_then(Value::as_array);
                let parts = parts.into_iter().flatten().filter_map(|part| part.get("text")?.as_str());
                let said = parts.collect::<Vec<_>>().join("\n");
                if text("role") == "user" {
                    (Message::user(said), Source::User)
                } else {
                    let content = vec![ContentBlock::Text { text: said }];
                    (Message { role: Role::Assistant, content }, Source::Model("bench".to_owned()))
                }
            }
        };
        let body = RecordBody::Message(MessageRecord { message, source, usage: None });
        let seq = Seq(records.len() as u64 + 1);
        records.push(Record { seq, at: Millis(0), exchange: ExchangeId(seq.0), body });
    }
    Ok(project(&records, &ScriptAwareEstimator)?)
}

pub(crate) fn text_of(message: &Message) -> String {
    let mut text = String::new();
    for block in &message.content {
        match block {
            ContentBlock::Text { text: said } => text.push_str(said),
            ContentBlock::ToolCall(call) => text.push_str(&call.input.to_string()),
            ContentBlock::ToolResult(result) => text.push_str(&result.content),
            ContentBlock::Thinking(_) | ContentBlock::Image(_) => {}
        }
        text.push('\n');
    }
    text
}

/// Returns true if the newest messages that a search for the key finds have the value next to it.
fn is_found(view: &View, question: &Question) -> bool {
    let texts = view.entries().iter().rev().map(|entry| text_of(&entry.message));
    let found = texts.filter(|text| match id_of(question) {
        Some(id) => places(text, id).next().is_some(),
        None => {
            let text = text.to_lowercase();
            words_of(question).iter().filter(|word| text.contains(word.trim_end_matches('s'))).count() * 2
                >= words_of(question).len()
        }
    });
    found.take(FOUND).any(|text| is_attached(&text, question))
}

fn is_attached(text: &str, question: &Question) -> bool {
    if let Some(id) = id_of(question) {
        return places(text, id).any(|at| {
            let behind = part(text, at + id.len(), at + id.len() + REACH + question.expected.len());
            places(behind, &question.expected).next().is_some()
        });
    }
    let said = words_of(question);
    places(text, &question.expected).any(|at| {
        let around =
            part(text, at.saturating_sub(AROUND), at + question.expected.len() + AROUND).to_lowercase();
        let found = said.iter().filter(|word| around.contains(word.trim_end_matches('s'))).count();
        found * 2 >= said.len()
    })
}

/// The id that a question names: a word with a hyphen that ends with a digit.
fn id_of(question: &Question) -> Option<&str> {
    words(&question.question)
        .find(|word| word.contains('-') && word.ends_with(|end: char| end.is_ascii_digit()))
}

/// The words that say what is asked for. Question words are short, or stand at the beginning of the question.
fn words_of(question: &Question) -> Vec<String> {
    words(&question.question).skip(1).filter(|word| word.len() > 3).map(str::to_lowercase).collect()
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '-')
}

/// Where a word stands alone.
fn places<'t>(text: &'t str, word: &'t str) -> impl Iterator<Item = usize> + 't {
    let open = |letter: Option<char>| letter.is_none_or(|letter| !letter.is_alphanumeric());
    text.match_indices(word).map(|(at, _)| at).filter(move |at| {
        open(part(text, 0, *at).chars().next_back())
            && open(part(text, at + word.len(), text.len()).chars().next())
    })
}

/// The bytes from one place to another, widened to whole characters.
fn part(text: &str, from: usize, to: usize) -> &str {
    let from = (0..=from.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    let to = (to.min(text.len())..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len());
    text.get(from..to).unwrap_or_default()
}
