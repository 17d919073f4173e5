//! Contrast of the colours, and what is sent for them.

use super::*;
use crate::line::{BOLD, DIM, Line, PLAIN};

const MEANINGS: [Color; 5] = [ACCENT, GOOD, WAIT, BAD, MEMORY];

/// Relative luminance of WCAG.
fn luminance(colour: Color) -> f64 {
    let Color::Rgb(red, green, blue) = colour else { panic!("{colour:?} is not of true colour") };
    let part = |part: u8| {
        let part = f64::from(part) / 255.0;
        if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * part(red) + 0.7152 * part(green) + 0.0722 * part(blue)
}

fn contrast(one: Color, other: Color) -> f64 {
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

#[test]
fn every_colour_can_be_read_on_its_ground() {
    for (shade, usual) in [(Shade::Dark, 0x0016_181d), (Shade::Light, 0x00ff_ffff)] {
        let palette = Palette::True(shade);
        let styles = MEANINGS.map(|colour| PLAIN.fg(colour)).into_iter().chain([DIM]);
        for colour in styles.map(|style| palette.style(style).fg.unwrap()) {
            let seen = contrast(colour, Color::from_u32(usual));
            assert!(seen >= 5.9, "{colour:?} on {shade:?}: {seen:.2}");
        }
        for (text, ground) in [(GOOD, ADDED_GROUND), (BAD, REMOVED_GROUND), (ACCENT, USER_GROUND)] {
            let style = palette.style(PLAIN.fg(text).bg(ground));
            let seen = contrast(style.fg.unwrap(), style.bg.unwrap());
            assert!(seen >= 5.0, "{text:?} on {ground:?}, {shade:?}: {seen:.2}");
        }
    }
}

#[test]
fn each_palette_sends_what_its_terminal_knows() {
    let line = Line::styled("a", PLAIN.fg(BAD)).then("b", DIM).then("c", BOLD).on(REMOVED_GROUND);
    let sent = |palette: Palette| line.encoded(palette, 40).replace('\u{1b}', "^");
    expect_test::expect![[r#"
        a^[2mb^[0m^[1mc^[0m
        ^[38;5;1ma^[39m^[2mb^[0m^[1mc^[0m
        ^[38;5;210ma^[39m^[38;5;246mb^[39m^[1mc^[0m
        ^[48;2;59;31;33m^[K^[49m^[48;2;59;31;33m^[38;2;240;138;132ma^[49m^[39m^[48;2;59;31;33m^[38;2;144;152;166mb^[49m^[39m^[48;2;59;31;33m^[1mc^[0m"#]]
    .assert_eq(
        &[Palette::None, Palette::Terminal, Palette::Indexed(Shade::Dark), Palette::True(Shade::Dark)]
            .map(sent)
            .join("\n"),
    );
}
