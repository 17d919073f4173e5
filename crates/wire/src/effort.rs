//! A thinking budget as an effort, for models that take no number.

/// How much a model thinks. Every model that takes an effort takes these three.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effort {
    /// Below 2,048 tokens.
    Low,
    /// Below 8,192 tokens.
    Medium,
    /// From there.
    High,
}

impl Effort {
    /// The effort of a budget in tokens; `None` for 0, which asks for no thinking.
    #[must_use]
    pub fn of_budget(tokens: u64) -> Option<Self> {
        match tokens {
            0 => None,
            1..2_048 => Some(Self::Low),
            2_048..8_192 => Some(Self::Medium),
            _ => Some(Self::High),
        }
    }

    /// Its name on every wire.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }
}
