//! The window of a model that Ollama serves.

use throughline_budget::output_share;
use throughline_providers::models::ModelRow;
use throughline_text::group_thousands;

use crate::choice::{ModelChoice, SettingFigure};

/// A larger window needs more memory than most machines have, so the user has to ask for it.
const DEFAULT_WINDOW: u64 = 32_768;

/// Sets the window of a model that Ollama serves: that of the choice, else that of the user's model file, else the model's native
/// context length up to [`DEFAULT_WINDOW`].
///
/// `length` is the native context length, if the server reports it. It is the limit in any case: a server that is asked
/// for more gives no more, and reports that in its log alone (Ollama, `llm/server.go`). All figures are tokens.
pub(crate) fn limit_window(row: &mut ModelRow, length: Option<u64>, choice: &ModelChoice) {
    if let Some(length) = length.filter(|_| !row.window_said) {
        row.info.window = length.min(DEFAULT_WINDOW);
        row.info.max_output = output_share(row.info.window);
        row.note = None;
    }
    let asked = choice.window;
    let wanted = asked.unwrap_or(row.info.window);
    let window = length.map_or(wanted, |length| length.min(wanted));
    if window < wanted {
        let asker = match asked {
            Some(asked) => SettingFigure::asker(choice.completed.window.as_ref(), "--window", asked),
            None => format!("the window of {} tokens in the model file", group_thousands(wanted)),
        };
        let cut = format!(
            "{asker} is asked for, but {} was made for {} tokens, which is what it gets",
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
