//! The words, and what the field says.

/// Words or phrases in lower case, and what to write.
type Row = (&'static [&'static str], &'static str);

/// A phrase that starts with `fn:` counts as the first words of the docs of a function, one that starts with `doc:` as those of
/// any other item.
pub(super) const TABLE: &[Row] = &[
    (&["mend", "mends", "mended", "mending", "mender"], "fix or repair"),
    (&["told", "tells on"], "reported, logged, shown or rendered"),
    (&["anew"], "again, or what is repeated"),
    (
        &["whoever", "nobody", "those who", "who asks", "who looks", "who calls"],
        "the caller, the user or the type",
    ),
    (&["held back", "hold back", "holds back", "holding back"], "deferred, withheld or buffered"),
    (&["stands for", "stand for", "stood for", "standing for"], "means or represents"),
    (
        &["stands in", "stand in", "stood in", "standing in", "standin", "stand ins"],
        "is in, replaces or placeholder",
    ),
    (&["taken back", "takes back", "take back", "took back", "taking back"], "undone, reverted or accepted"),
    (&["there and back"], "round trip"),
    (&["is none", "was none"], "is not one, or what is missing"),
    (&["goes on", "go on", "went on", "going on"], "continues"),
    (
        &[
            "as it is",
            "as it was",
            "as it stands",
            "as it stood",
            "as they are",
            "as they were",
            "as they stand",
        ],
        "unchanged or verbatim",
    ),
    (&["aside"], "in the background, separately or except"),
    (&["beside"], "next to or alongside"),
    (&["opportune", "good moment"], "early"),
    (&["for good"], "permanently"),
    (&["not there"], "missing"),
    (&["its way"], "what it does"),
    (
        &["in the place of", "takes the place of", "take the place of", "took the place of"],
        "instead of or replaces",
    ),
    (&["what was said", "said so"], "the message, the answer or configured"),
    (&["so many"], "this many, up to N, or the name of the argument"),
    (&["the usual way"], "what it does instead, by name"),
    (&["doc: most"], "`Maximum …` with the unit"),
    (&["fn: whether"], "`Returns true if …`"),
];
