//! OpenAI's Chat Completions API, which nearly every other server speaks too.

mod answer;
mod decode;
mod encode;
mod errors;
pub(crate) mod validate;

pub(crate) use answer::check_answer;
pub use encode::encode;
pub use errors::with_hint;
