//! The window of a model that Ollama serves.

use throughline_budget::output_share;
use throughline_providers::models::ModelRow;
use throughline_text::group_thousands;

/// A larger window needs more memory than most machines have, so the user has to ask for it.
const DEFAULT_WINDOW: u64 = 32_768;

/// Sets the window of a model that Ollama serves: `asked`, else that of the user's model file, else the model's native
/// context length up to [`DEFAULT_WINDOW`].
///
/// `length` is the native context length, if the server reports it. It is the limit in any case: a server that is asked
/// for more gives no more, and reports that in its log alone (Ollama, `llm/server.go`). All figures are tokens.
pub(crate) fn limit_window(row: &mut ModelRow, length: Option<u64>, asked: Option<u64>) {
    if let Some(length) = length.filter(|_| !row.window_said) {
        row.info.window = length.min(DEFAULT_WINDOW);
        row.info.max_output = output_share(row.info.window);
        row.note = None;
    }
    let wanted = asked.unwrap_or(row.info.window);
    let window = length.map_or(wanted, |length| length.min(wanted));
    if window < wanted {
        let asker = if asked.is_some() { "--window" } else { "the model file" };
        let cut = format!(
            "{asker} asks for a window of {} tokens, but {} was made for {}, which is what it gets",
            group_thousands(wanted),
            row.info.name,
            group_thousands(window)
        );
        row.note = Some(row.note.take().map_or(cut.clone(), |note| format!("{note}; {cut}")));
    }
    if window > row.info.window && !row.window_said {
        row.info.max_output = output_share(window);
    }
    row.info.window = window;
}
