//! The note about the fullness of the window.

use throughline_budget::Pressure;
use throughline_conversation::{Receipt, WindowFigures};
use throughline_prompt::{context_note, standing_percent};

use super::{RequestSize, Window};
use crate::tail::Fullness;

impl Window {
    /// Observes the pressure of a request before its compaction. Returns the threshold that was crossed upwards.
    pub(crate) fn observe(&mut self, pressure: Pressure) -> Option<Pressure> {
        let rose = self.gate.observe(pressure);
        if rose.is_some_and(is_noticed) && self.limits.notice.is_some() {
            // The note is made after the compaction, which may make it untrue.
            self.notice_due = true;
        }
        rose
    }

    /// Continues behind the last request of an earlier run, if it had the same window: what it has crossed is not crossed again.
    pub(crate) fn continue_crossings(&mut self, receipt: &Receipt) {
        let WindowFigures { total, reserved_output, used, .. } = &receipt.window;
        if (*total, *reserved_output) != (self.total, self.reserved) {
            return;
        }
        self.gate.observe(self.limits.pressure(used.total()));
        let shown = |note: &String| {
            let digits: String = note.chars().filter(char::is_ascii_digit).collect();
            digits.parse().ok().filter(|percent| context_note(*percent) == *note)
        };
        self.noted = receipt.tail.iter().filter(|_| receipt.system_tail).find_map(shown);
    }

    /// What is known of the note before the conversation has its final size.
    pub(crate) fn expected_fullness(&self) -> Fullness {
        if self.notice_due || self.noted.is_some() { Fullness::Due } else { Fullness::Silent }
    }

    /// The note about a window that is nearly full: once per crossing and at the tail, because a note that changed with
    /// every request would be paid for every time.
    pub(crate) fn fullness(&mut self, size: &RequestSize) -> Fullness {
        self.notice_due &= is_noticed(self.pressure(size));
        match self.notice_due {
            true => Fullness::Percent(size.budget.used_percentage() as u64),
            false => Fullness::Silent,
        }
    }

    /// The note in the system prompt: in every request above the notice threshold, because a note that came and went would
    /// make the conversation behind it cold twice.
    pub(crate) fn standing_fullness(&mut self, size: &RequestSize) -> Fullness {
        let noticed = is_noticed(self.pressure(size));
        self.notice_due &= noticed;
        let shown = standing_percent(self.noted, size.budget.used_percentage() as u64);
        self.noted = (noticed && self.limits.notice.is_some()).then_some(shown);
        self.noted.map_or(Fullness::Silent, Fullness::Percent)
    }

    /// Returns true once per crossing whose note is due.
    pub(crate) fn take_notice(&mut self) -> bool {
        std::mem::take(&mut self.notice_due)
    }
}

fn is_noticed(pressure: Pressure) -> bool {
    (Pressure::Notice..Pressure::Compact).contains(&pressure)
}
