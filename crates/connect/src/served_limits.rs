//! The limits of a model as its server has said them, in place of those of the table.

use throughline_budget::output_share;
use throughline_conversation::{Millis, ServerAddress};
use throughline_providers::models::{Known, ModelRow};
use throughline_text::{error_chain, group_thousands};

use crate::choice::{ModelChoice, SettingFigure};
use crate::limits::is_assumed;
use crate::limits_file::{AskedLimits, KnownLimits, LimitsFile};

/// Where the window of a model comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WindowSource {
    /// `--window`, or `window` of the settings.
    Chosen,
    /// An entry of the user's `models.toml`.
    ModelsFile,
    /// An error of the server.
    Learned {
        /// When.
        at: Millis,
    },
    /// The server's description of the model.
    Asked,
    /// A part of what the server's description names: more memory has to be asked for.
    Part {
        /// Tokens of the description.
        native: u64,
    },
    /// The table of models.
    Table,
    /// The family of this name in the table.
    Family(String),
    /// Nothing: it is assumed.
    Assumed,
}

impl WindowSource {
    /// The source of the window in a row as the table gives it.
    pub(crate) fn of_row(row: &ModelRow) -> Self {
        match &row.known {
            _ if row.window_said => Self::ModelsFile,
            Known::Exact => Self::Table,
            Known::Family(name) => Self::Family(name.clone()),
            Known::Default => Self::Assumed,
        }
    }

    /// Returns true if the user may know better.
    pub(crate) fn is_unsure(&self) -> bool {
        matches!(self, Self::Family(_) | Self::Assumed | Self::Chosen)
    }

    /// One word for programs.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Chosen => "settings",
            Self::ModelsFile => "models_file",
            Self::Learned { .. } => "learned",
            Self::Asked => "asked",
            Self::Part { .. } => "default",
            Self::Table => "table",
            Self::Family(_) => "family",
            Self::Assumed => "assumed",
        }
    }

    /// For people.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Self::Chosen => "--window, or `window` of the settings".to_owned(),
            Self::ModelsFile => "your models.toml".to_owned(),
            Self::Learned { at } => format!("learned from an error of the server on {}", at.day()),
            Self::Asked => "the server says it".to_owned(),
            Self::Part { native } => {
                format!(
                    "of the {} that the model was made for; --window asks for more",
                    group_thousands(*native)
                )
            }
            Self::Table => "the table of models".to_owned(),
            Self::Family(name) => format!("assumed: that of {name} in the table of models"),
            Self::Assumed => "assumed: the model is not in the table".to_owned(),
        }
    }
}

/// What is known of the model at its server. A file that cannot be read is a notice.
pub(crate) fn known_limits(
    choice: &ModelChoice,
    server: Option<&ServerAddress>,
    model: &str,
) -> (KnownLimits, Option<String>) {
    let (Some(data), Some(server)) = (&choice.data, server) else { return (KnownLimits::default(), None) };
    match LimitsFile::in_folder(data).of(server, model) {
        Ok(known) => (known, None),
        Err(error) => {
            let why = error_chain(&error);
            (
                KnownLimits::default(),
                Some(format!("what servers have said of their models is not used: {why}")),
            )
        }
    }
}

/// Uses the limits that the server has said where the user has chosen no window. A chosen one holds, and the note says what is
/// known of it.
pub(crate) fn apply(
    row: &mut ModelRow,
    known: &KnownLimits,
    choice: &ModelChoice,
    source: &mut WindowSource,
) {
    let is_chosen = *source == WindowSource::Chosen;
    if let Some(asked) = known.asked.as_ref().filter(|_| !is_chosen && !row.window_said) {
        apply_asked(row, asked, source);
    }
    if let Some(most) = known.max_output.as_ref().filter(|most| most.tokens < row.info.max_output) {
        row.info.max_output = most.tokens;
    }
    let Some(learned) = known.window.as_ref().filter(|learned| learned.tokens < row.info.window) else {
        return;
    };
    let (tokens, name) = (group_thousands(learned.tokens), row.info.name.clone());
    if is_chosen {
        let asker = SettingFigure::asker(choice.completed.window.as_ref(), "--window", row.info.window);
        add_note(
            row,
            format!(
                "{asker} is asked for, but an error of the server of {name} from {} names {tokens} tokens; \
                 `throughline models --forget {name}` forgets that",
                learned.at.day()
            ),
        );
        return;
    }
    if is_assumed(row) {
        // The note says what is assumed.
        row.note = None;
    } else {
        add_note(
            row,
            format!(
                "the window of {name} is {tokens} tokens instead of {}, as an error of its server from {} names it; \
                 `throughline models --forget {name}` forgets that",
                group_thousands(row.info.window),
                learned.at.day()
            ),
        );
    }
    row.info.window = learned.tokens;
    row.info.max_output = row.info.max_output.min(output_share(learned.tokens));
    *source = WindowSource::Learned { at: learned.at };
}

/// Uses the description of the server: it knows better than the table what it gives.
fn apply_asked(row: &mut ModelRow, asked: &AskedLimits, source: &mut WindowSource) {
    let is_unsure = is_assumed(row);
    let native = asked.native.filter(|native| *native < row.info.window);
    if let Some(window) = asked.window.or(native) {
        row.info.window = window;
        if is_unsure {
            row.info.max_output = output_share(window);
            // The note says what is assumed.
            row.note = None;
        }
        *source = WindowSource::Asked;
    }
    if let Some(most) = asked.max_output {
        let known = if is_unsure { u64::MAX } else { row.info.max_output };
        row.info.max_output = most.min(known).min(row.info.window / 2).max(1);
    }
}

/// Adds a sentence to the note of a row.
pub(crate) fn add_note(row: &mut ModelRow, more: String) {
    row.note = Some(match row.note.take() {
        Some(note) => format!("{note}; {more}"),
        None => more,
    });
}
