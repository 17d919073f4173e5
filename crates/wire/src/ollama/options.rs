//! Options of Ollama's chat API alone.

/// Options of one request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OllamaOptions {
    /// Size of the window in tokens, above 0. A change of it makes the server load the model again.
    pub num_ctx: u64,
}

impl Default for OllamaOptions {
    /// 32,768 tokens: a larger window needs more memory than most machines have.
    fn default() -> Self {
        Self { num_ctx: 32_768 }
    }
}
