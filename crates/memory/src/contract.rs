//! What every implementation of the memory's ports must do, as tests that any of them runs.
//!
//! [`contract_memory`] takes one object for each port; all three must look at the same, empty memory.

#![expect(clippy::expect_used, reason = "a suite of tests fails by panicking")]

use throughline_conversation::{ExchangeId, Millis, SessionId};

use crate::{
    Chunk, Draft, FileIndex, Hit, Kinds, Memo, MemoFilter, MemoId, MemoOrigin, MemoryFile, MemorySearch,
    NoteError, NoteRepository, Query, Removal, Scope,
};

/// Runs the whole suite over an empty memory. It is empty again at the end.
pub async fn contract_memory(notes: &dyn NoteRepository, index: &dyn FileIndex, search: &dyn MemorySearch) {
    contract_memos_are_kept_once(notes).await;
    contract_memos_of_one_workspace_are_apart(notes).await;
    contract_names_are_short_and_free(notes).await;
    contract_update_changes_what_it_says(notes).await;
    contract_list_filters_and_orders(notes).await;
    contract_removed_memos_are_gone(notes, search).await;
    contract_files_are_replaced_and_forgotten(index, search).await;
    contract_search_finds_words_and_ranks_them(notes, index, search).await;
    contract_search_never_fails(search).await;
}

/// Equal content is kept once, and only its tags grow.
pub async fn contract_memos_are_kept_once(notes: &dyn NoteRepository) {
    let first = draft("WAL is on", &["db"], None, 10);
    let saved = notes.save(&first).await.expect("save");
    assert!(saved.new, "the first is new");
    assert_eq!(saved.memo, first.named(saved.memo.id.clone()), "it is kept as it was written");
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
    let mut seen = names(notes, &MemoFilter::of(Scope::Workspace("/a".to_owned()))).await;
    seen.sort();
    let mut own: Vec<MemoId> = ids.iter().take(2).cloned().collect();
    own.sort();
    assert_eq!(seen, own, "its own and the one of no folder");
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
    let nobody = MemoId::from_text("m-nobody");
    let unknown = notes.update(&nobody, &draft("x", &[], None, 30)).await.expect_err("there is none");
    assert!(matches!(&unknown, NoteError::Unknown(id) if *id == nobody), "{unknown:?}");
    assert_eq!(notes.list(&MemoFilter::named(one.id.clone())).await.expect("list"), [expected]);
    let itself =
        notes.update(&two.id, &draft("two", &["d"], None, 40)).await.expect("its own content is not taken");
    assert_eq!(itself.tags, ["d"]);
    clear(notes).await;
}

/// Newest change first; any of the tags; at most so many.
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
        Draft::new(text, &["gone"], origin, Millis(exchange.cast_signed())).expect("a memo")
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

/// A file is replaced as a whole, and nothing of what it had is found any more.
pub async fn contract_files_are_replaced_and_forgotten(index: &dyn FileIndex, search: &dyn MemorySearch) {
    let (one, two, user) =
        (file("/w/MEMORY.md", Some("/w")), file("/v/MEMORY.md", Some("/v")), file("/u.md", None));
    index.replace(&one, &[chunk(1, "walrus habits"), chunk(3, "walrus food")]).await.expect("replace");
    index.replace(&two, &[chunk(1, "walrus of another folder")]).await.expect("replace");
    index.replace(&user, &[]).await.expect("a file without chunks");
    let scope = Scope::Workspace("/w".to_owned());
    assert_eq!(index.known(&scope).await.expect("known"), [user.clone(), one.clone()], "by path");
    assert_eq!(index.known(&Scope::All).await.expect("known").len(), 3);
    assert_eq!(found(search, "walrus", &scope).await, ["walrus habits", "walrus food"]);
    let changed = MemoryFile { stamp: "2".to_owned(), ..one.clone() };
    index.replace(&changed, &[chunk(7, "penguin food")]).await.expect("replace");
    assert_eq!(index.known(&scope).await.expect("known"), [user, changed]);
    assert_eq!(found(search, "walrus", &scope).await, Vec::<String>::new());
    let hits = search.search(&Query::of("penguin", Kinds::Files), &scope, 5).await.expect("search");
    assert_eq!(hits, [Hit::Chunk { name: one.name.clone(), chunk: chunk(7, "penguin food") }]);
    for path in ["/w/MEMORY.md", "/v/MEMORY.md", "/u.md", "/never/there.md"] {
        index.forget(path).await.expect("forget");
    }
    assert_eq!(index.known(&Scope::All).await.expect("known"), []);
    assert_eq!(found(search, "penguin walrus", &Scope::All).await, Vec::<String>::new());
}

/// One word is enough; more and rarer ones come first; kinds and scopes are kept apart.
pub async fn contract_search_finds_words_and_ranks_them(
    notes: &dyn NoteRepository,
    index: &dyn FileIndex,
    search: &dyn MemorySearch,
) {
    let texts = [
        "the cache is written behind every request and never before it",
        "the cache is cold after a model switch",
        "the cache key holds max_tokens and the model",
        "日本語の設定は config にある",
    ];
    for (at, text) in (0..).zip(texts) {
        notes.save(&draft(text, &["caching"], None, at)).await.expect("save");
    }
    notes.save(&draft("unrelated to the rest", &["zebra"], Some("/w"), 9)).await.expect("save");
    index
        .replace(
            &file("/w/MEMORY.md", Some("/w")),
            &[chunk(4, "a zebra crossing, seen once in a long text of words")],
        )
        .await
        .expect("replace");
    let first = async |query: &str| found(search, query, &Scope::All).await.into_iter().next();
    assert_eq!(first("cold cache").await.as_deref(), Some("the cache is cold after a model switch"));
    assert_eq!(first("maxTokens").await.as_deref(), Some("the cache key holds max_tokens and the model"));
    assert_eq!(first("設定").await.as_deref(), Some("日本語の設定は config にある"));
    assert_eq!(
        found(search, "zebras", &Scope::All).await,
        ["unrelated to the rest", "a zebra crossing, seen once in a long text of words"],
        "a tag counts for more than a word of a text"
    );
    let of = async |kinds: Kinds, scope: &Scope| {
        search.search(&Query::of("zebra", kinds), scope, 9).await.expect("search").len()
    };
    let elsewhere = Scope::Workspace("/elsewhere".to_owned());
    assert_eq!((of(Kinds::Memos, &Scope::All).await, of(Kinds::Files, &Scope::All).await), (1, 1));
    assert_eq!(
        (of(Kinds::All, &elsewhere).await, of(Kinds::All, &Scope::Workspace("/w".to_owned())).await),
        (0, 2)
    );
    assert_eq!(
        found(search, "the of and", &Scope::All).await,
        Vec::<String>::new(),
        "words that stand everywhere"
    );
    assert_eq!(
        search.search(&Query::of("cache", Kinds::All), &Scope::All, 2).await.expect("search").len(),
        2
    );
    assert_eq!(search.search(&Query::of("cache", Kinds::All), &Scope::All, 0).await.expect("search"), []);
    index.forget("/w/MEMORY.md").await.expect("forget");
    clear(notes).await;
}

/// Whatever a person, a model or a mistake writes as a question.
pub async fn contract_search_never_fails(search: &dyn MemorySearch) {
    let long = "long words (and \"quotes\") ".repeat(400);
    for text in [
        "",
        " ",
        "-",
        "a-b",
        "NOT",
        "a AND",
        "OR",
        "NEAR(a b)",
        "(",
        ")",
        "\"",
        "'",
        "*",
        "a*",
        "^a",
        "content:a",
        "{a b}: c",
        "'; DROP TABLE llm_memos; --",
        "%_\\",
        "\0",
        "a\0b",
        "🎉",
        "👩\u{200d}👩",
        "\u{202e}abc",
        "e\u{301}",
        "日本語",
        "+ - , . :",
        "memory_fts",
        "x'00'",
        "1e999",
        &long,
    ] {
        for kinds in [Kinds::All, Kinds::Memos, Kinds::Files] {
            let found = search.search(&Query::of(text, kinds), &Scope::All, 3).await;
            assert!(found.is_ok(), "{text:?}: {found:?}");
        }
    }
}

async fn clear(notes: &dyn NoteRepository) {
    for id in names(notes, &MemoFilter::of(Scope::All)).await {
        notes.remove(&Removal::Memo(id)).await.expect("remove");
    }
}

async fn names(notes: &dyn NoteRepository, filter: &MemoFilter) -> Vec<MemoId> {
    notes.list(filter).await.expect("list").into_iter().map(|memo| memo.id).collect()
}

async fn found(search: &dyn MemorySearch, query: &str, scope: &Scope) -> Vec<String> {
    let text = |hit| match hit {
        Hit::Memo(memo) => memo.content,
        Hit::Chunk { chunk, .. } => chunk.text,
    };
    let mut hits = search.search(&Query::of(query, Kinds::All), scope, 9).await.expect("search");
    let again = search.search(&Query::of(query, Kinds::All), scope, 9).await.expect("search");
    assert_eq!(hits, again, "the same question has another answer");
    hits.drain(..).map(text).collect()
}

fn draft(content: &str, tags: &[&str], workspace: Option<&str>, at: i64) -> Draft {
    let origin = MemoOrigin { workspace: workspace.map(str::to_owned), ..MemoOrigin::default() };
    Draft::new(content, tags, origin, Millis(at)).expect("a memo")
}

fn texts(list: &[&str]) -> Vec<String> {
    list.iter().map(|text| (*text).to_owned()).collect()
}

fn file(path: &str, workspace: Option<&str>) -> MemoryFile {
    MemoryFile {
        path: path.to_owned(),
        name: "MEMORY.md".to_owned(),
        workspace: workspace.map(str::to_owned),
        stamp: "1".to_owned(),
    }
}

fn chunk(line: u64, text: &str) -> Chunk {
    Chunk { first_line: line, last_line: line, text: text.to_owned() }
}
