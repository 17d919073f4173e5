//! OpenAI's Chat Completions API, which nearly every other server speaks too.

mod decode;
mod encode;
mod errors;
pub(crate) mod validate;

pub use encode::encode;
pub use errors::with_hint;
