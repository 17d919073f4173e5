//! The six colours, by meaning, and the three grounds; how each kind of terminal shows them.
//!
//! A style names a meaning by a colour of the usual sixteen. A palette turns it into what the terminal is sent, so that the rest
//! of the screen knows meanings only.

use crate::line::{Color, Modifier, Style};

/// The user's hand and place: the prompt, paths, the used part of the window, the spinner.
pub(crate) const ACCENT: Color = Color::Cyan;
/// Done, added.
pub(crate) const GOOD: Color = Color::Green;
/// Waits for the user, runs, nearly full.
pub(crate) const WAIT: Color = Color::Yellow;
/// Failed, removed, unguarded.
pub(crate) const BAD: Color = Color::Red;
/// What the engine does to the context. Nothing else has this colour, but for words of a language in code.
pub(crate) const MEMORY: Color = Color::Magenta;

/// The ground of what the user wrote.
pub(crate) const USER_GROUND: Color = Color::Black;
/// The ground of added lines.
pub(crate) const ADDED_GROUND: Color = Color::Green;
/// The ground of removed lines.
pub(crate) const REMOVED_GROUND: Color = Color::Red;

/// Whether the terminal's own ground is dark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shade {
    Dark,
    Light,
}

/// What a terminal shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Palette {
    /// No colours. Text is still bold, dim or reversed.
    None,
    /// The terminal's own sixteen colours, so that the user's theme decides how they look.
    #[default]
    Terminal,
    /// 256 colours, without grounds.
    Indexed(Shade),
    /// Any colour.
    True(Shade),
}

/// A colour of a meaning: on a dark ground and on a light one, each in true colour and among 256.
struct Tone {
    dark: (u32, u8),
    light: (u32, u8),
}

const QUIET_TONE: Tone = Tone { dark: (0x0090_98a6, 246), light: (0x0059_626e, 241) };

fn tone(meaning: Color) -> Option<Tone> {
    Some(match meaning {
        ACCENT => Tone { dark: (0x005e_c4b6, 79), light: (0x000b_6e66, 23) },
        GOOD => Tone { dark: (0x008f_c77a, 114), light: (0x002c_6e2f, 28) },
        WAIT => Tone { dark: (0x00e5_b85c, 179), light: (0x008a_5a00, 94) },
        BAD => Tone { dark: (0x00f0_8a84, 210), light: (0x00b3_261e, 124) },
        MEMORY => Tone { dark: (0x00b8_a2f2, 147), light: (0x0063_38b8, 55) },
        _ => return None,
    })
}

fn ground(meaning: Color, shade: Shade) -> Option<Color> {
    let (dark, light) = match meaning {
        USER_GROUND => (0x0023_272f, 0x00ef_f1f4),
        ADDED_GROUND => (0x0017_3323, 0x00e3_f5e6),
        REMOVED_GROUND => (0x003b_1f21, 0x00fd_e8e6),
        _ => return None,
    };
    Some(Color::from_u32(if shade == Shade::Dark { dark } else { light }))
}

impl Palette {
    /// Returns true if it shows grounds.
    pub(crate) fn has_grounds(self) -> bool {
        matches!(self, Self::True(_))
    }

    /// What the terminal is sent for a style.
    pub(crate) fn style(self, mut style: Style) -> Style {
        style.fg = style.fg.filter(|colour| *colour != Color::Reset);
        style.bg = style.bg.filter(|colour| *colour != Color::Reset);
        match self {
            Self::None => (style.fg, style.bg) = (None, None),
            Self::Terminal => style.bg = None,
            Self::Indexed(shade) => {
                style.bg = None;
                style = toned(style, |tone| Color::Indexed(tone.of(shade).1));
            }
            Self::True(shade) => {
                style.bg = style.bg.and_then(|meaning| ground(meaning, shade));
                style = toned(style, |tone| Color::from_u32(tone.of(shade).0));
            }
        }
        style
    }
}

impl Tone {
    fn of(&self, shade: Shade) -> (u32, u8) {
        if shade == Shade::Dark { self.dark } else { self.light }
    }
}

/// The style with a fixed colour for its meaning; a fixed grey for dim text, which is the terminal's guess otherwise.
fn toned(mut style: Style, colour: impl Fn(&Tone) -> Color) -> Style {
    if let Some(tone) = style.fg.and_then(tone) {
        style.fg = Some(colour(&tone));
    } else if style.fg.is_none() && style.add_modifier.contains(Modifier::DIM) {
        style.fg = Some(colour(&QUIET_TONE));
    }
    if style.fg.is_some() {
        style.add_modifier.remove(Modifier::DIM);
    }
    style
}

#[cfg(test)]
mod tests;
