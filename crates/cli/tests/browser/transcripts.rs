//! What a user finds out about a session of another agent that merely lies in its folder: why it was expensive, and what a compaction lost.

use crate::driven::DrivenPage;
use crate::served::Served;
use crate::stage::{address, origin, transcript_key};
use crate::transcript::{FIRST, ID, continue_transcript, write_transcript};

fn check_says(page: &mut DrivenPage, parts: &[&str]) {
    let text = page.text("main");
    for part in parts {
        assert!(text.contains(part), "no {part:?} in {text}");
    }
}

/// A server that shows the folder with the session, and the session's file.
fn served() -> (Served, std::path::PathBuf) {
    let demo = Served::demo();
    let folder = demo.home().join("transcripts");
    let file = write_transcript(&folder, demo.home(), FIRST);
    std::fs::write(folder.join("notes.json"), "{\"a\": 1}").unwrap();
    (Served::begin(demo.shared_home(), &["--claude", folder.to_str().unwrap()]), file)
}

#[test]
fn a_transcript_that_merely_lies_there_says_why_it_was_expensive_and_what_a_compaction_lost() {
    let (served, _) = served();
    let own = format!("/transcripts/{}", transcript_key(&served, ID));
    let mut page = DrivenPage::open(served.home(), &address(&served, "/"));
    // The list draws itself again until every file is read.
    page.wait_for("!document.querySelector('[data-pending]')");
    check_says(&mut page, &[FIRST, "claude", "2 compactions", "1 file of these folders is no recording"]);
    assert_eq!(page.follow("nav[aria-label=Agents] a[href*='agent=claude']"), "/?agent=claude");
    assert_eq!(page.value("document.querySelectorAll('tbody tr').length"), 1);
    assert_eq!(page.follow("td a.title"), own);
    check_says(
        &mut page,
        &[
            "Context now",
            "Compactions",
            "sent again: the cache expired",
            "◆ compacted",
            "cache lost: the cache expired (1h 0m idle), $0.0",
            "Subagents",
            "Look through the tests.",
            "read only",
        ],
    );
    let marks = "document.querySelectorAll('.chart .compaction').length === 2 && document.querySelectorAll('.chart .lost-name').length > 0";
    assert_eq!(page.value(marks), true);

    // What the second compaction lost.
    assert_eq!(page.follow(".compacted a[href$='/compactions/2']"), format!("{own}/compactions/2"));
    check_says(
        &mut page,
        &[
            "Needed later",
            "round_half_even_for_statements",
            "Summary two: round is used",
            "What left the view",
        ],
    );
    // Where it is in the conversation, and what the model still sees.
    assert!(
        page.follow(".turner a[href*='#compaction-2']").starts_with(&format!("{own}/conversation?request="))
    );
    check_says(&mut page, &["Compacted", "request 6", "word for word", "only summarized", "Turn 3"]);
    let rail = |page: &mut DrivenPage, record: u64| {
        page.value(&format!("document.querySelector('#record-{record}').className.includes('gone')"))
    };
    assert_eq!(rail(&mut page, 1), true, "the first message is behind the summary");
    assert_eq!(page.value("document.querySelectorAll('.said.seen').length >= 3"), true);
    // The change of the edit is shown, and the failed command is marked.
    check_says(&mut page, &["− ", "return int(total)", "return round(total)", "✗", "thinking"]);
    page.click(".call:has(.bad) > summary");
    check_says(&mut page, &["FAILED (errors=1)"]);
    // The whole of a result.
    page.value("document.querySelectorAll('.call').forEach(one => { one.open = true; })");
    let record = page.follow(".of-call a[href*='/records/']");
    check_says(&mut page, &["a long line of the ledger"]);
    let content = served.get(&format!("/api{record}/content"));
    assert!(content.body.len() > 5_000 && content.body.contains("def round_cents"), "{}", content.body.len());

    assert_eq!(page.follow(".tabs a[href$='/cost']"), format!("{own}/cost"));
    check_says(&mut page, &["By tool", "Bash", "Edit", "Largest items", "ledger.py"]);
    assert_eq!(page.follow(".tabs a[href$='/requests']"), format!("{own}/requests"));
    check_says(&mut page, &["Bash", "missed: the cache expired", "2026-03-02 00:00:"]);
    assert_eq!(page.follow("tbody tr:nth-of-type(2) a"), format!("{own}/conversation?request=2#request-2"));
    // The subagent, and the way back.
    page.go(&address(&served, &own));
    assert_eq!(page.follow(".subagents a"), format!("{own}.agent-a1"));
    check_says(&mut page, &["Look through the tests.", "A subagent of"]);
    assert_eq!(page.follow("main p a"), own);
    page.check_quiet(origin(&served));
}

#[test]
fn a_transcript_is_drawn_again_while_its_agent_writes() {
    let (served, file) = served();
    let own = format!("/transcripts/{}", transcript_key(&served, ID));
    let mut page = DrivenPage::open(served.home(), &address(&served, &format!("{own}/conversation")));
    page.value("window.same = true; document.querySelector('.call').open = true");
    continue_transcript(&file, "And now the <b>docs</b>.");
    page.wait_for("document.querySelector('main').innerText.includes('And now the <b>docs</b>.')");
    assert_eq!(page.value("window.same"), true, "the page was not loaded again");
    assert_eq!(page.value("document.querySelector('.call').open"), true, "what is unfolded stays so");
    page.check_quiet(origin(&served));
}
