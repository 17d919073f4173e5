//! The contracts of [`FileIndex`] and [`MemorySearch`].

use super::{chunk, clear, draft, file, found};
use crate::files::MemoryFile;
use crate::index::{FileIndex, MemoryHit, MemorySearch};
use crate::notes::NoteRepository;
use crate::query::{Kinds, Query};
use crate::scope::Scope;

/// A file is replaced as a whole, and nothing of what it had is found any more.
pub async fn contract_files_are_replaced_and_forgotten(index: &dyn FileIndex, search: &dyn MemorySearch) {
    let (one, two, user) =
        (file("/w/MEMORY.md", Some("/w")), file("/v/MEMORY.md", Some("/v")), file("/u.md", None));
    index.replace(&one, &[chunk(1, "walrus habits"), chunk(3, "walrus food")]).await.expect("replace");
    index.replace(&two, &[chunk(1, "walrus of another folder")]).await.expect("replace");
    index.replace(&user, &[]).await.expect("a file without chunks");
    let scope = Scope::folder("/w");
    assert_eq!(index.known(&scope).await.expect("known"), [user.clone(), one.clone()], "by path");
    assert_eq!(index.known(&Scope::All).await.expect("known").len(), 3);
    assert_eq!(found(search, "walrus", &scope).await, ["walrus habits", "walrus food"]);
    let changed = MemoryFile { stamp: "2".to_owned(), ..one.clone() };
    index.replace(&changed, &[chunk(7, "penguin food")]).await.expect("replace");
    assert_eq!(index.known(&scope).await.expect("known"), [user, changed]);
    assert_eq!(found(search, "walrus", &scope).await, Vec::<String>::new());
    let hits = search.search(&Query::of("penguin", Kinds::Files), &scope, 5).await.expect("search");
    assert_eq!(hits, [MemoryHit::Chunk { name: one.name.clone(), chunk: chunk(7, "penguin food") }]);
    for path in ["/w/MEMORY.md", "/v/MEMORY.md", "/u.md", "/never/there.md"] {
        index.forget(path).await.expect("forget");
    }
    assert_eq!(index.known(&Scope::All).await.expect("known"), []);
    assert_eq!(found(search, "penguin walrus", &Scope::All).await, Vec::<String>::new());
}

/// One matching word is enough; more and rarer ones rank higher; kinds and scopes are separate.
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
    let elsewhere = Scope::folder("/elsewhere");
    assert_eq!((of(Kinds::Memos, &Scope::All).await, of(Kinds::Files, &Scope::All).await), (1, 1));
    assert_eq!((of(Kinds::All, &elsewhere).await, of(Kinds::All, &Scope::folder("/w")).await), (0, 2));
    let subfolder = Scope::Project { root: "/w".to_owned(), folder: "/w/sub".to_owned() };
    assert_eq!(of(Kinds::All, &subfolder).await, 1, "the memos of the project, not the files of its root");
    let project = Scope::Project { root: "/".to_owned(), folder: "/w".to_owned() };
    assert_eq!(of(Kinds::All, &project).await, 2, "the memos and the files of the folder");
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
