//! Reports a threshold once, not at every request above it.

use crate::pressure::Pressure;

/// Reports a level of pressure once per upward crossing.
///
/// When one request crosses several levels, only the highest is reported: a warning never comes together with a
/// compaction. A level is armed again once the pressure has dropped below it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CrossingGate {
    level: Pressure,
}

impl CrossingGate {
    /// Creates a gate that has seen no pressure yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Records the pressure of a request. Returns it if it is higher than that of the previous request.
    pub fn observe(&mut self, pressure: Pressure) -> Option<Pressure> {
        let rose = pressure > self.level;
        self.level = pressure;
        rose.then_some(pressure)
    }
}
