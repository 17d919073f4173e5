//! Records that no message is.

use serde_json::json;
use throughline_conversation::{
    Components, Degradation, FigureSource, PolicyRecord, PromptRecord, Receipt, RecordBody, SectionText,
    ToolDefinition, ToolOrigin, ToolsRecord, View, WindowFigures,
};

use super::maker::Maker;

impl Maker {
    pub(super) fn note(&mut self) {
        let text = self.text();
        let body = match self.below(5) {
            0 => RecordBody::Prompt(PromptRecord {
                sections: vec![SectionText {
                    name: "identity".to_owned(),
                    text,
                    cacheable: true,
                    skill: false,
                }],
            }),
            1 => RecordBody::Tools(ToolsRecord { tools: vec![tool(text)], why: "first request".to_owned() }),
            2 => RecordBody::Receipt(Box::new(receipt(self.records.len() as u64, &self.view))),
            3 => RecordBody::Policy(PolicyRecord {
                name: text,
                before: Some("throughline".to_owned()),
                economy: Some("balanced".to_owned()),
            }),
            _ => RecordBody::Degraded(Degradation {
                subsystem: "result store".to_owned(),
                fallback: "bounded inline result".to_owned(),
                cause: text,
            }),
        };
        self.add(body);
    }
}

fn tool(description: String) -> ToolDefinition {
    let input_schema = json!({ "type": "object", "properties": { "path": { "type": "string" } } });
    ToolDefinition { name: "read".to_owned(), description, input_schema, origin: ToolOrigin::Builtin }
}

/// A receipt of a request that showed this view.
fn receipt(request: u64, view: &View) -> Receipt {
    let window = WindowFigures {
        total: 200_000,
        reserved_output: 8_000,
        used: Components { system: 10, skills: 0, tools: 20, conversation: view.tokens() },
        source: FigureSource::Estimated,
    };
    Receipt {
        epoch: view.epoch(),
        model: "sample".to_owned(),
        pressure: "ok".to_owned(),
        tools_active: 1,
        stop: "end_turn".to_owned(),
        ..Receipt::new(view.exchange().0, request, view.last(), window)
    }
}
