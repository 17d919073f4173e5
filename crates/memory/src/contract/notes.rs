//! The contract of [`NoteRepository`].

use throughline_conversation::{ExchangeId, Millis, SessionId};

use super::{clear, draft, names, texts};
use crate::index::MemorySearch;
use crate::memo::{Memo, MemoDraft, MemoOrigin};
use crate::memo_id::MemoId;
use crate::notes::{MemoFilter, NoteError, NoteRepository, Removal};
use crate::query::{Kinds, Query};
use crate::scope::Scope;

/// Equal content is stored once, and only its tags grow.
pub async fn contract_memos_are_kept_once(notes: &dyn NoteRepository) {
    let first = draft("WAL is on", &["db"], None, 10);
    let saved = notes.save(&first).await.expect("save");
    assert!(saved.new, "the first is new");
    assert_eq!(saved.memo, first.named(saved.memo.id.clone()), "it is stored unchanged");
    let same = notes.save(&draft("WAL is on", &["db"], None, 20)).await.expect("save again");
    assert_eq!((same.new, &same.memo), (false, &saved.memo), "nothing new, nothing changed");
    let more = notes.save(&draft("WAL is on", &["sqlite"], None, 30)).await.expect("save with another tag");
    let merged = Memo { tags: texts(&["db", "sqlite"]), updated: Millis(30), ..saved.memo.clone() };
    assert_eq!((more.new, &more.memo), (false, &merged), "the tag was added");
    assert_eq!(notes.list(&MemoFilter::of(Scope::All)).await.expect("list"), [merged]);
    clear(notes).await;
}

/// One text may be true of two folders; each has its own memo and does not see the other's.
pub async fn contract_memos_of_one_workspace_are_apart(notes: &dyn NoteRepository) {
    let mut ids = Vec::new();
    for workspace in [None, Some("/a"), Some("/b")] {
        let saved = notes.save(&draft("uses tabs", &[], workspace, 10)).await.expect("save");
        assert!(saved.new, "new for {workspace:?}");
        ids.push(saved.memo.id);
    }
    let mut seen = names(notes, &MemoFilter::of(Scope::folder("/a"))).await;
    seen.sort();
    let mut own: Vec<MemoId> = ids.iter().take(2).cloned().collect();
    own.sort();
    assert_eq!(seen, own, "its own and the one of no folder");
    for (root, folder) in [("/a", "/a/sub"), ("/", "/a")] {
        let scope = Scope::Project { root: root.to_owned(), folder: folder.to_owned() };
        let mut seen = names(notes, &MemoFilter::of(scope)).await;
        seen.sort();
        assert_eq!(seen, own, "memos of the project's root and of the folder: {root}, {folder}");
    }
    assert_eq!(names(notes, &MemoFilter::of(Scope::All)).await.len(), 3);
    clear(notes).await;
}

/// Names are the first free ones of the draft.
pub async fn contract_names_are_short_and_free(notes: &dyn NoteRepository) {
    let mut seen = Vec::new();
    for number in 0..300 {
        let draft = draft(&format!("fact {number}"), &[], None, number);
        let expected = draft.names().find(|id| !seen.contains(id)).expect("an endless supply");
        let saved = notes.save(&draft).await.expect("save");
        assert_eq!(saved.memo.id, expected, "not the first free name");
        seen.push(saved.memo.id);
    }
    clear(notes).await;
}

/// Content, tags and time of change; nothing else, and nothing at all when it fails.
pub async fn contract_update_changes_what_it_says(notes: &dyn NoteRepository) {
    let one = notes.save(&draft("one", &["a"], Some("/w"), 10)).await.expect("save").memo;
    let two = notes.save(&draft("two", &["b"], Some("/w"), 11)).await.expect("save").memo;
    let change = draft("one and a half", &["c"], None, 20);
    let updated = notes.update(&one.id, &change).await.expect("update");
    let expected = Memo { content: change.content, tags: change.tags, updated: Millis(20), ..one.clone() };
    assert_eq!(updated, expected, "more or less than asked was changed");
    assert_eq!(notes.list(&MemoFilter::named(one.id.clone())).await.expect("list"), [updated]);
    let taken = notes.update(&one.id, &draft("two", &[], None, 30)).await.expect_err("two says it");
    assert!(matches!(&taken, NoteError::Taken(id) if *id == two.id), "{taken:?}");
    let missing = MemoId::from_text("m-missing");
    let unknown = notes.update(&missing, &draft("x", &[], None, 30)).await.expect_err("the memo is missing");
    assert!(matches!(&unknown, NoteError::Unknown(id) if *id == missing), "{unknown:?}");
    assert_eq!(notes.list(&MemoFilter::named(one.id.clone())).await.expect("list"), [expected]);
    let itself =
        notes.update(&two.id, &draft("two", &["d"], None, 40)).await.expect("its own content is not taken");
    assert_eq!(itself.tags, ["d"]);
    clear(notes).await;
}

/// Newest change first; any of the tags; no more than the limit.
pub async fn contract_list_filters_and_orders(notes: &dyn NoteRepository) {
    let mut all = Vec::new();
    for (text, tags, at) in
        [("a", ["x", "y"], 10), ("b", ["y", "z"], 30), ("c", ["a_b", "x"], 20), ("d", ["q", "r"], 20)]
    {
        all.push(notes.save(&draft(text, &tags, None, at)).await.expect("save").memo);
    }
    all.sort_by(|a, b| b.updated.cmp(&a.updated).then_with(|| a.id.cmp(&b.id)));
    let filter = MemoFilter::of(Scope::All);
    assert_eq!(notes.list(&filter).await.expect("list"), all, "newest first, then by name");
    let limited = notes.list(&MemoFilter { limit: 2, ..filter.clone() }).await.expect("list");
    assert_eq!(Some(limited.as_slice()), all.get(..2));
    let contents = async |tags: &[&str]| {
        let memos = notes.list(&MemoFilter { tags: texts(tags), ..filter.clone() }).await.expect("list");
        memos.into_iter().map(|memo| memo.content).collect::<Vec<_>>()
    };
    assert_eq!(contents(&["x"]).await, ["c", "a"]);
    assert_eq!(contents(&["y", "q"]).await, ["b", "d", "a"]);
    assert!(contents(&["nothing", "%", "a%b", "x y"]).await.is_empty(), "a tag is compared whole");
    clear(notes).await;
}

/// By name, by exchange, by session; from the search too.
pub async fn contract_removed_memos_are_gone(notes: &dyn NoteRepository, search: &dyn MemorySearch) {
    let session = |name: &str| SessionId::new(name).expect("a name");
    let of = |text: &str, name: &str, exchange: u64| {
        let origin = MemoOrigin {
            workspace: None,
            session: Some(session(name)),
            exchange: Some(ExchangeId(exchange)),
        };
        MemoDraft::new(text, &["gone"], origin, Millis(exchange.cast_signed())).expect("a memo")
    };
    let mut ids = Vec::new();
    for (text, name, exchange) in
        [("p", "s1", 1), ("q", "s1", 2), ("r", "s1", 2), ("s", "s2", 2), ("t", "s2", 3)]
    {
        ids.push(notes.save(&of(text, name, exchange)).await.expect("save").memo.id);
    }
    let remove = async |removal: Removal| {
        let mut gone = notes.remove(&removal).await.expect("remove");
        gone.sort();
        gone
    };
    let expected = |places: &[usize]| {
        let mut expected: Vec<MemoId> = places.iter().filter_map(|at| ids.get(*at).cloned()).collect();
        expected.sort();
        expected
    };
    assert_eq!(remove(Removal::Exchange(session("s1"), ExchangeId(2))).await, expected(&[1, 2]));
    assert_eq!(remove(Removal::Exchange(session("s1"), ExchangeId(2))).await, [], "there are none any more");
    let first = expected(&[0]);
    assert_eq!(remove(Removal::Memo(first.first().cloned().expect("a name"))).await, first);
    let query = Query::of("gone", Kinds::All);
    assert_eq!(search.search(&query, &Scope::All, 9).await.expect("search").len(), 2, "the others are found");
    assert_eq!(remove(Removal::Session(session("s2"))).await, expected(&[3, 4]));
    assert_eq!(search.search(&query, &Scope::All, 9).await.expect("search"), [], "and gone from the search");
    let again = notes.save(&of("p", "s3", 9)).await.expect("save");
    assert!(again.new, "what was removed may be saved again");
    clear(notes).await;
}
