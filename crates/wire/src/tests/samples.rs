//! Valid requests of every shape, for the laws.

use std::sync::Arc;

use proptest::collection::vec;
use proptest::prelude::{Strategy, any};
use serde_json::json;
use throughline_completion::CompletionRequest;
use throughline_conversation::{
    CacheBreakpoint, CacheTtl, ContentBlock, Image, Message, Place, Role, SectionText, SessionId, Thinking,
    ToolCall, ToolDefinition, ToolOrigin, ToolResult, Transcript,
};

/// One step of a conversation. Each bit of `shape` is one feature.
#[derive(Debug, Clone)]
struct Step {
    calls: usize,
    shape: u32,
}

impl Step {
    fn has(&self, bit: u32) -> bool {
        self.shape & (1 << bit) != 0
    }

    /// What the model says: thinking of all kinds, texts, calls, thinking at the very end.
    fn assistant(&self, serial: usize) -> Message {
        let mut content = Vec::new();
        let signature = |signed: bool| signed.then(|| "c2lnbmVk".to_owned());
        let thinking = |text: &str, signed, redacted: Option<&str>| {
            let redacted = redacted.map(ToOwned::to_owned);
            ContentBlock::Thinking(Thinking { text: text.to_owned(), signature: signature(signed), redacted })
        };
        if self.has(0) {
            content.push(thinking("let me see", true, None));
        }
        if self.has(1) {
            content.push(thinking("of no signature", false, None));
        }
        if self.has(2) {
            content.push(thinking("", false, Some("opaque")));
        }
        let sealed = |place: &str| {
            let (signature, redacted) = (Some(format!("rs_{serial}{place}")), Some("gAAA".to_owned()));
            ContentBlock::Thinking(Thinking { text: "hm".to_owned(), signature, redacted })
        };
        if self.has(15) {
            content.push(sealed("a"));
        }
        if self.has(3) || self.calls == 0 && !self.has(4) {
            content.push(said("looking"));
        }
        if self.has(4) && self.has(5) || self.calls == 0 && self.has(4) {
            content.push(picture("image/png"));
        }
        // As Chat Completions brings it.
        let named = |field: &str, text: &str, redacted: Option<&str>| {
            let (signature, redacted) = (Some(field.to_owned()), redacted.map(ToOwned::to_owned));
            ContentBlock::Thinking(Thinking { text: text.to_owned(), signature, redacted })
        };
        if self.has(17) {
            content.push(named(
                if self.has(18) { "reasoning" } else { "reasoning_content" },
                "which file?",
                None,
            ));
        }
        if self.has(20) {
            content.push(named(
                "reasoning_details",
                "",
                Some(r#"[{"type":"reasoning.encrypted","data":"A="}]"#),
            ));
        }
        // As Gemini brings it.
        if self.has(23) {
            content.push(named("thoughtSignature.text", "", Some("\"dGV4dA==\"")));
        }
        if self.has(21) {
            content.push(named(
                "thoughtSignature",
                if self.has(22) { "signed" } else { "" },
                Some("\"c2ln\""),
            ));
        }
        if self.has(19) && self.calls > 0 {
            let signed = r#"{"google":{"thought_signature":"AgQ="}}"#;
            content.push(named("extra_content", "", Some(signed)));
        }
        content.extend((0..self.calls).map(|at| {
            let name = if self.has(6) { "no such tool!" } else { "read" };
            ContentBlock::ToolCall(ToolCall {
                id: self.id(serial, at),
                name: name.to_owned(),
                input: json!({"path": "a.rs", "at": at}),
            })
        }));
        if self.has(7) {
            content.push(thinking("and now", true, None));
        }
        if self.has(16) {
            content.push(sealed("b"));
        }
        Message { role: Role::Assistant, content }
    }

    /// Ids as different providers make them.
    fn id(&self, serial: usize, at: usize) -> String {
        if self.has(8) {
            format!("functions.read:{serial}:{at}")
        } else if self.has(9) {
            format!("call_{serial}_{at}_{}", "x".repeat(40))
        } else {
            format!("toolu_{serial}_{at}")
        }
    }

    /// What the tools answer, in any order.
    fn results(&self, serial: usize) -> Message {
        let mut results: Vec<ToolResult> = (0..self.calls)
            .map(|at| {
                let said = ["fn main() {}", "", " \n", "größer\n😀", "no such file"];
                let mut result = ToolResult::text(self.id(serial, at), said[(serial + at) % said.len()]);
                result.is_error = self.has(10) && at % 2 == 0;
                if self.has(11) && at % 3 == 0 {
                    let png = Image { media_type: "image/png".to_owned(), data: "aW1n".to_owned() };
                    let svg = Image { media_type: "image/svg+xml".to_owned(), data: "PHN2Zz4=".to_owned() };
                    result.images = vec![png, svg];
                }
                result
            })
            .collect();
        if self.has(12) {
            results.reverse();
        }
        Message::results(results)
    }

    fn add(&self, serial: usize, messages: &mut Vec<Message>) {
        messages.push(self.assistant(serial));
        if self.calls > 0 {
            messages.push(self.results(serial));
        }
        if self.calls == 0 || self.has(13) {
            messages.push(Message::user(format!("and then {serial}")));
        }
        if self.has(14) {
            messages.push(Message { role: Role::User, content: vec![said("look:"), picture("image/png")] });
        }
    }
}

fn said(text: &str) -> ContentBlock {
    ContentBlock::Text { text: text.to_owned() }
}

fn picture(media_type: &str) -> ContentBlock {
    ContentBlock::Image(Image { media_type: media_type.to_owned(), data: "aW1n".to_owned() })
}

fn any_messages() -> impl Strategy<Value = Vec<Message>> {
    let step = (0_usize..6, any::<u32>()).prop_map(|(calls, shape)| Step { calls, shape });
    (any::<bool>(), vec(step, 0..6)).prop_map(|(summary, steps)| {
        let mut messages = Vec::new();
        if summary {
            messages.push(Message::user("[summary of the start]"));
        }
        messages.push(Message::user("fix the bug"));
        for (serial, step) in steps.iter().enumerate() {
            step.add(serial, &mut messages);
        }
        messages
    })
}

fn tools(count: usize, bare: bool) -> Arc<[ToolDefinition]> {
    let schema =
        if bare { json!({}) } else { json!({"type": "object", "properties": {"path": {"type": "string"}}}) };
    let tool = |at| ToolDefinition {
        name: format!("tool-{at}"),
        description: if bare { String::new() } else { "Does things.".to_owned() },
        input_schema: schema.clone(),
        origin: ToolOrigin::Builtin,
    };
    (0..count).map(tool).collect()
}

fn system(count: usize) -> Arc<[SectionText]> {
    let section = |at| SectionText {
        name: format!("section {at}"),
        text: format!("Rule {at}."),
        cacheable: at < 2,
        skill: false,
    };
    (0..count).map(section).collect()
}

/// Any markers, also more than any provider takes and in any order.
fn any_markers() -> impl Strategy<Value = Vec<(u8, usize, bool)>> {
    vec((0_u8..3, 0_usize..30, any::<bool>()), 0..8)
}

fn breakpoints(markers: &[(u8, usize, bool)], request: &CompletionRequest) -> Vec<CacheBreakpoint> {
    let sizes = [request.tools.len(), request.system.len(), request.transcript.len()];
    let place = |(kind, at, hour): &(u8, usize, bool)| {
        let at = at.checked_rem(sizes[usize::from(*kind)])?;
        let place = [Place::Tool, Place::Section, Place::Message][usize::from(*kind)](at);
        Some(CacheBreakpoint { place, ttl: if *hour { CacheTtl::OneHour } else { CacheTtl::FiveMinutes } })
    };
    markers.iter().filter_map(place).collect()
}

/// Requests without faults.
pub(crate) fn any_request() -> impl Strategy<Value = CompletionRequest> {
    let shell = (0_usize..4, any::<bool>(), 0_usize..4, vec("[a-zé]{1,9}", 0..3), any::<bool>());
    (any_messages(), shell, any_markers()).prop_map(
        |(messages, (count, bare, sections, tail, named), markers)| {
            let mut request = CompletionRequest {
                model: "m".to_owned(),
                session: named.then(|| SessionId::new("s-1").unwrap()),
                tools: tools(count, bare),
                system: system(sections),
                transcript: Transcript::from_messages(messages),
                tail,
                breakpoints: Vec::new(),
                max_output_tokens: 64,
            };
            request.breakpoints = breakpoints(&markers, &request);
            request
        },
    )
}
