//! What of a log is lost, on its pages.

use maud::{Markup, html};
use throughline_continuity::Unreadable;

use super::text::counted;

/// Lost records that are named one by one.
const NAMED_LOST: usize = 20;

/// What of a log is lost. Nothing where it is whole.
pub(super) fn lost_note(lost: &[Unreadable]) -> Markup {
    let count: u64 = lost.iter().map(|one| one.span.records()).sum();
    html! {
        @if count > 0 {
            section.card.wide.lost-records aria-label="Lost records" {
                p.problem { (counted(count, "record")) " of this session " (if count == 1 { "is" } else { "are" }) " lost. What is shown here leaves them out; " code { "throughline recover SESSION" } " saves what can be read." }
                ul.plain {
                    @for one in lost.iter().take(NAMED_LOST) { li { (one) } }
                    @if lost.len() > NAMED_LOST { li { "… and " (lost.len() - NAMED_LOST) " more places" } }
                }
            }
        }
    }
}
