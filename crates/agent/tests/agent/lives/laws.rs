//! What holds after every act.

use throughline_agent::{ReconstructError, reconstruct};
use throughline_completion::CompletionRequest;
use throughline_continuity::SnapshotStore;
use throughline_conversation::{
    ContentBlock, EntryKind, Message, Record, RecordBody, ResultRef, project, validate,
};
use throughline_resultstore::ResultRepository;
use throughline_testkit::{WordCounter, render};

use super::stage::Life;
use crate::harness::session;

impl Life {
    /// The laws, after an act that began with this many requests and records.
    pub(crate) async fn laws(&mut self, requests: usize, records: usize, turn: bool) {
        let (sent, log) = (self.world.model.requests(), self.log().await);
        let new = sent.get(requests..).unwrap_or_default();
        for request in new {
            // I-1
            assert_eq!(validate(request.transcript.messages()), []);
            assert_eq!(request.shell_faults(), []);
            // I-7
            let mut users = request.transcript.entries().iter().filter(|entry| entry.kind == EntryKind::User);
            assert!(
                !turn || users.next_back().unwrap().message.text() == self.said,
                "the user's request is not in view"
            );
            for pinned in self.view().groups().pinned_texts() {
                assert!(has_text(request, &pinned.text), "{:?} of record {}", pinned.text, pinned.message);
            }
        }
        let act = log.get(records..).unwrap_or_default();
        self.prefixes_hold(&sent, requests, act);
        self.view_is_what_the_log_says(&log);
        self.references_resolve(&log).await;
        self.nothing_is_left_of_what_was_removed(&log).await;
        requests_can_be_made_again(&sent, &log, act);
    }

    /// I-6: without an edit, a mark or another model, each request extends the one before.
    fn prefixes_hold(&mut self, sent: &[CompletionRequest], begun: usize, act: &[Record]) {
        let cut = |record: &Record| {
            matches!(record.body, RecordBody::Edit(_) | RecordBody::Mark(_) | RecordBody::Model(_))
        };
        self.cold |= begun == 0 || act.iter().any(cut);
        if begun == sent.len() || std::mem::take(&mut self.cold) {
            return;
        }
        for pair in sent.get(begun - 1..).unwrap_or_default().windows(2) {
            let [before, after] = pair else { continue };
            assert_eq!(before.transcript.common_prefix(&after.transcript), before.transcript.len());
            assert_eq!((&before.system, &before.tools), (&after.system, &after.tools));
        }
    }

    /// I-5: at any time the view is the projection of the log, so a run that ends now loses nothing.
    fn view_is_what_the_log_says(&self, log: &[Record]) {
        let (reported, view) = (project(log, &WordCounter).unwrap(), self.view());
        assert_eq!(render(reported.transcript().messages()), render(view.transcript().messages()));
        assert_eq!(reported.native(), view.native());
        assert_eq!(reported.said(), view.said());
        assert_eq!((reported.groups(), reported.documents()), (view.groups(), view.documents()));
        assert_eq!((reported.tokens(), reported.epoch()), (view.tokens(), view.epoch()));
    }

    /// I-2: what is shown by a name is there, byte for byte.
    async fn references_resolve(&self, log: &[Record]) {
        for message in self.view().transcript().messages() {
            let shown = render([message]);
            for name in names(&shown) {
                let found = self.world.results.get(&session(), &ResultRef::from_text(&name)).await.unwrap();
                let found =
                    found.unwrap_or_else(|| panic!("{name} is shown and cannot be read back:\n{shown}"));
                if found.tool == "echo" {
                    let text = String::from_utf8(found.content).unwrap();
                    assert!(is_whole(&text, log), "{name} is not what the tool gave: {text}");
                }
            }
        }
    }

    /// I-8: no record, result or snapshot has a word of a group that was deleted.
    async fn nothing_is_left_of_what_was_removed(&self, log: &[Record]) {
        for group in &self.removed {
            let mark = format!("mk{group}z");
            for record in log {
                let text = serde_json::to_string(record).unwrap();
                assert!(!text.contains(&mark), "record {} of group {}: {text}", record.seq, record.exchange);
            }
            for info in self.world.results.list(&session()).await.unwrap() {
                let found = self.world.results.get(&session(), &info.id).await.unwrap().unwrap();
                let text = String::from_utf8_lossy(&found.content).into_owned();
                assert!(!text.contains(&mark), "stored result {} of {}", info.id, info.tool);
            }
            let snapshot = self.world.snapshots.load(&session()).await.unwrap();
            let text = serde_json::to_string(&snapshot).unwrap();
            assert!(!text.contains(&mark), "the snapshot");
        }
    }
}

/// Each new request can be made again from the log, byte for byte; old ones too, or it is said why not.
fn requests_can_be_made_again(sent: &[CompletionRequest], log: &[Record], act: &[Record]) {
    // A change of groups reaches back: then all of them are looked at again.
    let back = act.iter().any(|record| matches!(record.body, RecordBody::Mark(_)));
    for record in if back { log } else { act } {
        let RecordBody::Receipt(receipt) = &record.body else { continue };
        match reconstruct(&session(), log, receipt.request, &WordCounter) {
            Ok(again) => assert!(sent.contains(&again), "request {} was never sent", receipt.request),
            Err(ReconstructError::Removed { .. }) => {
                let gone = |one: &Record| one.seq < record.seq && matches!(one.body, RecordBody::Removed(_));
                assert!(log.iter().any(gone));
            }
            Err(error) => panic!("request {}: {error}", receipt.request),
        }
    }
}

/// Returns true if a request has a text word for word.
fn has_text(request: &CompletionRequest, text: &str) -> bool {
    let mut blocks = request.transcript.messages().flat_map(|message| &message.content);
    blocks.any(|block| match block {
        ContentBlock::Text { text: said } => said.contains(text),
        ContentBlock::ToolResult(result) => result.content.contains(text),
        _ => false,
    })
}

fn names(shown: &str) -> Vec<String> {
    let after = shown.split("ref_id=\"").skip(1);
    let names = after.filter_map(|rest| Some(rest.split_once('"')?.0.to_owned()));
    names.filter(|name| name.starts_with("r-")).collect()
}

/// Returns true if a text is the whole answer to one of the calls in the log.
fn is_whole(text: &str, log: &[Record]) -> bool {
    let Some((id, _)) = text.split_once('_') else { return false };
    let mut calls = log.iter().filter_map(|record| match &record.body {
        RecordBody::Message(said) => Some(&said.message),
        _ => None,
    });
    let asked = |message: &Message| {
        message.content.iter().find_map(|block| match block {
            ContentBlock::ToolCall(call) if call.id == id => call.input.get("words")?.as_u64(),
            _ => None,
        })
    };
    let Some(words) = calls.find_map(asked) else { return false };
    let reported: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
    reported == (0..words).map(|word| format!("{id}_{word}")).collect::<Vec<_>>()
}
