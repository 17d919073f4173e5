//! The frame that the file tools share: each tool is its definition and its body, the frame is the port.

use std::fmt::Debug;
use std::marker::PhantomData;
use std::sync::Arc;

use async_trait::async_trait;
use serde::de::DeserializeOwned;
use serde_json::Value;
use throughline_conversation::{ToolCall, ToolDefinition};

use crate::access::Access;
use crate::arguments::arguments;
use crate::file_scope::FileScope;
use crate::output::ToolOutput;
use crate::tool::{Tool, ToolContext};

/// A tool that reads or writes files.
pub(super) trait FileTool: Debug + Send + Sync + 'static {
    /// The arguments of a call. They follow the schema of the definition.
    type Arguments: DeserializeOwned + Send + 'static;

    /// The same each time, as [`Tool::definition`] requires.
    fn definition() -> ToolDefinition;

    /// See [`Tool::access`].
    fn access(input: &Value) -> Access;

    /// See [`Tool::check`]. Runs on a thread that may block.
    ///
    /// # Errors
    /// An error output for the model.
    fn check(
        _arguments: Self::Arguments,
        _context: &ToolContext,
        _scope: &FileScope,
    ) -> Result<(), ToolOutput> {
        Ok(())
    }

    /// Does the work on a thread that may block. Long work checks the context's cancel flag.
    ///
    /// # Errors
    /// An error output for the model.
    fn run(
        arguments: Self::Arguments,
        context: &ToolContext,
        scope: &FileScope,
    ) -> Result<ToolOutput, ToolOutput>;
}

/// A file tool within a scope.
#[derive(Debug)]
struct Scoped<T> {
    scope: FileScope,
    tool: PhantomData<T>,
}

/// The tool `T` within this scope, as the registry takes it.
pub(super) fn scoped<T: FileTool>(scope: &FileScope) -> Arc<dyn Tool> {
    Arc::new(Scoped::<T> { scope: scope.clone(), tool: PhantomData })
}

#[async_trait]
impl<T: FileTool> Tool for Scoped<T> {
    fn definition(&self) -> ToolDefinition {
        T::definition()
    }

    fn access(&self, call: &ToolCall) -> Access {
        T::access(&call.input)
    }

    async fn check(&self, call: &ToolCall, context: &ToolContext) -> Result<(), ToolOutput> {
        self.blocking(call, context, T::check).await
    }

    async fn call(&self, call: &ToolCall, context: &ToolContext) -> ToolOutput {
        self.blocking(call, context, T::run).await.unwrap_or_else(|output| output)
    }
}

impl<T: FileTool> Scoped<T> {
    /// Parses the arguments and does work with them on a thread that may block.
    async fn blocking<R: Send + 'static>(
        &self,
        call: &ToolCall,
        context: &ToolContext,
        work: fn(T::Arguments, &ToolContext, &FileScope) -> Result<R, ToolOutput>,
    ) -> Result<R, ToolOutput> {
        let arguments = arguments(call, &T::definition().input_schema)?;
        let (context, scope) = (context.clone(), self.scope.clone());
        match tokio::task::spawn_blocking(move || work(arguments, &context, &scope)).await {
            Ok(done) => done,
            // A panic resumes here, so that it is reported as a fault of this tool.
            Err(error) => match error.try_into_panic() {
                Ok(panic) => std::panic::resume_unwind(panic),
                Err(error) => Err(ToolOutput::error(format!("The work was stopped: {error}."))),
            },
        }
    }
}
