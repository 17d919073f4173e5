//! Hostile content: scripts, markup, links, escapes, controls, characters that turn text, and long words are text on every page.

use std::path::Path;

use serde_json::json;
use throughline_conversation::{DocumentName, DocumentRecord, Record, RecordBody, Seq, Source};
use throughline_testserver::{Answer, Script};

use crate::accessible::{axe, violations};
use crate::driven::DrivenPage;
use crate::hosted::Hosted;
use crate::shots;
use crate::stage::{SIZES, THEMES, address, origin, transcript_key};
use crate::stored::{facts, records_of, store_session};
use crate::transcript::{ID, write_transcript};

/// Each part would run, load, colour, turn or widen something if it were more than text.
const HOSTILE: &str = "</pre></script><script>document.title='taken'</script><img src=x onerror=\"document.title='taken'\"> \
    <svg onload=alert(1)> <a href=\"javascript:document.title='taken'\">link</a> <iframe src=https://example.com></iframe> \
    \u{1b}[31mred\u{1b}[0m \u{1b}]0;taken\u{7} nul\0 back\u{8}space c1\u{9b}31m \u{202e}desrever\u{202c} \u{2066}isolated\u{2069} \
    \u{200f}mark \u{feff}bom \u{e0041}tag 'quote' \"double\" &amp; {{7*7}} ${7*7}";

/// What of it pages show in its place.
const SHOWN: [&str; 7] = [
    "<script>document.title='taken'</script>",
    "<img src=x onerror=",
    "javascript:document.title",
    "⟨U+001B⟩[31mred",
    "⟨U+202E⟩desrever⟨U+202C⟩",
    "⟨U+2066⟩isolated⟨U+2069⟩",
    "⟨U+E0041⟩tag",
];

/// A server whose session has hostile content in every place that a model, a tool, a file or a user writes.
fn hosted() -> (Hosted, String) {
    let long = "w".repeat(3_000);
    let hostile = format!("{HOSTILE} {long}");
    let name = "<img src=x onerror=alert(1)>\u{202e}txt.md";
    let script = Script::new()
        .then(Answer::call(
            "call_1",
            "write_file",
            json!({ "path": name, "content": hostile.replace('\0', "") }),
        ))
        .then(Answer::call("call_2", "read_file", json!({ "path": name })))
        .then(Answer::text(&hostile))
        .repeat_last();
    let transcripts = tempfile::tempdir().unwrap().keep();
    write_transcript(&transcripts, Path::new(&format!("/tmp/{HOSTILE}")), &hostile);
    let hosted = Hosted::new(script, &["--policy", "dex", "--claude", transcripts.to_str().unwrap()]);
    let id = hosted.done(&hostile);
    let served = &hosted.served;
    served.run(&["memos", "add", "--all", "--tag", "gotcha", &hostile.replace('\0', "")]);
    // Another session with a title, a model and a folder of that kind, and documents.
    let mut records = records_of(served, &id);
    let last = records.last().unwrap().clone();
    for (number, text) in [(1, hostile.clone()), (2, format!("{hostile}\n{HOSTILE}"))] {
        let body = RecordBody::Document(DocumentRecord { name: DocumentName::State, text, by: Source::User });
        records.push(Record { seq: Seq(last.seq.0 + number), body, ..last.clone() });
    }
    let info = throughline_continuity::SessionInfo {
        workspace: format!("/tmp/{HOSTILE}"),
        model: HOSTILE.to_owned(),
        ..facts("hostile", &hostile)
    };
    store_session(served, &info, &records);
    (hosted, "hostile".to_owned())
}

#[test]
fn hostile_content_is_text_everywhere_and_runs_nothing() {
    let (hosted, id) = hosted();
    let served = &hosted.served;
    assert_eq!(served.send("POST", &format!("/api/sessions/{id}/contexts"), "{}").status, 200);
    let axe = axe();
    let own = format!("/sessions/{id}");
    let of = |rest: &str| format!("{own}{rest}");
    let transcript = format!("/transcripts/{}", transcript_key(served, ID));
    let mut page = DrivenPage::open(served.home(), &address(served, "/"));
    // A page, and how many of the parts it shows: a list of turns has the start of
    // a message, and of others the escapes are removed or written as JSON.
    let pages = [
        ("/".to_owned(), SHOWN.len()),
        (own.clone(), SHOWN.len()),
        (of("/requests/3"), SHOWN.len()),
        (of("/requests/3/diff"), SHOWN.len()),
        (of("/conversation"), SHOWN.len()),
        (of("/requests"), 0),
        (of("/cost"), 0),
        (transcript.clone(), 2),
        (format!("{transcript}/conversation"), SHOWN.len()),
        (format!("{transcript}/records/1"), SHOWN.len()),
        (format!("{transcript}/cost"), 0),
        (of("/turns"), 2),
        (of("/documents"), SHOWN.len()),
        (of("/summaries"), 0),
        (of("/contexts"), 3),
        (of("/checkpoints"), 3),
        (of("/records/2"), 0),
        ("/memos".to_owned(), 3),
        ("/search?q=desrever".to_owned(), SHOWN.len()),
        ("/search?q=%3Cimg%20src=x%20onerror=alert(1)%3E%E2%80%AE".to_owned(), 0),
    ];
    for (path, parts) in pages {
        page.go(&address(served, &path));
        page.value("document.querySelectorAll('details').forEach(one => { one.open = true; })");
        let text = page.text("body");
        for part in SHOWN.iter().take(parts) {
            assert!(text.contains(part), "{path}: no {part:?} in {text}");
        }
        assert!(path != "/" || text.contains("nul⟨U+0000⟩"), "{text}");
        // Nothing invisible is left that could turn the text around it.
        let turning = |letter: char| matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}' | '\0'..='\u{8}' | '\u{1b}');
        assert!(!text.contains(turning), "{path}: {text:?}");
        let made = "document.querySelectorAll('img, iframe, main script, svg[onload], a[href^=\"javascript\" i], [onerror], [onclick]').length";
        assert_eq!(page.value(made), 0, "{path}: content became elements");
        assert_ne!(page.value("document.title"), "taken", "{path}");
        for size in SIZES {
            page.dress(size, THEMES[0]);
            let wide = page.value("document.documentElement.scrollWidth").as_u64().unwrap();
            assert!(wide <= u64::from(size.0), "{path}: {wide} pixels wide in a window of {}", size.0);
            let name = path.split('?').next().unwrap().replace('/', "-");
            shots::save(&format!("hostile{name}-{}-light.png", size.0), &page.picture());
            if let Some(axe) = &axe {
                let broken = violations(&mut page, axe);
                assert!(broken.is_empty(), "{path} ({}): {}", size.0, broken.join("\n"));
            }
        }
    }
    page.check_quiet(origin(served));
}

#[test]
fn pages_may_run_their_own_script_alone() {
    let (hosted, id) = hosted();
    let served = &hosted.served;
    let mut page = DrivenPage::open(served.home(), &address(served, &format!("/sessions/{id}")));
    let policy = page.value("fetch(location).then(answer => answer.headers.get('content-security-policy'))");
    let policy = policy.as_str().unwrap();
    for part in [
        "default-src 'none'",
        "script-src 'self'",
        "connect-src 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
    ] {
        assert!(policy.contains(part), "{policy}");
    }
    assert!(!policy.contains("unsafe"), "{policy}");
    // The browser refuses what got into a page in spite of everything.
    page.check_quiet(origin(served));
    page.value("const bad = document.createElement('div'); bad.innerHTML = '<img src=x onerror=\"window.taken = true\">'; document.body.append(bad)");
    page.value("const worse = document.createElement('script'); worse.textContent = 'window.taken = true'; document.body.append(worse)");
    page.wait_for("new Promise(done => setTimeout(() => done(window.taken === undefined), 200))");
    assert!(
        page.complaints.iter().any(|one| one.to_string().contains("Content Security Policy")),
        "{:?}",
        page.complaints
    );

    // A report has a policy of its own.
    let report = served.home().join("report.html");
    served.run(&["report", &id, "-o", report.to_str().unwrap()]);
    page.complaints.clear();
    page.value("window.before = true");
    page.open_file(&report);
    page.wait_for("!window.before && document.readyState === 'complete' && !!document.querySelector('h1')");
    let text = page.text("body");
    for part in SHOWN {
        assert!(text.contains(part), "no {part:?} in the report");
    }
    for size in SIZES {
        page.dress(size, THEMES[0]);
        let wide = page.value("document.documentElement.scrollWidth").as_u64().unwrap();
        assert!(wide <= u64::from(size.0), "the report is {wide} pixels wide");
    }
    assert_eq!(page.value("window.taken === undefined && document.title !== 'taken'"), true);
    assert!(page.complaints.is_empty(), "{:?}", page.complaints);
}
