//! What a user does by the pages' forms: set a preference, send a message, answer its question.

use serde_json::json;
use throughline_testserver::{Answer, Script};

use crate::driven::DrivenPage;
use crate::hosted::Hosted;
use crate::served::Served;
use crate::stage::address;

#[test]
fn a_preference_is_set_from_its_page() {
    let served = Served::demo();
    let mut page = DrivenPage::open(served.home(), &address(&served, "/preferences"));
    page.wait_for("document.documentElement.dataset.script === ''");
    page.value("window.before = true; window.prompt = (text, now) => text.includes('watch.size') && now === '' ? '2048' : null");
    page.value("document.querySelector('[data-put=\"/api/preferences/watch.size\"]').click()");
    page.wait_for("!window.before && document.body.textContent.includes('2048')");
    let file = std::fs::read_to_string(served.home().join(".config/throughline/config.toml")).unwrap();
    assert!(file.contains("size = 2048"), "{file}");
    assert!(page.complaints.is_empty(), "{:?}", page.complaints);
}

#[test]
fn a_page_sends_a_message_answers_its_question_and_shows_the_events() {
    let hostile = "<img src=x onerror=document.title='taken'>";
    let write = Answer::call("call_1", "write_file", json!({ "path": "b.txt", "content": hostile }));
    let script = Script::new().then(Answer::text("Hello.")).then(write).then(Answer::text(hostile));
    let hosted = Hosted::new(script, &["--mode", "ask"]);
    let id = hosted.done("Greet.");
    let mut page =
        DrivenPage::open(hosted.served.home(), &address(&hosted.served, &format!("/sessions/{id}")));
    page.wait_for("document.documentElement.dataset.script === ''");
    page.click(".turn summary");
    page.value("document.querySelector('.turn textarea').value = 'Write.'");
    page.click(".turn [type=submit]");
    page.wait_for("document.querySelectorAll('.events .question button').length === 3");
    assert_eq!(page.value("document.querySelector('[data-cancel]').hidden"), false);
    // A page that is opened later joins the same turn.
    page.value("window.before = true; location.reload()");
    page.wait_for("!window.before && document.querySelectorAll('.events .question button').length === 3");
    page.value("document.querySelector('.events .question button').click()");
    page.wait_for(
        "(document.querySelector('.events')?.lastChild?.textContent ?? '').startsWith('The turn has ended')",
    );
    assert!(hosted.served.home().join("work/b.txt").exists());
    assert_eq!(page.value("document.querySelector('.events .text').textContent"), hostile);
    assert_eq!(page.value("document.querySelectorAll('.events img, .events .question button').length"), 0);
    assert_eq!(page.value("document.querySelector('[data-cancel]').hidden"), true);
    assert!(page.complaints.is_empty(), "{:?}", page.complaints);
}
