//! An operation of a context: its input, its output, and its row in the table.

use async_trait::async_trait;
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::context::OpenContext;
use crate::error::CallError;

/// What can be done with an open context. The type is the input.
#[async_trait]
pub trait Operation: DeserializeOwned + Serialize + JsonSchema + Send + 'static {
    /// The name, the same through every door.
    const NAME: &'static str;

    /// What it gives back.
    type Output: Serialize + DeserializeOwned + JsonSchema + Clone + Send + Sync + 'static;

    /// Does it.
    ///
    /// # Errors
    /// [`CallError`]; its code says what has changed.
    async fn run(self, context: &mut OpenContext) -> Result<Self::Output, CallError>;
}

/// Makes an operation of an input, a name, an output and what is done.
macro_rules! operation {
    ($input:ty, $name:literal, $output:ty, |$this:ident, $context:ident| $work:block) => {
        #[async_trait::async_trait]
        impl $crate::operation::Operation for $input {
            const NAME: &'static str = $name;
            type Output = $output;

            async fn run(
                $this,
                $context: &mut $crate::context::OpenContext,
            ) -> Result<$output, $crate::error::CallError> $work
        }
    };
}
pub(crate) use operation;
