//! Events as lines of text, and the recorded streams that several tests run over.

use expect_test::Expect;
use throughline_completion::{CompletionEvent, ModelError};
use throughline_conversation::ContentBlock;

use crate::stream::{AnswerStream, Decoded};

/// Makes the stream that reads a recording.
pub(crate) type Make = fn() -> AnswerStream;

fn anthropic() -> AnswerStream {
    AnswerStream::anthropic("t1-", [])
}

fn responses() -> AnswerStream {
    AnswerStream::openai_responses("t1-", [])
}

fn chat() -> AnswerStream {
    AnswerStream::openai_chat("t1-", [])
}

fn ollama() -> AnswerStream {
    AnswerStream::ollama("t1-")
}

fn gemini() -> AnswerStream {
    AnswerStream::gemini("t1-", [])
}

fn gemini_gca() -> AnswerStream {
    AnswerStream::gemini_gca("t1-", [])
}

/// Every recording, with what reads it.
pub(crate) const ALL: &[(Make, &str)] = &[
    (anthropic, include_str!("../anthropic/decode/cases/thinking_and_calls.sse")),
    (anthropic, include_str!("../anthropic/decode/cases/cut_call.sse")),
    (anthropic, include_str!("../anthropic/decode/cases/unknown_parts.sse")),
    (anthropic, include_str!("../anthropic/decode/cases/overloaded.sse")),
    (anthropic, include_str!("../anthropic/decode/cases/web_search.sse")),
    (chat, include_str!("../openai_chat/decode/cases/reasoning_and_parallel_calls.sse")),
    (chat, include_str!("../openai_chat/decode/cases/signed_calls.sse")),
    (chat, include_str!("../openai_chat/decode/cases/reasoning_in_parts.sse")),
    (chat, include_str!("../openai_chat/decode/cases/compatible_server.sse")),
    (chat, include_str!("../openai_chat/decode/cases/one_index_for_all.sse")),
    (chat, include_str!("../openai_chat/decode/cases/no_index_and_no_id.sse")),
    (chat, include_str!("../openai_chat/decode/cases/content_in_parts.sse")),
    (chat, include_str!("../openai_chat/decode/cases/error.sse")),
    (responses, include_str!("../openai_responses/decode/cases/reasoning_and_call.sse")),
    (responses, include_str!("../openai_responses/decode/cases/items_at_the_end.sse")),
    (responses, include_str!("../openai_responses/decode/cases/overflow.sse")),
    (ollama, include_str!("../ollama/decode/cases/thinking_and_calls.ndjson")),
    (ollama, include_str!("../ollama/decode/cases/cached_and_cut.ndjson")),
    (ollama, include_str!("../ollama/decode/cases/cached.ndjson")),
    (ollama, include_str!("../ollama/decode/cases/only_new.ndjson")),
    (ollama, include_str!("../ollama/decode/cases/error.ndjson")),
    (gemini, include_str!("../gemini/decode/cases/thinking_and_calls.sse")),
    (gemini, include_str!("../gemini/decode/cases/signed_parts.sse")),
    (gemini, include_str!("../gemini/decode/cases/refused.sse")),
    (gemini, include_str!("../gemini/decode/cases/error.sse")),
    (gemini_gca, include_str!("../gemini/decode/cases/envelope.sse")),
];

/// All events of a stream that comes in these pieces.
pub(crate) fn read<'a>(mut stream: AnswerStream, pieces: impl IntoIterator<Item = &'a [u8]>) -> Decoded {
    let mut events = Vec::new();
    for piece in pieces {
        events.extend(stream.push(piece));
    }
    events.extend(stream.finish());
    events
}

/// One line for each event.
pub(crate) fn lines(events: &Decoded) -> String {
    events.iter().map(|event| line(event) + "\n").collect()
}

fn line(event: &Result<CompletionEvent, ModelError>) -> String {
    match event {
        Ok(CompletionEvent::TextDelta(text)) => format!("text+ {text:?}"),
        Ok(CompletionEvent::ThinkingDelta(text)) => format!("thinking+ {text:?}"),
        Ok(CompletionEvent::Block(block)) => format!("block {}", self::block(block)),
        Ok(CompletionEvent::Usage(usage)) => {
            let (input, read) = (usage.input, usage.cache_read);
            let searches = match usage.searches {
                0 => String::new(),
                searches => format!(", {searches} searches"),
            };
            let (written, out) = (usage.cache_write, usage.output);
            format!("usage {input} in, {read} read, {written} written, {out} out{searches}")
        }
        Ok(CompletionEvent::Detail(detail)) => format!("detail {detail:?}"),
        Ok(CompletionEvent::Finished(stop)) => format!("finished {stop:?}"),
        Ok(CompletionEvent::Unknown(value)) => format!("unknown {value}"),
        Err(error) => format!("error {error:?}"),
    }
}

fn block(block: &ContentBlock) -> String {
    serde_json::to_string(block).unwrap()
}

/// Reads the text as one piece and compares.
pub(crate) fn check(stream: AnswerStream, text: &str, after: &Expect) {
    after.assert_eq(&lines(&read(stream, [text.as_bytes()])));
}
