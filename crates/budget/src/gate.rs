//! Telling about a threshold once, not at every request behind it.

use crate::pressure::Pressure;

/// Lets a step of pressure through once per upward crossing.
///
/// When one request crosses several steps, only the highest is let through: a warning never comes together with a
/// compaction. A step is armed again when the pressure has dropped below it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CrossingGate {
    level: Pressure,
}

impl CrossingGate {
    /// A gate that has seen no pressure yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the pressure of a request; gives it back when it is higher than that of the request before.
    pub fn observe(&mut self, pressure: Pressure) -> Option<Pressure> {
        let rose = pressure > self.level;
        self.level = pressure;
        rose.then_some(pressure)
    }
}
