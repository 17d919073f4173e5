//! Calls the user back to the terminal: a bell, and a desktop notification where the terminal shows them.

use std::time::Duration;

use crate::program_status::ProgramState;

/// A user who waited longer than this looks at something else.
const LONG: Duration = Duration::from_secs(30);

/// When the user is called back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Attention {
    /// When the terminal has no focus, or the work took more than 30 seconds.
    #[default]
    Auto,
    /// At every end of a turn and at every question.
    Always,
    /// Never.
    Never,
}

impl Attention {
    /// The text of the call when the program goes from one state to another after it worked for so long; `None`: no call.
    /// `focused`: what the terminal reports about its focus; `None`: nothing.
    pub(crate) fn call(
        self,
        from: ProgramState,
        to: ProgramState,
        worked: Duration,
        focused: Option<bool>,
    ) -> Option<&'static str> {
        let text = match to {
            ProgramState::Done => "Throughline has finished.",
            ProgramState::Permission | ProgramState::Question => "Throughline has a question.",
            ProgramState::Idle | ProgramState::Working => return None,
        };
        let wanted = match self {
            Self::Auto => focused == Some(false) || worked > LONG,
            Self::Always => true,
            Self::Never => false,
        };
        (wanted && from == ProgramState::Working).then_some(text)
    }
}

#[cfg(test)]
mod tests;
