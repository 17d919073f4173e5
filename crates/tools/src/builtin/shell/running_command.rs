//! A command that a call waits for.

use std::time::{Duration, Instant};

use super::output_buffer::OutputBuffer;
use super::process::{CommandEnding, Process};
use crate::process_group::ProcessGroup;
use crate::tool::ToolContext;

/// A command that a call waits for. Dropping it ends the command.
#[derive(Debug)]
pub(super) struct RunningCommand {
    pub(super) process: Process,
    pub(super) group: ProcessGroup,
    pub(super) buffer: OutputBuffer,
    /// It ends when it has written this many bytes.
    pub(super) max_output: u64,
    /// When it was started.
    pub(super) begun: Instant,
}

impl RunningCommand {
    /// Waits until it has ended, its time is over, or the turn is cancelled. Its output goes to the context's sink, too. The
    /// future may be dropped: nothing that was written is lost.
    pub(super) async fn wait(
        &mut self,
        context: &ToolContext,
        limit: Duration,
        call_id: &str,
    ) -> CommandEnding {
        let Self { process, buffer, max_output, .. } = self;
        tokio::select! {
            ending = process.follow(*max_output, |part| take(buffer, part, context, call_id)) => ending,
            () = tokio::time::sleep(limit) => CommandEnding::TimedOut,
            () = context.cancel.cancelled() => CommandEnding::Cancelled,
        }
    }

    /// Ends what is left of it, and returns its output.
    pub(super) async fn end(self, context: &ToolContext, call_id: &str) -> Vec<u8> {
        let Self { mut process, group, mut buffer, .. } = self;
        drop(group);
        process.settle(|part| take(&mut buffer, part, context, call_id)).await;
        buffer.finish()
    }
}

fn take(buffer: &mut OutputBuffer, part: &[u8], context: &ToolContext, call_id: &str) {
    buffer.push(part);
    if let Some(sink) = &context.output
        && !part.is_empty()
    {
        sink.output(call_id, part);
    }
}
