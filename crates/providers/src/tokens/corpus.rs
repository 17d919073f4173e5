//! Texts that the counters are compared on.

/// A name and a text.
pub(super) type Sample = (&'static str, String);

/// Texts that people and programs really write.
pub(super) fn real() -> Vec<Sample> {
    let given = [
        ("prose", PROSE),
        ("code", CODE),
        ("json", JSON),
        (
            "chinese",
            "模型的上下文窗口有限，因此我们把旧的工具结果移出对话，只留下一个引用。需要时可以再读回来！",
        ),
        (
            "japanese",
            "会話が長くなると、古いツールの結果は窓の外に移され、参照だけが残ります。カタカナもあります。",
        ),
        ("korean", "대화가 길어지면 오래된 도구 결과는 창 밖으로 옮겨지고 참조만 남습니다."),
        (
            "russian",
            "Когда разговор становится длинным, старые результаты инструментов уходят из окна, а ссылка остаётся.",
        ),
        ("emoji", "Done 🎉 — 👩‍👩‍👧 tests pass ✅, 🇦🇹 flags & 👍🏽 skin tones, ½ of ①②③ and x² too ﷽"),
        ("accents", "Ça dépend: l'été à Zürich, ΑΒΓ ǅungla, naïve e\u{301}tude, हिन्दी में, العربية"),
        (
            "base64",
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
        ),
        ("hex", "3f2a9c1b70de44e0d5b6f1c9a8e7d6c5b4a39281706f5e4d3c2b1a0918273645"),
        (
            "log",
            "2025-03-14T02:31:07.552Z ERROR runner: exit status 101, 2 of 913 tests failed\r\n\r\n  caused by: EIO\r\n",
        ),
    ];
    given.map(|(name, text)| (name, text.to_owned())).to_vec()
}

/// Texts that break rules of thumb: they are counted exactly all the same.
pub(super) fn hostile() -> Vec<Sample> {
    let mut samples: Vec<Sample> = [
        ("empty", ""),
        ("blanks", "  \n\n \t x\n   \r\n\u{a0}\u{3000} y  "),
        ("contractions", "I'LL they'Re we'vE 's 'S'd 'r 're'really 'l 'll don'ſ A'B '' ' "),
        ("cases", "fooBar HTMLPage XMLhttp 中A中AA中Aa ABC中 中ABC AAA'S ǅǅa ªº ʰx"),
        ("slashes", "http://a/b//c/\n/x ///\r\n/ +/\n//"),
        ("special tokens", "<|endoftext|><|im_start|>user<|fim_prefix|>"),
        ("digits", "1 12 123 1234 12345² ٣٤٥٦ Ⅷ½"),
        ("control", "\0\u{1}a\u{7f}b\u{feff}c\u{200d}d\u{e000}e\u{10ffff}"),
    ]
    .map(|(name, text)| (name, text.to_owned()))
    .to_vec();
    for (name, c) in
        [("= run", '='), ("- run", '-'), ("letter run", 'a'), ("blank run", ' '), ("mark run", '\u{301}')]
    {
        for length in [63, 64, 65, 200, 639, 640, 1_000, 2_500] {
            let run: String = std::iter::repeat_n(c, length).collect();
            samples.push((name, run.clone()));
            samples.push((name, format!("x{run}|{run}\n y")));
        }
    }
    samples
}

const PROSE: &str = "A long conversation with a model grows at its end. Every answer adds a little, every tool \
    result adds a lot -- and sooner or later the window is full. What's left? It's \"reference #12\", we'll see.";

const CODE: &str = "impl<'a> Iterator for Pieces<'a> {\n    type Item = &'a str;\n\n\tfn next(&mut self) -> Option<Self::Item> {\n        \
    if self.at >= MAX_LEN_2 { return None; } // done\n        Some(&self.text[self.at..=self.at + 0x1F])\n    }\n}\n#![allow(dead_code)]\n";

const JSON: &str = "{\"id\": 4711, \"name\": \"nightly\", \"ok\": true, \"steps\": [{\"run\": \"cargo test --workspace\", \
    \"timeout\": 900.5e-3}, null],\n \"path\": \"C:\\\\tmp\\\\x\", \"u\": \"\\u00e9\"}\n";
