//! The table of all keys.

mod table;

/// What a setting may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A text that is not empty.
    Text,
    /// One of these texts.
    Choice(&'static [&'static str]),
    /// A whole number.
    Count {
        /// The least.
        least: u64,
        /// The most.
        most: u64,
    },
    /// A time span, such as `90d`.
    Span,
    /// Above 0 and at most 1.
    Fraction,
    /// An amount of US dollars above 0.
    Dollars,
    /// 1 to 100.
    Percent,
    /// A threshold of the window, in the written form of [`Threshold`](throughline_budget::Threshold).
    Threshold,
    /// True or false.
    Switch,
    /// Several texts. Those of every layer count, the lower layer's first.
    List,
    /// Several of these texts, in an order. Those of the highest layer count alone.
    Choices(&'static [&'static str]),
    /// Names with values that may be secret. In files only.
    Secrets,
}

impl Kind {
    /// A whole number above 0.
    pub(crate) const COUNT: Self = Self::Count { least: 1, most: u64::MAX };
}

/// What an untrusted project may do to a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trust {
    /// It may: no value does harm.
    Free,
    /// It may make things narrower, not wider. The text says what a wider value would do.
    Narrowing(&'static str),
    /// It may not. The text says what it could do.
    Needed(&'static str),
    /// It may not, even if the user trusts it: the setting is of the user, for all projects. The text says why.
    UserOnly(&'static str),
}

/// One row of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spec {
    /// The key with its section, as `agent.policy`.
    pub key: &'static str,
    /// What it may hold.
    pub kind: Kind,
    /// Whether a project may set it.
    pub trust: Trust,
    /// The default.
    pub usual: &'static str,
}

impl Spec {
    /// The present name of a choice that is written by a former one.
    pub(crate) fn renamed(&self, written: &str) -> Option<&'static str> {
        let former = table::FORMER.iter().find(|(key, old, _)| *key == self.key && *old == written);
        former.map(|(_, _, new)| *new)
    }

    /// The keys that it sets, if it is another name of them; else none.
    pub(crate) fn sets(&self) -> &'static [&'static str] {
        table::ALIASES.iter().find(|(alias, _)| *alias == self.key).map_or(&[], |(_, keys)| keys)
    }

    /// Returns true if it has no value of its own.
    pub(crate) fn is_alias(&self) -> bool {
        !self.sets().is_empty()
    }

    /// The section.
    #[must_use]
    pub fn section(&self) -> &'static str {
        self.key.split_once('.').map_or(self.key, |(section, _)| section)
    }

    /// The key in its section.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.key.split_once('.').map_or(self.key, |(_, name)| name)
    }

    /// The variable of the environment that sets it. `None`: only a file can.
    #[must_use]
    pub fn variable(&self) -> Option<String> {
        match (self.key, self.kind) {
            (_, Kind::Secrets) => None,
            ("model.model", _) => Some("THROUGHLINE_MODEL".to_owned()),
            (key, _) => Some(format!("THROUGHLINE_{}", key.replace('.', "_").to_uppercase())),
        }
    }
}

/// All keys but those of MCP servers, section by section.
#[must_use]
pub fn schema() -> &'static [Spec] {
    table::ALL
}

/// The row of a key.
pub(crate) fn find(key: &str) -> Option<&'static Spec> {
    schema().iter().find(|spec| spec.key == key)
}

/// The names of the sections, each once.
pub(crate) fn sections() -> Vec<&'static str> {
    let mut sections: Vec<&str> = schema().iter().map(Spec::section).collect();
    sections.dedup();
    sections.push("mcp");
    sections
}
