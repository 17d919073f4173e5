//! The settings of context management, with where each is set.

use axum::Extension;
use maud::html;

use super::layout::{PageAnswer, page as frame, turner};
use crate::inspector::preferences as settings;
use crate::page::Page;
use crate::params::Params;

/// The settings. A change is written to the user's file and holds for what is opened from then on.
pub(crate) async fn preferences(Extension(params): Extension<Params>) -> PageAnswer {
    let all = settings()?;
    let page = Page::read(&params)?.within(all.len());
    let body = html! {
        p { "What is set here is written to your own file of settings and holds for sessions that are opened from then on. A project's file, a variable or an option can say otherwise." }
        table.rows {
            thead { tr { th { "Setting" } th { "Value" } th { "Default" } th { "Set in" } th { "Change" } } }
            tbody { @for one in page.of(&all) {
                // The value of one that is not set is a sentence about it.
                @let is_set = one.from != "default";
                @let now = if is_set { one.value.trim_matches('"') } else { "" };
                tr data-row="" {
                    td.lead { code { (one.key) } div.sub { (one.about) } }
                    td data-label="Value" { @if is_set { code { (one.value) } } @else { span.sub { "not set" } } }
                    td data-label="Default" { span.sub { (one.usual) } }
                    td data-label="Set in" { span.badge.(if is_set { "mark" } else { "plain" }) { (one.from) } }
                    td.acts {
                        button type="button" data-put={ "/api/preferences/" (one.key) } data-ask={ "Value of " (one.key) " (empty: as if it were not set)" } data-now=(now) aria-label={ "Set " (one.key) } { "Set…" }
                    }
                }
            } }
        }
        (turner(page, all.len(), "/preferences"))
    };
    Ok(frame("Preferences", &[], &body))
}
