//! Shows the user what servers want to know.

use async_trait::async_trait;
use throughline_terminal::open_in_browser;
use throughline_tools::{Elicitation, ElicitationAnswer, ElicitationRequest, Elicitor};
use throughline_tui::Show;
use tokio::sync::oneshot;

use super::screen::Screen;

/// Asks on the screen. A closed screen counts as no answer.
#[async_trait]
impl Elicitor for Screen {
    async fn elicit(&self, elicitation: &Elicitation) -> ElicitationAnswer {
        let (reply, answer) = oneshot::channel();
        self.show(Show::Elicitation { elicitation: elicitation.clone(), reply });
        let answer = answer.await.unwrap_or(ElicitationAnswer::Cancel);
        if let (ElicitationRequest::Page { url }, ElicitationAnswer::Accept(_)) =
            (&elicitation.request, &answer)
        {
            let opened = if open_in_browser(url) { "is in your browser" } else { "is to be opened" };
            self.notice(format!("The page of {} {opened}: {url}", elicitation.server));
        }
        answer
    }
}
