//! Metrics.

use std::time::Duration;

use opentelemetry::KeyValue;
use opentelemetry::metrics::{Counter, Histogram, Meter};
use throughline_conversation::Usage;

use crate::names::{AGENT, AGENT_NAME, ERROR, MODALITY, TOKEN_TYPE, TOOL_NAME, TOOL_TYPE};
use crate::request_span::Asked;

/// Upper bounds of durations of requests and tools in seconds, by the conventions.
const SECONDS: [f64; 14] =
    [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];

/// The same of turns.
const LONG_SECONDS: [f64; 13] = [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8, 25.6, 51.2, 102.4, 204.8, 409.6];

/// Upper bounds of numbers of tokens, by the conventions.
const TOKENS: [f64; 14] = [
    1.0,
    4.0,
    16.0,
    64.0,
    256.0,
    1_024.0,
    4_096.0,
    16_384.0,
    65_536.0,
    262_144.0,
    1_048_576.0,
    4_194_304.0,
    16_777_216.0,
    67_108_864.0,
];

/// What is measured. Attributes of metrics have few values: neither sessions nor calls are named.
#[derive(Debug)]
pub(crate) struct Instruments {
    /// By both of its names.
    chat_duration: [Histogram<f64>; 2],
    first_chunk: Histogram<f64>,
    agent_duration: Histogram<f64>,
    tool_duration: Histogram<f64>,
    compaction_duration: Histogram<f64>,
    removed_tokens: Counter<u64>,
    /// Tokens of each request, by their type.
    token_usage: Histogram<u64>,
    /// Sums of input, output, cache reads and cache writes.
    token_sums: [Counter<u64>; 4],
}

impl Instruments {
    pub(crate) fn new(meter: &Meter) -> Self {
        let seconds = |name: &'static str, bounds: &[f64]| {
            meter.f64_histogram(name).with_unit("s").with_boundaries(bounds.to_vec()).build()
        };
        let tokens = |name: &'static str| meter.u64_counter(name).with_unit("{token}").build();
        Self {
            chat_duration: [
                seconds("gen_ai.client.inference.duration", &SECONDS),
                seconds("gen_ai.client.operation.duration", &SECONDS),
            ],
            first_chunk: seconds("gen_ai.client.inference.time_to_first_chunk", &SECONDS),
            agent_duration: seconds("gen_ai.invoke_agent.duration", &LONG_SECONDS),
            tool_duration: seconds("gen_ai.execute_tool.duration", &SECONDS),
            compaction_duration: seconds("throughline.compaction.duration", &SECONDS),
            removed_tokens: tokens("throughline.compaction.removed_tokens"),
            token_usage: meter
                .u64_histogram("gen_ai.client.token.usage")
                .with_unit("{token}")
                .with_boundaries(TOKENS.to_vec())
                .build(),
            token_sums: [
                tokens("gen_ai.client.inference.usage.input_tokens"),
                tokens("gen_ai.client.inference.usage.output_tokens"),
                tokens("gen_ai.client.inference.usage.cache_read.input_tokens"),
                tokens("gen_ai.client.inference.usage.cache_write.input_tokens"),
            ],
        }
    }

    /// A request and its answer, or its error.
    pub(crate) fn request(&self, asked: &Asked, took: Duration, error: Option<&'static str>) {
        let attributes = with_error(asked.attributes(), error);
        self.chat_duration.iter().for_each(|histogram| histogram.record(took.as_secs_f64(), &attributes));
    }

    pub(crate) fn first_chunk(&self, asked: &Asked, took: Duration) {
        self.first_chunk.record(took.as_secs_f64(), &asked.attributes());
    }

    /// The tokens of one request, or of several as one sum.
    pub(crate) fn tokens(&self, asked: &Asked, usage: &Usage, is_one: bool) {
        if is_one {
            for (kind, tokens) in [("input", usage.prompt()), ("output", usage.output)] {
                let mut attributes = asked.attributes();
                attributes.push(KeyValue::new(TOKEN_TYPE, kind));
                self.token_usage.record(tokens, &attributes);
            }
        }
        let mut attributes = asked.attributes();
        attributes.push(KeyValue::new(MODALITY, "unknown"));
        let sums = [usage.prompt(), usage.output, usage.cache_read, usage.cache_write];
        for (counter, tokens) in self.token_sums.iter().zip(sums) {
            counter.add(tokens, &attributes);
        }
    }

    pub(crate) fn agent(&self, took: Duration, error: Option<&'static str>) {
        let attributes = with_error(vec![KeyValue::new(AGENT_NAME, AGENT)], error);
        self.agent_duration.record(took.as_secs_f64(), &attributes);
    }

    pub(crate) fn tool(&self, name: &str, took: Duration, error: Option<&'static str>) {
        let tool = [KeyValue::new(TOOL_NAME, name.to_owned()), KeyValue::new(TOOL_TYPE, "function")];
        let attributes = with_error([&tool[..], &[KeyValue::new(AGENT_NAME, AGENT)]].concat(), error);
        self.tool_duration.record(took.as_secs_f64(), &attributes);
    }

    /// A compaction, why it was made, and its outcome.
    pub(crate) fn compaction(&self, took: Duration, removed: u64, attributes: &[KeyValue]) {
        self.compaction_duration.record(took.as_secs_f64(), attributes);
        self.removed_tokens.add(removed, attributes);
    }
}

fn with_error(mut attributes: Vec<KeyValue>, error: Option<&'static str>) -> Vec<KeyValue> {
    attributes.extend(error.map(|error| KeyValue::new(ERROR, error)));
    attributes
}
