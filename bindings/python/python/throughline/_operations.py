"""Operations of a context: fields that are required, others, what it does. And the types of outputs. Written by stubs.py."""

OPERATIONS = {
    "close": (
        (),
        ("forget",),
        "Writes what is pending and closes the context. Its session stays, also in memory.",
    ),
    "user": (
        ("text",),
        ("images",),
        "Begins a turn with a message of the user.",
    ),
    "next_request": (
        (),
        (),
        "The request that the model answers next, as a body of the context's API, or the question for a summary that is needed first.",
    ),
    "answer": (
        ("request", "body"),
        (),
        "Takes the answer to a request. Calls of the engine's own tools are answered here.",
    ),
    "answer_stream": (
        ("request", "stream"),
        (),
        "Takes the answer to a request that came as a stream.",
    ),
    "results": (
        ("results",),
        (),
        "Takes the results of all calls of an answer. Large ones are stored, and shown in part.",
    ),
    "refused": (
        ("request", "body"),
        ("status", "retry_after"),
        "The request got no answer. After an overflow the view is compacted; pictures that the provider rejects are left out.",
    ),
    "cancelled": (
        ("request",),
        ("text",),
        "The caller has stopped the request. The turn ends.",
    ),
    "summary": (
        ("id", "text"),
        ("model",),
        "Gives the summary that a request of the kind `summary` asks for.",
    ),
    "no_summary": (
        ("id",),
        (),
        "Declines a summary: it is extracted from the messages.",
    ),
    "sync": (
        ("messages",),
        ("known", "usage"),
        "Takes over the caller's list of messages, and says which of them the next request is made of. The same list again changes nothing. A list that ends with the model's message is taken over, and the error `nothing_to_answer` says so.",
    ),
    "offload": (
        ("call", "name", "text"),
        ("input", "is_error"),
        "Stores the result of a call, if it is large, and gives the text that the caller's list is to have in its place. For callers of `sync` that can replace a result as soon as the tool has ended.",
    ),
    "call": (
        ("name",),
        ("input",),
        "Runs one of the engine's own tools, for callers that run every call themselves.",
    ),
    "compact": (
        (),
        ("instructions", "previewed"),
        "Compacts now.",
    ),
    "preview": (
        (),
        ("instructions",),
        "Makes a compaction and does not apply it.",
    ),
    "undo": (
        (),
        ("what",),
        "Hides the newest turn, or undoes the newest compaction.",
    ),
    "redo": (
        (),
        ("what",),
        "Shows the turn that was undone last, or redoes the compaction that was undone last.",
    ),
    "pin": (
        (),
        ("turn", "record", "part", "text"),
        "Keeps a text in every request, word for word: all of a turn, or a part of a message, or a span of text in either.",
    ),
    "unpin": (
        ("pin",),
        (),
        "Removes a pin.",
    ),
    "documents": (
        (),
        (),
        "STATE and the scratchpad.",
    ),
    "set_documents": (
        (),
        ("state", "scratchpad"),
        "Replaces STATE or the scratchpad, or both.",
    ),
    "report": (
        (),
        ("most",),
        "What fills the window, and what a compaction would do.",
    ),
    "handoff": (
        (),
        (),
        "What another agent or session needs to continue.",
    ),
    "state": (
        (),
        (),
        "Where the context stands.",
    ),
    "receipts": (
        (),
        ("most",),
        "The receipts of the newest requests: what was decided, and why.",
    ),
}

RECORDS = (
    "Call",
    "Tool",
    "Opened",
    "AnswerOutput",
    "RefusedOutput",
    "Reference",
    "Breakpoint",
    "Notice",
    "SyncOutput",
    "OffloadOutput",
    "CallOutput",
    "CompactOutput",
    "UndoOutput",
    "PinOutput",
    "DocumentsOutput",
    "Window",
    "Holder",
    "Pin",
    "ReportOutput",
    "HandoffOutput",
    "StateOutput",
    "ReceiptsOutput",
)
"""The types of outputs: each is a `Record`."""
