//! Programs that take the terminal for a while: the editor for the prompt, and the pager with the whole transcript.

use throughline_commands::transcript;
use throughline_terminal::{editor, pager};
use throughline_tui::Show;

use super::background::NO_SESSION;
use super::commands::lend;
use super::driver::{Driver, Flow};

impl Driver {
    /// Opens the text of the input in the user's editor.
    pub(super) async fn edit_input(&self, text: &str) -> Flow {
        let screen = &self.setup.screen;
        let terminal = lend(screen).await;
        let edited = editor::edit(text);
        drop(terminal);
        match edited {
            Ok(text) => screen.show(Show::Input(text)),
            Err(error) => screen.problem(format!("{error:#}")),
        }
        Flow::Stay
    }

    /// Shows every message, call and result of the session in the pager.
    pub(super) async fn transcript(&self) -> Flow {
        let screen = &self.setup.screen;
        let Some(live) = &self.live else {
            screen.notice(NO_SESSION);
            return Flow::Stay;
        };
        match transcript(&live.target(&self.setup.data)).await {
            Ok(text) => {
                let terminal = lend(screen).await;
                pager::show(&text);
                drop(terminal);
            }
            Err(error) => screen.problem(format!("{error:#}")),
        }
        Flow::Stay
    }
}
