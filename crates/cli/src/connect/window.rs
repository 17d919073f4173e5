//! The window that an Ollama is asked for.

use throughline_providers::models::ModelRow;
use throughline_text::group_thousands;

/// More needs more memory than most machines have, so the user has to ask for it.
const USUAL: u64 = 32_768;

/// Sets the window of a model that Ollama serves: `asked` of `--window`, or what the user's model file says, or
/// what the model was made for up to [`USUAL`].
///
/// `length` is what the model was made for, where the server tells it. It is the most in any case: asked for more,
/// the server gives no more and says so in its log alone (Ollama, `llm/server.go`). All figures are tokens.
pub(super) fn of_ollama(row: &mut ModelRow, length: Option<u64>, asked: Option<u64>) {
    if let Some(length) = length.filter(|_| !row.window_said) {
        row.info.window = length.min(USUAL);
        row.info.max_output = row.info.window / 4;
        row.note = None;
    }
    let wanted = asked.unwrap_or(row.info.window);
    let window = length.map_or(wanted, |length| length.min(wanted));
    if window < wanted {
        let who = if asked.is_some() { "--window" } else { "the model file" };
        let cut = format!(
            "{who} asks for a window of {} tokens, but {} was made for {}, which is what it gets",
            group_thousands(wanted),
            row.info.name,
            group_thousands(window)
        );
        row.note = Some(row.note.take().map_or(cut.clone(), |note| format!("{note}; {cut}")));
    }
    if window > row.info.window && !row.window_said {
        row.info.max_output = window / 4;
    }
    row.info.window = window;
}
