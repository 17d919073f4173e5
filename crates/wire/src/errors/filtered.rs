//! Errors of content filters.

use super::parts::ErrorParts;

/// Types and codes of such errors (Azure and OpenAI, Alibaba's Model Studio, z.ai, MiniMax).
const NAMES: &[&str] = &[
    "content_filter",
    "content_policy_violation",
    "ResponsibleAIPolicyViolation",
    "data_inspection_failed",
    "DataInspectionFailed",
    "1301",
    "base_resp 1026",
    "base_resp 1027",
];

/// The end of such codes at Volcengine.
const NAME_END: &str = "SensitiveContentDetected";

/// Words of such errors, in lower case. Azure, Anthropic, Alibaba, DeepSeek, Kimi, OpenAI, OpenRouter, xAI, z.ai, LiteLLM.
const WORDS: &[&str] = &[
    "content management policy",
    "content filtering policy",
    "inappropriate content",
    "content exists risk",
    "considered high risk",
    "flagged as potentially violating",
    "content was flagged",
    "input was flagged",
    "prompt was flagged",
    "content violates usage guidelines",
    "violating our usage policy",
    "敏感内容",
    "contentpolicyviolationerror",
];

/// Returns true if a filter refuses what the request says, and not its form.
pub(super) fn is(parts: &ErrorParts, message: &str) -> bool {
    let lower = message.to_ascii_lowercase();
    parts.names.iter().any(|name| NAMES.contains(&name.as_str()) || name.ends_with(NAME_END))
        || WORDS.iter().any(|words| lower.contains(words))
}
