//! Every page in two sizes and both themes: something is drawn, nothing is wider than the window, and nothing is refused.

use crate::shots;
use crate::stage::{SIZES, Stage, THEMES, address, origin};

// S1-15
#[test]
fn pages_are_drawn_in_two_sizes_and_both_themes_and_the_browser_refuses_nothing() {
    let stage = Stage::new();
    let mut page = stage.browse("/");
    for (name, path) in stage.pages() {
        page.go(&address(&stage.served, &path));
        assert_eq!(page.place(), path, "the token is not in the address");
        let mut pictures = Vec::new();
        for size in SIZES {
            for theme in THEMES {
                page.dress(size, theme);
                let wide = page.value("document.documentElement.scrollWidth").as_u64().unwrap();
                assert!(wide <= u64::from(size.0), "{path}: {wide} pixels wide in a window of {}", size.0);
                let picture = page.picture();
                let file = format!("{name}-{}-{theme}.png", size.0);
                assert!(shots::save(&file, &picture).len() > 4_000, "{path}: the picture is empty");
                pictures.push(picture);
            }
        }
        assert_ne!(pictures[0], pictures[1], "{path}: both themes look the same");
        assert_ne!(pictures[2], pictures[3], "{path}: both themes look the same");
        let text = page.text("body");
        for part in ["undefined", "NaN", "null", "Some(", "None"] {
            let alone = text
                .split(|letter: char| !letter.is_alphanumeric() && letter != '(')
                .any(|word| word == part);
            assert!(!alone, "{path} says {part}");
        }
    }
    page.check_quiet(origin(&stage.served));
    println!("pictures: {}", shots::folder().display());
}

#[test]
fn a_session_is_printed_and_so_is_its_report() {
    let stage = Stage::new();
    let report = stage.served.home().join("report.html");
    stage.served.run(&["report", &stage.replayed, "-o", report.to_str().unwrap()]);
    let mut page = stage.browse(&format!("/sessions/{}", stage.replayed));
    let pdf = shots::save("session.pdf", &page.printed());
    assert!(pdf.starts_with(b"%PDF-") && pdf.len() > 20_000, "{} bytes", pdf.len());
    // The tree of pages says how many there are.
    let text = String::from_utf8_lossy(&pdf);
    let pages = text
        .split("/Count ")
        .nth(1)
        .and_then(|rest| rest.split(|letter: char| !letter.is_ascii_digit()).next());
    let pages: u32 = pages.unwrap().parse().unwrap();
    println!("{pages} printed pages");
    assert!((1..20).contains(&pages), "{pages} pages");
    let media = "Array.from(document.querySelectorAll('.top, .tabs, .acts, .turn')).every(one => getComputedStyle(one).display === 'none')";
    page.print_media(true);
    assert_eq!(page.value(media), true, "what is of use on a screen alone is not printed");
    let colour = page.value("getComputedStyle(document.querySelector('.meta')).color");
    assert_eq!(colour, "rgb(89, 98, 110)", "paper is white in the dark theme, too");
    page.print_media(false);
    page.check_quiet(origin(&stage.served));

    page.value("window.before = true");
    page.open_file(&report);
    page.wait_for("!window.before && document.readyState === 'complete' && !!document.querySelector('h1')");
    for size in SIZES {
        page.dress(size, "light");
        let wide = page.value("document.documentElement.scrollWidth").as_u64().unwrap();
        assert!(wide <= u64::from(size.0), "the report is {wide} pixels wide");
        shots::save(&format!("report-{}-light.png", size.0), &page.picture());
    }
    let asked: Vec<&String> = page.asked.iter().filter(|asked| asked.starts_with("file:")).collect();
    assert_eq!(asked.len(), 1, "a report loads nothing: {asked:?}");
    assert!(page.complaints.is_empty(), "{:?}", page.complaints);
}
