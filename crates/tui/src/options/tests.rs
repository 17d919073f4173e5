//! What the environment says, and the palette that follows.

use super::*;

fn of(variables: &[(&str, &str)]) -> Options {
    Options::of(|name| {
        let found = variables.iter().find(|(own, _)| *own == name);
        found.map(|(_, value)| (*value).to_owned()).unwrap_or_default()
    })
}

const USUAL: [(&str, &str); 3] =
    [("TERM", "xterm-256color"), ("LANG", "en_US.UTF-8"), ("COLORTERM", "truecolor")];

#[test]
fn true_colour_needs_an_answer_of_the_terminal() {
    let options = of(&USUAL);
    assert!(options.asks_for_ground());
    assert_eq!(options.palette(None), Palette::Terminal);
    assert_eq!(options.palette(Some(Shade::Light)), Palette::True(Shade::Light));
    let indexed = of(&USUAL[..2]);
    assert!(!indexed.asks_for_ground());
    assert_eq!(indexed.palette(Some(Shade::Dark)), Palette::Terminal);
}

#[test]
fn a_theme_is_used_as_far_as_the_terminal_can() {
    let dark = |options: Options| Options { theme: Theme::Dark, ..options };
    assert_eq!(dark(of(&USUAL)).palette(None), Palette::True(Shade::Dark));
    assert_eq!(dark(of(&USUAL[..2])).palette(None), Palette::Indexed(Shade::Dark));
    assert_eq!(dark(of(&[("TERM", "xterm")])).palette(None), Palette::Terminal);
    let terminal = Options { theme: Theme::Terminal, ..of(&USUAL) };
    assert!(!terminal.asks_for_ground());
    assert_eq!(terminal.palette(Some(Shade::Dark)), Palette::Terminal);
}

#[test]
fn no_color_wins_over_every_theme() {
    let mut variables = USUAL.to_vec();
    variables.push(("NO_COLOR", "1"));
    for theme in [Theme::Auto, Theme::Terminal, Theme::Dark, Theme::Light] {
        let options = Options { theme, ..of(&variables) };
        assert!(!options.asks_for_ground());
        assert_eq!(options.palette(Some(Shade::Dark)), Palette::None);
    }
}

#[test]
fn marks_are_ascii_without_a_utf_8_locale() {
    assert!(!of(&USUAL).ascii);
    assert!(of(&[("TERM", "xterm"), ("LANG", "C")]).ascii);
    assert!(!of(&[("TERM", "xterm")]).ascii);
    assert!(of(&[("TERM", "linux"), ("LANG", "C.UTF-8")]).ascii);
    assert!(!of(&[("TERM", "xterm"), ("LANG", "C"), ("LC_ALL", "C.utf8")]).ascii);
    assert!(of(&[("TERM", "xterm"), ("LANG", "C.UTF-8"), ("LC_CTYPE", "POSIX")]).ascii);
}
