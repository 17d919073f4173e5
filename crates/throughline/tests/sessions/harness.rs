//! A session that reads nothing of the user's, with a scripted model.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use throughline::ports::Message;
use throughline::ports::scripted::{self, Reply};
use throughline::{Builder, Throughline, ToolSet};
use throughline_completion::ScriptedModel;

/// A builder with a model that gives these answers, and no built-in tools.
pub(crate) fn builder(
    folder: &Path,
    replies: impl IntoIterator<Item = Reply>,
) -> (Builder, Arc<ScriptedModel>) {
    let model = scripted::model(replies);
    (unasked(folder).model_port(model.clone()), model)
}

/// A builder without a model.
pub(crate) fn unasked(folder: &Path) -> Builder {
    let settings = folder.join("settings.toml");
    if !settings.exists() {
        std::fs::write(&settings, "").unwrap();
    }
    Throughline::builder()
        .settings_file(settings)
        .data_dir(folder.join("data"))
        .workspace(project(folder))
        .built_in_tools(ToolSet::None)
}

/// The folder that the session works in, apart from the data folder.
pub(crate) fn project(folder: &Path) -> PathBuf {
    let project = folder.join("project");
    std::fs::create_dir_all(&project).unwrap();
    throughline_config::workspace(Some(&project)).unwrap()
}

pub(crate) fn texts<const N: usize>(texts: [&str; N]) -> [Reply; N] {
    texts.map(Reply::text)
}

/// The results of tools in the newest request, as the model sees them.
pub(crate) fn results(model: &ScriptedModel) -> String {
    let requests = model.requests();
    let messages = requests.last().unwrap().transcript.messages();
    messages.flat_map(Message::tool_results).map(|result| result.content.clone()).collect()
}
