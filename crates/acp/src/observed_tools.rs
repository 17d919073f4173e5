//! Tools that report what their calls write and change, and that read and write files through the client.

use std::sync::Arc;

use async_trait::async_trait;
use throughline_conversation::ToolCall;
use throughline_tools::{
    ChangedFile, FileHistory, FileTexts, RegistryError, ToolLayer, ToolRegistry, TurnEnded, layered,
};
use throughline_tools::{Tool, ToolContext, ToolOutput};

use crate::calls::made_diff;
use crate::editor_texts::EditorTexts;
use crate::link::Link;
use crate::running_output::RunningOutput;

/// The same tools in the same order, observed.
pub(crate) fn observed_tools(
    registry: &ToolRegistry,
    link: &Arc<Link>,
) -> Result<ToolRegistry, RegistryError> {
    let texts = EditorTexts::of(link).map(|texts| Arc::new(texts) as Arc<dyn FileTexts>);
    link.set_tools(registry);
    layered(registry, Observed { link: Arc::clone(link), texts })
}

#[derive(Debug)]
struct Observed {
    link: Arc<Link>,
    /// The texts of the client.
    texts: Option<Arc<dyn FileTexts>>,
}

#[async_trait]
impl ToolLayer for Observed {
    async fn check(&self, tool: &dyn Tool, call: &ToolCall, context: &ToolContext) -> Result<(), ToolOutput> {
        let context = ToolContext { texts: self.texts.clone(), ..context.clone() };
        tool.check(call, &context).await
    }

    async fn call(&self, tool: &dyn Tool, call: &ToolCall, context: &ToolContext) -> ToolOutput {
        let mut context = ToolContext { texts: self.texts.clone(), ..context.clone() };
        let link = Arc::clone(&self.link);
        context.history = context.history.map(|history| {
            Arc::new(ObservedHistory { history, link, call: call.id.clone() }) as Arc<dyn FileHistory>
        });
        context.output = Some(Arc::new(RunningOutput::new(Arc::clone(&self.link))));
        let output = tool.call(call, &context).await;
        self.link.changed(&call.id, output.changes.files.iter().filter_map(made_diff));
        output
    }
}

/// Passes changes on, and remembers them for the client.
#[derive(Debug)]
struct ObservedHistory {
    history: Arc<dyn FileHistory>,
    link: Arc<Link>,
    call: String,
}

impl FileHistory for ObservedHistory {
    fn before_change(&self, change: &ChangedFile) -> Result<(), TurnEnded> {
        self.history.before_change(change)?;
        self.link.changed(&self.call, made_diff(change));
        Ok(())
    }
}
