//! The names of attributes and metrics.
//!
//! The conventions for generative AI are in development. Where a name changed lately, the new and the old one are sent, because
//! what reads them follows at its own pace.

/// The conventions that the names are of.
pub(crate) const SCHEMA: &str = "https://opentelemetry.io/schemas/gen-ai-dev/1.42.0-dev";

/// The agent, as spans name it.
pub(crate) const AGENT: &str = "throughline";

pub(crate) const AGENT_NAME: &str = "gen_ai.agent.name";
pub(crate) const CONVERSATION: &str = "gen_ai.conversation.id";
pub(crate) const COMPACTED: &str = "gen_ai.conversation.compacted";
pub(crate) const ERROR: &str = "error.type";
pub(crate) const FINISH: &str = "gen_ai.response.finish_reasons";
pub(crate) const FIRST_CHUNK: &str = "gen_ai.response.time_to_first_chunk";
pub(crate) const INPUT_MESSAGES: &str = "gen_ai.input.messages";
pub(crate) const MODALITY: &str = "gen_ai.token.modality";
pub(crate) const MODEL: &str = "gen_ai.request.model";
pub(crate) const OPERATION: &str = "gen_ai.operation.name";
pub(crate) const OUTPUT_MESSAGES: &str = "gen_ai.output.messages";
pub(crate) const PROVIDER: &str = "gen_ai.provider.name";
/// What a request is for; of our own.
pub(crate) const PURPOSE: &str = "throughline.request.purpose";
pub(crate) const RESPONSE_ID: &str = "gen_ai.response.id";
pub(crate) const RESPONSE_MODEL: &str = "gen_ai.response.model";
pub(crate) const SERVER: &str = "server.address";
pub(crate) const SERVER_PORT: &str = "server.port";
pub(crate) const STREAM: &str = "gen_ai.request.stream";
pub(crate) const TOKEN_TYPE: &str = "gen_ai.token.type";
pub(crate) const TOOL_ARGUMENTS: &str = "gen_ai.tool.call.arguments";
pub(crate) const TOOL_CALL: &str = "gen_ai.tool.call.id";
pub(crate) const TOOL_NAME: &str = "gen_ai.tool.name";
pub(crate) const TOOL_RESULT: &str = "gen_ai.tool.call.result";
pub(crate) const TOOL_TYPE: &str = "gen_ai.tool.type";

pub(crate) const USAGE_INPUT: &str = "gen_ai.usage.input_tokens";
pub(crate) const USAGE_OUTPUT: &str = "gen_ai.usage.output_tokens";
pub(crate) const USAGE_READ: &str = "gen_ai.usage.cache_read.input_tokens";
pub(crate) const USAGE_WRITE: &str = "gen_ai.usage.cache_write.input_tokens";
/// The name of [`USAGE_WRITE`] before.
pub(crate) const USAGE_CREATION: &str = "gen_ai.usage.cache_creation.input_tokens";

/// The name that the conventions give a provider.
pub(crate) fn provider(name: &str) -> &str {
    match name {
        "gemini" => "gcp.gemini",
        other => other,
    }
}
