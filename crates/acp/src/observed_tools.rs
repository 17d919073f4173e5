//! Tools that report what their calls write and change, and that read and write files through the client.

use std::sync::Arc;

use throughline::ports::{Access, Tool, ToolCall, ToolContext, ToolDefinition, ToolOutput, async_trait};
use throughline_tools::{ChangedFile, FileHistory, FileTexts, RegistryError, ToolRegistry, TurnEnded};

use crate::calls::made_diff;
use crate::editor_texts::EditorTexts;
use crate::link::Link;
use crate::running_output::RunningOutput;

/// The same tools in the same order, observed.
pub(crate) fn observed_tools(
    registry: &ToolRegistry,
    link: &Arc<Link>,
) -> Result<ToolRegistry, RegistryError> {
    let mut all = ToolRegistry::new();
    let texts = EditorTexts::of(link).map(|texts| Arc::new(texts) as Arc<dyn FileTexts>);
    for tool in registry.names().filter_map(|name| registry.get(name)) {
        all.register(Arc::new(ObservedTool { tool, link: Arc::clone(link), texts: texts.clone() }))?;
    }
    link.set_tools(registry);
    Ok(all)
}

#[derive(Debug)]
struct ObservedTool {
    tool: Arc<dyn Tool>,
    link: Arc<Link>,
    /// The texts of the client.
    texts: Option<Arc<dyn FileTexts>>,
}

#[async_trait]
impl Tool for ObservedTool {
    fn definition(&self) -> ToolDefinition {
        self.tool.definition()
    }

    fn access(&self, call: &ToolCall) -> Access {
        self.tool.access(call)
    }

    async fn check(&self, call: &ToolCall, context: &ToolContext) -> Result<(), ToolOutput> {
        let context = ToolContext { texts: self.texts.clone(), ..context.clone() };
        self.tool.check(call, &context).await
    }

    async fn call(&self, call: &ToolCall, context: &ToolContext) -> ToolOutput {
        let mut context = ToolContext { texts: self.texts.clone(), ..context.clone() };
        let link = Arc::clone(&self.link);
        context.history = context.history.map(|history| {
            Arc::new(ObservedHistory { history, link, call: call.id.clone() }) as Arc<dyn FileHistory>
        });
        context.output = Some(Arc::new(RunningOutput::new(Arc::clone(&self.link))));
        let output = self.tool.call(call, &context).await;
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
