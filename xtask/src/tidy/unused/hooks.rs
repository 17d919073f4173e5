//! Public items that only tests or generated code use, and why they are public all the same.

/// The crate, the item, and the reason.
pub(super) const HOOKS: &[(&str, &str, &str)] = &[
    ("store", "Relation", "sea-orm's derive asks each entity for an enum of this name"),
    ("git", "with_program", "tests give the probe a program that hangs, fails or prints too much"),
    ("agent", "advance", "tests move the manual clock"),
    ("completion", "request_count", "tests count what reached a scripted model"),
    ("failpoint", "fail_next", "tests make the next call of an in-memory store fail"),
    ("failpoint", "fail_with", "tests make an in-memory store fail"),
    ("failpoint", "recover", "tests end the failure that `fail_with` began"),
    ("memory", "InMemoryMemory", "the fake of the port: it runs the same contract suite as the adapter"),
    (
        "continuity",
        "InMemorySessionDirectory",
        "the fake of the port: it runs the same contract suite as the adapter",
    ),
    ("throughline", "model_port", "embedders bring a model of their own; the binary names its models"),
    (
        "throughline",
        "built_in_tools",
        "embedders choose the tools by the builder; the binary has arguments for it",
    ),
    ("continuity", "damage", "tests read a record that was damaged after it was written"),
    ("replay", "replay_external", "the benchmarks run compactors of other frameworks by it"),
    (".", "NativeEngine", "JavaScript makes it, through the code that napi writes"),
];
