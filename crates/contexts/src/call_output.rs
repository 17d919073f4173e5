//! What a call by name returns.

use std::fmt;

use serde::Serialize;

use crate::error::{CallError, ErrorCode};

/// The output of a call as JSON, with the output itself: a large one takes long to free, which can wait until the text is sent.
pub struct CallOutput {
    text: Vec<u8>,
    output: Box<dyn Send>,
}

impl CallOutput {
    /// Appends an output to a text.
    pub(crate) fn append<T: Serialize + Send + 'static>(
        mut text: Vec<u8>,
        output: T,
    ) -> Result<Self, CallError> {
        serde_json::to_writer(&mut text, &output)
            .map_err(|error| CallError::of(ErrorCode::Storage, &error))?;
        Ok(Self { text, output: Box::new(output) })
    }

    /// The text, and what is freed behind it.
    #[must_use]
    pub fn into_parts(self) -> (Vec<u8>, Box<dyn Send>) {
        (self.text, self.output)
    }
}

impl AsRef<[u8]> for CallOutput {
    fn as_ref(&self) -> &[u8] {
        &self.text
    }
}

impl fmt::Debug for CallOutput {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("CallOutput").field("bytes", &self.text.len()).finish_non_exhaustive()
    }
}
