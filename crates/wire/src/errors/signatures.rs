//! Errors about thinking that was sent back.

/// Returns true if a provider does not accept thinking that was signed, or sealed, elsewhere: ``Invalid `signature` in `thinking`
/// block`` (Anthropic, Bedrock, Vertex), `Corrupted thought signature` (Gemini), `The encrypted content … could not be verified`
/// (OpenAI), `Item with id 'rs_…' not found` (OpenAI, of reasoning that came without its seal). A signature that is missing is another fault: without the thinking it would be missing as well.
pub(super) fn are_refused(message: &str) -> bool {
    let lower = message.to_ascii_lowercase();
    let has = |words: &[&str]| words.iter().any(|words| lower.contains(words));
    let signed = lower.contains("signature") && has(&["thinking", "thought"]);
    let sealed = has(&["encrypted content", "encrypted_content", "redacted_thinking"]);
    let bad = has(&["invalid", "corrupt", "not valid", "verif", "decrypt", "mismatch", "cannot be modified"]);
    let gone = has(&["item with id 'rs_", "item 'rs_"])
        && has(&["not found", "not persisted", "without its required following item"]);
    gone || (signed || sealed) && bad && !has(&["missing", "not supported", "unsupported"])
}
