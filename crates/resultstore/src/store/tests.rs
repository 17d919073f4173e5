//! The whole way of a result: in, stored, seen, read back.

use std::sync::Arc;

use proptest::prelude::*;
use throughline_conversation::{Image, Millis, ResultRef, SessionId};

use super::{ResultStore, ShownResult};
use crate::in_memory::InMemoryResultRepository;
use crate::lossy::tests::hostile;
use crate::policy::OffloadPolicy;
use crate::repository::{MockResultRepository, ResultRepository, StoreError};
use crate::request::{ReadError, ReadRequest};

const AT: Millis = Millis(7);

fn session(name: &str) -> SessionId {
    SessionId::new(name).unwrap()
}

fn store(repository: Arc<dyn ResultRepository>, policy: OffloadPolicy) -> ResultStore {
    ResultStore::new(repository, session("s"), policy, ["read_result".to_owned()])
}

fn memory(policy: OffloadPolicy) -> (Arc<InMemoryResultRepository>, ResultStore) {
    let repository = Arc::new(InMemoryResultRepository::new());
    (repository.clone(), store(repository, policy))
}

#[tokio::test]
async fn bytes_that_are_no_text_are_stored_also_where_a_preview_would_be_no_shorter() {
    let policy =
        OffloadPolicy { threshold_bytes: 10, head_bytes: 100, tail_bytes: 100, ..OffloadPolicy::seed() };
    let (_, store) = memory(policy);
    let bytes = [b"caf\xe9 ".as_slice(), &[b'a'; 54]].concat();
    let shown = store.ingest("shell", "c1", &bytes, AT).await.unwrap();
    let id = ResultRef::of(&session("s"), &bytes);
    assert!(shown.text.contains(id.as_str()), "{}", shown.text);
    assert_eq!(store.find(&id).await.unwrap().unwrap().content, bytes);
}

// S3-07
#[tokio::test]
async fn only_what_is_over_the_threshold_is_stored() {
    let (_, store) = memory(OffloadPolicy::seed());
    let small = store.ingest("grep", "c1", &[b'a'; 4096], AT).await.unwrap();
    assert_eq!((small.text.len(), small.offloaded), (4096, None));
    assert_eq!(store.list().await.unwrap(), []);
    let large = store.ingest("grep", "c2", &[b'a'; 4097], AT).await.unwrap();
    let receipt = large.offloaded.unwrap();
    assert_eq!(
        (receipt.tool.as_str(), receipt.bytes, receipt.shown),
        ("grep", 4097, large.text.len() as u64)
    );
    assert!(large.text.contains(receipt.stored.as_str()));
    let listed = store.list().await.unwrap();
    assert_eq!((&listed[0].id, listed[0].bytes, listed[0].at, listed.len()), (&receipt.stored, 4097, AT, 1));
}

// S3-11: the model's text is decided by this one call, so that the conversation never has the large one.
#[tokio::test]
async fn what_the_conversation_gets_leads_back_to_the_exact_bytes() {
    let (repository, store) = memory(OffloadPolicy::for_window(32_000));
    let bytes: Vec<u8> = (0..60_000_u32).map(|n| (n % 256) as u8).collect();
    let seen = store.ingest("shell_exec", "c1", &bytes, AT).await.unwrap();
    assert!(seen.text.len() < 12_000);
    let id = seen.offloaded.unwrap().stored;
    let found = repository.get(&session("s"), &id).await.unwrap().unwrap();
    assert_eq!(found.content, bytes);
}

#[tokio::test]
async fn equal_results_of_two_calls_are_kept_once() {
    let (_, store) = memory(OffloadPolicy::seed());
    let first = store.ingest("grep", "c1", &[b'a'; 5000], AT).await.unwrap();
    let second = store.ingest("grep", "c2", &[b'a'; 5000], Millis(9)).await.unwrap();
    assert_eq!(first, second);
    assert_eq!(store.list().await.unwrap().len(), 1);
}

// F-28: the output of the tool that reads results is not stored again.
#[tokio::test]
async fn retrieval_stays_inline() {
    let (_, store) = memory(OffloadPolicy::seed());
    let seen = store.ingest("read_result", "c1", &[b'a'; 16_384], AT).await.unwrap();
    assert_eq!((seen.text.len(), seen.offloaded), (16_384, None));
}

#[tokio::test]
async fn a_preview_that_saves_nothing_is_not_taken() {
    let policy = OffloadPolicy { threshold_bytes: 100, ..OffloadPolicy::for_window(64_000) };
    let (_, store) = memory(policy);
    let seen = store.ingest("grep", "c1", &[b'a'; 8_050], AT).await.unwrap();
    assert_eq!((seen.text.len(), seen.offloaded), (8_050, None));
}

#[tokio::test]
async fn a_message_over_its_room_is_stored_and_shown_by_its_ends() {
    let (_, store) = memory(OffloadPolicy::seed());
    let text: String = (0..1_000).map(|line| format!("line {line:04}\n")).collect();
    let whole = store.ingest_message(&text, text.len(), AT).await.unwrap();
    assert_eq!((whole.text.as_str(), whole.offloaded), (text.as_str(), None));
    let short = store.ingest_message("x y", 2, AT).await.unwrap();
    assert_eq!((short.text.as_str(), short.offloaded), ("x y", None), "a preview would be longer");

    let seen = store.ingest_message(&text, 2_000, AT).await.unwrap();
    let receipt = seen.offloaded.unwrap();
    assert_eq!(
        (receipt.tool.as_str(), receipt.bytes, receipt.shown),
        ("user message", text.len() as u64, seen.text.len() as u64)
    );
    // A half of the room for each end, in whole lines.
    let (head, rest) = seen.text.split_once("[… ").unwrap();
    let (note, tail) = rest.split_once("]\n").unwrap();
    assert!(text.starts_with(head) && (990..=1_000).contains(&head.len()), "{}", head.len());
    assert!(text.ends_with(tail) && (990..=1_000).contains(&tail.len()), "{}", tail.len());
    let missing = text.len() - head.len() - tail.len();
    let expected = format!(
        "{} bytes, {} lines of this message of 10,000 bytes are not shown from offset {}",
        throughline_text::group_thousands(missing as u64),
        missing / 10,
        head.len()
    );
    assert!(note.starts_with(&expected), "{note}");
    let read = store.find(&receipt.stored).await.unwrap().unwrap();
    assert_eq!(read.content, text.as_bytes());
}

#[tokio::test]
async fn another_policy_works_on_the_same_results() {
    let (_, store) = memory(OffloadPolicy::seed());
    let lower =
        OffloadPolicy { threshold_bytes: 100, head_bytes: 10, tail_bytes: 10, ..OffloadPolicy::seed() };
    let other = store.with_policy(lower);
    assert_eq!(other.policy(), &lower);
    assert_ne!(store.policy(), &lower);
    let bytes = "word ".repeat(400);
    let inline = store.ingest("grep", "c1", bytes.as_bytes(), AT).await.unwrap();
    assert_eq!(inline.offloaded, None);
    let stored = other.ingest("grep", "c1", bytes.as_bytes(), AT).await.unwrap().offloaded.unwrap().stored;
    assert!(store.find(&stored).await.unwrap().is_some());
    let exempt = other.ingest("read_result", "c2", bytes.as_bytes(), AT).await.unwrap();
    assert_eq!(exempt.offloaded, None, "what is never offloaded stays so");
}

#[tokio::test]
async fn a_failing_repository_is_an_error_and_the_fallback_is_bounded() {
    let (repository, store) = memory(OffloadPolicy::seed());
    repository.failures().fail_with("disk full");
    let large = "line\n".repeat(10_000);
    let error = store.ingest("grep", "c1", large.as_bytes(), AT).await.unwrap_err();
    assert!(matches!(error, StoreError::Other(_)));
    let text = store.inline_bounded(large.as_bytes(), 0);
    assert!(text.len() <= 4096 && text.len() > 3_500, "{}", text.len());
    assert!(text.contains("could not be stored"));
    assert!(store.ingest("grep", "c2", b"small", AT).await.is_ok(), "what stays inline needs no store");
    let read = store.read(&ReadRequest::new(ResultRef::from_text("r-1"))).await.unwrap_err();
    assert!(matches!(read, ReadError::Store(_)));
}

#[tokio::test]
async fn the_repository_is_asked_once_and_not_again_after_an_error() {
    let mut mock = MockResultRepository::new();
    mock.expect_put()
        .once()
        .withf(|put| put.session == session("s") && put.content.len() == 5_000 && put.at == AT)
        .returning(|put| Err(StoreError::Conflict(put.id.clone())));
    let store = store(Arc::new(mock), OffloadPolicy::seed());
    let error = store.ingest("grep", "c1", &[b'a'; 5000], AT).await.unwrap_err();
    assert!(matches!(error, StoreError::Conflict(_)));
}

#[tokio::test]
async fn a_stored_picture_is_shown_whole_and_any_other_result_in_pages() {
    let (_, store) = memory(OffloadPolicy::seed());
    let picture = |content: &[u8]| {
        let data = String::from_utf8_lossy(content.strip_prefix(b"picture:")?).into_owned();
        Some(Image { media_type: "image/png".to_owned(), data })
    };
    let named = |id: &ResultRef| ReadRequest::new(id.clone());
    let id = store.keep("read_file", b"picture:abcd", AT).await.unwrap();
    let shown = store.read_shown(&named(&id), picture).await.unwrap();
    assert!(matches!(shown, ShownResult::Picture(image) if image.data == "abcd"));
    let id = store.keep("shell_exec", b"text", AT).await.unwrap();
    let page = store.read(&named(&id)).await.unwrap();
    assert_eq!(store.read_shown(&named(&id), picture).await.unwrap(), ShownResult::Page(page));
    let unknown = store.read_shown(&named(&ResultRef::from_text("r-1")), picture).await;
    assert!(matches!(unknown, Err(ReadError::NotFound(_))));
}

#[tokio::test]
async fn kept_bytes_are_read_by_their_name_in_their_session_only() {
    let (repository, store) = memory(OffloadPolicy::seed());
    let id = store.keep("write", b"body", AT).await.unwrap();
    assert_eq!(store.read(&ReadRequest::new(id.clone())).await.unwrap().content, "body");
    let other = ResultStore::new(repository, session("other"), OffloadPolicy::seed(), []);
    let error = other.read(&ReadRequest::new(id.clone())).await.unwrap_err();
    assert!(matches!(&error, ReadError::NotFound(name) if *name == id));
    assert!(error.to_string().contains(id.as_str()));
}

proptest! {
    // S3-07
    #[test]
    fn every_stored_result_reads_back_whole(
        pieces in prop::collection::vec(hostile(), 0..40), window in 1_000_u64..20_000, seed in any::<bool>(),
    ) {
        let content = pieces.concat();
        let policy = if seed { OffloadPolicy::seed() } else { OffloadPolicy::for_window(window) };
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let (repository, store) = memory(policy);
            let seen = store.ingest("t", "c", &content, AT).await.unwrap();
            let whole = String::from_utf8_lossy(&content).into_owned();
            let Some(receipt) = seen.offloaded else {
                let note = seen.text.strip_prefix(&whole).unwrap();
                let kept = repository.get(&session("s"), &ResultRef::of(&session("s"), &content)).await.unwrap();
                // What cannot be shown exactly is kept exactly.
                prop_assert_eq!(kept.map(|result| result.content), std::str::from_utf8(&content).err().map(|_| content));
                prop_assert!(note.is_empty() || note.contains("ref_id="));
                return Ok(());
            };
            prop_assert!(seen.text.len() <= whole.len());
            let kept = repository.get(&session("s"), &receipt.stored).await.unwrap().unwrap();
            prop_assert_eq!(&kept.content, &content);
            let (mut all, mut next) = (String::new(), Some(0));
            while let Some(offset) = next {
                let page = store.read(&ReadRequest { offset, ..ReadRequest::new(receipt.stored.clone()) }).await.unwrap();
                all.push_str(&page.content);
                next = page.next_offset;
            }
            prop_assert_eq!(all, whole);
            Ok(())
        })?;
    }
}
