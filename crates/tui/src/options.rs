//! Options of the screen.

use crate::attention::Attention;
use crate::palette::{Palette, Shade};
use crate::status::StatusPart;

/// When the program reports its state to the terminal (OSC 7501).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum StatusProtocol {
    /// Only if the terminal reports support.
    #[default]
    Ask,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// Which colours are used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Theme {
    /// Fixed colours for the ground that the terminal reports, in true colour only; else the terminal's own.
    #[default]
    Auto,
    /// The sixteen colours of the terminal's own theme.
    Terminal,
    /// Fixed colours for a dark ground.
    Dark,
    /// Fixed colours for a light ground.
    Light,
}

/// How many colours a terminal can show, as the environment says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum ColourDepth {
    /// Sixteen.
    #[default]
    Sixteen,
    /// 256.
    Indexed,
    /// Any.
    True,
}

/// Options of the screen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// Use colours. Without them text is still bold or dim.
    pub colours: bool,
    /// `NO_COLOR` is set, which wins over everything else (<https://no-color.org>).
    pub no_color: bool,
    /// Which colours.
    pub theme: Theme,
    /// How many colours the terminal can show.
    pub depth: ColourDepth,
    /// Draw marks in ASCII.
    pub ascii: bool,
    /// The terminal supports more than basic codes: window titles, bracketed paste and key modifiers.
    pub rich: bool,
    /// When the program reports its state to the terminal.
    pub status: StatusProtocol,
    /// When the user is called back to the terminal.
    pub attention: Attention,
    /// The parts of the status line.
    pub status_line: Vec<StatusPart>,
    /// Earlier inputs, oldest first.
    pub history: Vec<String>,
    /// The first message, sent at the start.
    pub first: Option<String>,
}

impl Options {
    /// Options from the environment: no colours with `NO_COLOR` (<https://no-color.org>), true colour with `COLORTERM`, marks in
    /// ASCII where the locale is not UTF-8, basic codes only on a `dumb` or `linux` terminal.
    #[must_use]
    pub fn of_environment() -> Self {
        Self::of(|name| std::env::var(name).unwrap_or_default())
    }

    fn of(set: impl Fn(&str) -> String) -> Self {
        let term = set("TERM");
        let depth = match set("COLORTERM").as_str() {
            "truecolor" | "24bit" => ColourDepth::True,
            _ if term.contains("256color") => ColourDepth::Indexed,
            _ => ColourDepth::Sixteen,
        };
        // The first of them that is set decides.
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].map(&set).into_iter().find(|locale| !locale.is_empty());
        // Without any the locale says nothing, and terminals are UTF-8 today.
        let utf_8 = locale.is_none_or(|locale| locale.to_lowercase().replace('-', "").contains("utf8"));
        let basic = matches!(term.as_str(), "" | "dumb" | "linux");
        Self {
            colours: term != "dumb",
            no_color: !set("NO_COLOR").is_empty(),
            theme: Theme::Auto,
            depth,
            ascii: basic || !utf_8,
            rich: !basic,
            status: StatusProtocol::Ask,
            attention: Attention::Auto,
            status_line: StatusPart::USUAL.to_vec(),
            history: Vec::new(),
            first: None,
        }
    }

    /// The palette for the ground that the terminal has reported, if it was asked and has answered.
    pub(crate) fn palette(&self, reported: Option<Shade>) -> Palette {
        let fixed = |shade| match self.depth {
            ColourDepth::True => Palette::True(shade),
            ColourDepth::Indexed => Palette::Indexed(shade),
            ColourDepth::Sixteen => Palette::Terminal,
        };
        match self.theme {
            _ if !self.colours || self.no_color => Palette::None,
            Theme::Auto => reported.filter(|_| self.asks_for_ground()).map_or(Palette::Terminal, fixed),
            Theme::Terminal => Palette::Terminal,
            Theme::Dark => fixed(Shade::Dark),
            Theme::Light => fixed(Shade::Light),
        }
    }

    /// Returns true if the terminal has to be asked for its ground.
    pub(crate) fn asks_for_ground(&self) -> bool {
        self.colours
            && !self.no_color
            && self.rich
            && self.theme == Theme::Auto
            && self.depth == ColourDepth::True
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            colours: true,
            no_color: false,
            theme: Theme::Auto,
            depth: ColourDepth::Sixteen,
            ascii: false,
            rich: true,
            status: StatusProtocol::Ask,
            attention: Attention::Auto,
            status_line: StatusPart::USUAL.to_vec(),
            history: Vec::new(),
            first: None,
        }
    }
}

#[cfg(test)]
mod tests;
