// Written by tests/operations.rs from the table of operations. Do not edit.

/** What every operation takes besides its input. */
export interface CallOptions {
  /** A repeated call with the same key changes nothing and returns what the first one has returned. Keys of user, answer, answerStream and results hold over a restart, those of other operations while the context is open. */
  key?: string
}

/** What went wrong. */
export type ErrorCode =
  /** There is no operation of this name. */
  | 'unknown_operation'
  /** A field of the input is unknown, missing or of another type. */
  | 'invalid_input'
  /** No context of this id is open. */
  | 'unknown_context'
  /** A context of this id is open already. */
  | 'already_open'
  /** Another process has the session open. */
  | 'held'
  /** The model is in no table, and the input does not say its window. */
  | 'unknown_model'
  /** A setting does not fit the window or the others. */
  | 'invalid_settings'
  /** The session could not be read or written. */
  | 'storage'
  /** The key was used for another operation. */
  | 'key_reused'
  /** No request is open. */
  | 'no_request'
  /** Another request is open. */
  | 'other_request'
  /** A request waits for its answer. */
  | 'request_open'
  /** Calls wait for their results. */
  | 'calls_open'
  /** No call of this id waits for a result. */
  | 'unknown_call'
  /** No summary of this number was asked for. */
  | 'unknown_summary'
  /** A summary was asked for and is neither given nor declined. */
  | 'summary_open'
  /** The model has nothing to answer. */
  | 'nothing_to_answer'
  /** The body is no answer of the context's wire form. */
  | 'invalid_answer'
  /** The body is an error of the provider: give it to `refused`. */
  | 'provider_error'
  /** The list of messages cannot be taken. */
  | 'invalid_message'
  /** The end of the list cannot be taken without its start: hand over the whole list. */
  | 'whole_list_needed'
  /** The turn has ended: the model failed. */
  | 'model_failed'
  /** The turn has ended: content that may not be cut does not fit the window. */
  | 'does_not_fit'
  /** The turn has ended: the request would break the provider's rules and was not returned. */
  | 'invalid_request'
  /** The turn has ended: it reached a limit. */
  | 'limit_reached'
  /** Records of the session cannot be stored: the turn has ended, or the context is not closed. */
  | 'unsaved'
  /** A compaction would gain too little. */
  | 'nothing_to_gain'
  /** Compactions are paused after failures. */
  | 'paused'
  /** A compaction failed, and nothing has changed. */
  | 'compaction_failed'
  /** The session has changed since the compaction was previewed, or none was. */
  | 'outdated'
  /** The change is not possible in this session. */
  | 'not_possible'
  /** The engine has no tool of this name. */
  | 'unknown_tool'

/** What the caller does after a refusal. */
export type AfterRefusal = "request" | "elsewhere" | "final";

/** What a body depends on besides the request. */
export type BodyOptions = {
  /** Bodies ask for a stream. */
  stream?: boolean;
  /** The server is not the provider's own: llama.cpp, vLLM, a gateway. For the two APIs of OpenAI. */
  compatible?: boolean;
  /** Maximum tokens of thinking, for Anthropic and Gemini. */
  thinking_tokens?: number | null;
};

/** How long a prefix is stored, as Anthropic's API writes it. */
export type CacheLifetime = "5m" | "1h";

/** What a prefix ends with. */
export type CachePlace = "tools" | "system" | "messages";

/** The end of a prefix that the prompt cache is asked to store. */
export type CachePoint = {
  /** What the prefix ends with. */
  place: CachePlace;
  /** With `messages`: how many messages of the request, as `references` lists them, are in the prefix. Otherwise 0. */
  messages: number;
  /** How long it is stored. */
  lifetime: CacheLifetime;
};

/** A call that the caller runs. */
export type Call = {
  /** Its id, which the result repeats. */
  id: string;
  /** The tool. */
  name: string;
  /** The arguments. */
  input: Record<string, unknown>;
};

/** The result of a call. */
export type CallResult = {
  /** The id of the call. */
  call: string;
  /** What the tool has put out. */
  text: string;
  /** Pictures in it. */
  images?: Picture[];
  /** The call failed. */
  is_error?: boolean;
};

/** Where a context stands. Besides the calls it holds no word of the conversation. */
export type ContextState = {
  /** The model, as `provider/model`. */
  model: string;
  /** What it waits for. */
  waits_for: Waits;
  /** The request or the summary that it waits for. */
  id: number | null;
  /** The calls whose results it waits for. */
  calls: Call[];
  /** Number of the newest turn. */
  turn: number;
  /** Requests so far. */
  requests: number;
  /** Messages in view. */
  messages: number;
  /** How full the window is. */
  window: WindowUse;
  /** Records that are not written yet. */
  unwritten: number;
};

/** An operation, as the table has it. */
export type DescribedOperation = {
  /** Its name. */
  name: string;
  /** What it does. */
  about: string;
  /** The JSON schema of its input, with `context` and `key`. */
  input: Record<string, unknown>;
  /** The JSON schema of its output. */
  output: Record<string, unknown>;
  /** The codes of the errors that it may return. */
  errors: ErrorCode[];
};

/** A component of the request. */
export type Holder = {
  /** What it is. */
  what: string;
  /** The record that it comes from. */
  record: number | null;
  /** Its tokens. */
  tokens: number;
};

/** An open context, in a list. */
export type ListedContext = {
  /** Its id. */
  context: string;
  /** Where it stands; none while an operation runs. */
  state: ContextState | null;
};

/** A message in the form of the context's API. */
export type ListedMessage = Record<string, unknown>;

/** Something that the caller of a context should know. */
export type Notice = {
  /** What it is about. */
  kind: NoticeKind;
  /** A sentence for people. */
  text: string;
};

/** What a notice is about. */
export type NoticeKind = "notice" | "degraded" | "compacted" | "not_compacted";

/** A picture. */
export type Picture = {
  /** For example `image/png`. */
  media_type: string;
  /** The bytes in base64. */
  data: string;
};

/** Messages of a request, in terms of the caller's list. */
export type Reference = {
  kind: "given";
  /** The first place, from 0. */
  from: number;
  /** The place behind the last one. */
  to: number;
} | {
  kind: "changed";
  /** The first place, from 0. */
  from: number;
  /** The place behind the last one. */
  to: number;
  /** What replaces them. */
  messages: ListedMessage[];
  /** Their texts, and the contents of their results, in order. */
  texts: string[];
} | {
  kind: "made";
  /** The messages. */
  messages: ListedMessage[];
  /** Their texts, in order. */
  texts: string[];
};

/** A text that stays word for word while its turn is not hidden. */
export type ReportedPin = {
  /** Its number, for `unpin`. */
  pin: number;
  /** The turn that it is from. */
  turn: number;
  /** The records of its messages. */
  records: number[];
  /** Its tokens. */
  tokens: number;
  /** Its texts. */
  texts: string[];
};

/** What the caller sends. */
export type Sends = "request" | "summary";

/** Settings in place of a policy's own. */
export type SettingsChanges = {
  /** Where the pressure is `warning`: `95%effective` of the window without the answer, `90%window`, tokens in use such as `80000`, tokens left such as `-20000`, or `off`. */
  warn_at?: string | null;
  /** Where the window is compacted, in the same form. */
  compact_at?: string | null;
  /** Bytes above which a result is stored and shown in part. */
  offload_bytes?: number | null;
  /** Share of the window that descriptions of tools may take, from 0 to 1. */
  tools_share?: number | null;
};

/** What the caller does after an answer or after results. */
export type Then = "calls" | "request" | "finished";

/** What the provider reported for one request, in tokens. The three figures of input do not overlap. */
export type TokenUsage = {
  /** Input that was neither read from the prompt cache nor written to it. */
  input?: number;
  /** Input that was read from the prompt cache. */
  cache_read?: number;
  /** Input that was written to the prompt cache. */
  cache_write?: number;
  /** Output. */
  output?: number;
};

/** A tool that the model may call. */
export type Tool = {
  /** Its name: letters, digits, `_` and `-`, at most 64. A tool with another name is in no request, and a notice says so. */
  name: string;
  /** What it does and when to call it. */
  description: string;
  /** JSON schema of its arguments, an object schema. */
  input_schema: Record<string, unknown>;
  /** Whether its description may be left out until the model searches for it, where descriptions take too much room. */
  deferrable?: boolean;
};

/** What is undone or redone. */
export type Undoable = "turn" | "compaction";

/** What a context waits for. */
export type Waits = "nothing" | "summary" | "answer" | "results";

/** How full the window is, in tokens. */
export type WindowUse = {
  /** The whole window. */
  total: number;
  /** Reserved for output. */
  reserved_output: number;
  /** Used by the system prompt. */
  system: number;
  /** Used by descriptions of tools. */
  tools: number;
  /** Used by messages, results and notes. */
  conversation: number;
  /** What is left. */
  free: number;
};

/** The API that the caller's client speaks. */
export type WireForm = "anthropic" | "openai_chat" | "openai_responses" | "gemini" | "ollama";

/** Takes the answer to a request. Calls of the engine's own tools are answered here. */
export type AnswerInput = {
  /** The request. */
  request: number;
  /** The body of the response, whole. */
  body: Record<string, unknown>;
};

/** What follows an answer, or results. */
export type AnswerOutput = {
  /** What the caller does. */
  then: Then;
  /** The calls that it runs. */
  calls: Call[];
  /** The model's last text, when the turn has ended. */
  text: string | null;
  /** Why the model stopped, when the turn has ended. */
  stop: string | null;
};

/** Takes the answer to a request that came as a stream. */
export type AnswerStreamInput = {
  /** The request. */
  request: number;
  /** All bytes of the stream as text: server-sent events, or lines of JSON for Ollama. */
  stream: string;
};

/** What follows an answer, or results. */
export type AnswerStreamOutput = {
  /** What the caller does. */
  then: Then;
  /** The calls that it runs. */
  calls: Call[];
  /** The model's last text, when the turn has ended. */
  text: string | null;
  /** Why the model stopped, when the turn has ended. */
  stop: string | null;
};

/** Runs one of the engine's own tools, for callers that run every call themselves. */
export type CallInput = {
  /** The tool. */
  name: string;
  /** The arguments. */
  input?: Record<string, unknown>;
};

/** What a tool of the engine has put out. */
export type CallOutput = {
  /** The text. */
  text: string;
  /** The call failed. */
  is_error: boolean;
};

/** The caller has stopped the request. The turn ends. */
export type CancelledInput = {
  /** The request. */
  request: number;
  /** What the model had written. */
  text?: string;
};

/** A result without fields. */
export type CancelledOutput = Record<string, never>;

/** Writes what is pending and closes the context. Its session stays, also in memory. */
export type CloseInput = {
  /** Forgets the session, which is only in memory. A session that is stored is deleted elsewhere: the error `not_possible`. */
  forget?: boolean;
};

/** A result without fields. */
export type CloseOutput = Record<string, never>;

/** Compacts now. */
export type CompactInput = {
  /** What a summary by a model should keep. */
  instructions?: string | null;
  /** Applies the compaction that `preview` has made, unchanged. */
  previewed?: boolean;
};

/** What a compaction does. Tokens are of the messages. */
export type CompactOutput = {
  /** Tokens before. */
  before_tokens: number;
  /** Tokens after. */
  after_tokens: number;
  /** Messages before. */
  before_messages: number;
  /** Messages after. */
  after_messages: number;
  /** Strategies that change something, in order. */
  strategies: string[];
  /** The summaries that it writes; of a preview alone. */
  summaries: string[];
  /** Names that leave the view; of a preview alone. */
  lost_names: string[];
};

/** All operations, with the schemas of their inputs and outputs and their error codes. */
export type DescribeInput = Record<string, never>;

/** The table of operations. */
export type DescribeOutput = {
  /** Each operation. */
  operations: DescribedOperation[];
};

/** STATE and the scratchpad. */
export type DocumentsInput = Record<string, never>;

/** STATE and the scratchpad. */
export type DocumentsOutput = {
  /** STATE; empty if it was never written. */
  state: string;
  /** The scratchpad; empty if it was never written. */
  scratchpad: string;
};

/** What another agent or session needs to continue. */
export type HandoffInput = Record<string, never>;

/** A handoff. */
export type HandoffOutput = {
  /** A prompt that continues the work. */
  continuation_prompt: string;
  /** The user's requests, word for word, the newest first. */
  requests: string[];
  /** The end of the answer to the newest request. */
  last_answer: string | null;
  /** Everything, as a checkpoint stores it. */
  handoff: Record<string, unknown>;
};

/** The open contexts, by id. */
export type ListInput = Record<string, never>;

/** The open contexts. */
export type ListOutput = {
  /** Each of them, by id. */
  contexts: ListedContext[];
};

/** The request that the model answers next, as a body of the context's API, or the question for a summary that is needed first. */
export type NextRequestInput = Record<string, never>;

/** A body to send. */
export type NextRequestOutput = {
  /** What it is. */
  send: Sends;
  /** Its number, for the operation that takes what came of it. */
  id: number;
  /** The model that answers. */
  model: string;
  /** The body, to be sent unchanged. */
  body: Record<string, unknown>;
  /** What the prompt cache is expected to give; `output` is 0. */
  predicted: TokenUsage;
  /** What happened since the last request. */
  notices: Notice[];
};

/** Declines a summary: it is extracted from the messages. */
export type NoSummaryInput = {
  /** Its number. */
  id: number;
};

/** A result without fields. */
export type NoSummaryOutput = Record<string, never>;

/** Stores the result of a call, if it is large, and gives the text that the caller's list is to have in its place. For callers of `sync` that can replace a result as soon as the tool has ended. */
export type OffloadInput = {
  /** The id of the call. */
  call: string;
  /** The tool. */
  name: string;
  /** The arguments. */
  input?: Record<string, unknown>;
  /** What the tool has put out. */
  text: string;
  /** The call failed. */
  is_error?: boolean;
};

/** A result as the model sees it. */
export type OffloadOutput = {
  /** The text; where the result was stored, its start and end, and how to read the rest. */
  text: string;
};

/** Opens a context: resumes its session where the log ends, or begins it. */
export type OpenInput = {
  /** The model, as requests name it. */
  model: string;
  /** Its provider. Default: the one whose API `wire` is. */
  provider?: string | null;
  /** Its window in tokens. Default: that of the table of models. */
  window?: number | null;
  /** Tokens reserved for an answer. Default: the model's maximum, at most a quarter of the window. */
  max_output?: number | null;
  /** The API that bodies, answers and lists are written in. */
  wire?: WireForm;
  /** What bodies depend on besides. */
  body?: BodyOptions;
  /** The policy: throughline, dex, vibe, rubichan, slop or off. Default: throughline. */
  policy?: string | null;
  /** The dial of the policy throughline: lean, balanced or faithful. Default: faithful. */
  economy?: string | null;
  /** Settings in place of the policy's own. */
  settings?: SettingsChanges;
  /** The system prompt. */
  system?: string | null;
  /** The tools that the caller runs. */
  tools?: Tool[];
  /** The caller writes the summaries of compactions, by requests that `next_request` returns. Otherwise they are extracted. */
  summaries_by_caller?: boolean;
  /** The model keeps STATE and a scratchpad. */
  documents?: boolean;
};

/** A context that was opened. */
export type OpenOutput = {
  /** The session had messages before. */
  resumed: boolean;
  /** Messages in view. */
  messages: number;
  /** Window in tokens. */
  window: number;
  /** Tokens reserved for an answer. */
  max_output: number;
  /** Calls of an earlier run that still wait for their results. A message of the user gives them up. */
  calls: Call[];
  /** The engine's own tools, for callers that run every call themselves, by `call`. */
  tools: Tool[];
  /** Why the view was rebuilt from the log, if it was. */
  rebuilt: string | null;
  /** Records that were lost. */
  unreadable: number;
};

/** Keeps a text in every request, word for word: all of a turn, or a part of a message, or a span of text in either. */
export type PinInput = {
  /** The turn, from 1. */
  turn?: number | null;
  /** The record of the message. */
  record?: number | null;
  /** The part of that message, from 0. */
  part?: number;
  /** The span of text. Default: all of it. */
  text?: string | null;
};

/** A pin that was made, and the view after it. */
export type PinOutput = {
  /** Its number, for `unpin`. */
  pin: number;
  /** Messages in the view. */
  messages: number;
  /** Their tokens. */
  tokens: number;
};

/** Makes a compaction and does not apply it. */
export type PreviewInput = {
  /** What a summary by a model should keep. */
  instructions?: string | null;
};

/** What a compaction does. Tokens are of the messages. */
export type PreviewOutput = {
  /** Tokens before. */
  before_tokens: number;
  /** Tokens after. */
  after_tokens: number;
  /** Messages before. */
  before_messages: number;
  /** Messages after. */
  after_messages: number;
  /** Strategies that change something, in order. */
  strategies: string[];
  /** The summaries that it writes; of a preview alone. */
  summaries: string[];
  /** Names that leave the view; of a preview alone. */
  lost_names: string[];
};

/** The receipts of the newest requests: what was decided, and why. */
export type ReceiptsInput = {
  /** How many. */
  most?: number;
};

/** Receipts. */
export type ReceiptsOutput = {
  /** The receipts as the log has them, oldest first. */
  receipts: Array<Record<string, unknown>>;
};

/** Shows the turn that was undone last, or redoes the compaction that was undone last. */
export type RedoInput = {
  /** Which of the two. */
  what?: Undoable;
};

/** The view after a change. */
export type RedoOutput = {
  /** Messages in it. */
  messages: number;
  /** Their tokens. */
  tokens: number;
};

/** The request got no answer. After an overflow the view is compacted; pictures that the provider rejects are left out. */
export type RefusedInput = {
  /** The request. */
  request: number;
  /** Status of the response; none if there was no response. */
  status?: number | null;
  /** Body of the response as text, or what the client says. */
  body: string;
  /** The header `retry-after`. */
  retry_after?: string | null;
};

/** What follows a refusal. */
export type RefusedOutput = {
  /** What the caller does. */
  then: AfterRefusal;
  /** The kind of the provider's error in one word. */
  kind: string;
  /** The error. */
  message: string;
  /** Milliseconds to wait before another try, if the provider says so. */
  retry_after_ms: number | null;
};

/** What fills the window, and what a compaction would do. */
export type ReportInput = {
  /** Maximum number of components in `holders`. */
  most?: number;
};

/** What fills the window. */
export type ReportOutput = {
  /** Figures by component. */
  window: WindowUse;
  /** Pressure by the thresholds. */
  pressure: string;
  /** Tokens at which the view is compacted. */
  compact_at: number | null;
  /** Messages in view. */
  messages: number;
  /** The largest components, largest first. */
  holders: Holder[];
  /** The pins, in the order of their numbers. */
  pins: ReportedPin[];
  /** Tokens of the messages after a compaction now; none if it would change nothing. */
  after_compaction: number | null;
  /** Why a compaction would change nothing. */
  why: string | null;
};

/** Takes the results of all calls of an answer. Large ones are stored, and shown in part. */
export type ResultsInput = {
  /** One for each call. */
  results: CallResult[];
};

/** What follows an answer, or results. */
export type ResultsOutput = {
  /** What the caller does. */
  then: Then;
  /** The calls that it runs. */
  calls: Call[];
  /** The model's last text, when the turn has ended. */
  text: string | null;
  /** Why the model stopped, when the turn has ended. */
  stop: string | null;
};

/** Replaces STATE or the scratchpad, or both. */
export type SetDocumentsInput = {
  /** STATE from now on. */
  state?: string | null;
  /** The scratchpad from now on. */
  scratchpad?: string | null;
};

/** STATE and the scratchpad. */
export type SetDocumentsOutput = {
  /** STATE; empty if it was never written. */
  state: string;
  /** The scratchpad; empty if it was never written. */
  scratchpad: string;
};

/** Where the context stands. */
export type StateInput = Record<string, never>;

/** Where a context stands. Besides the calls it holds no word of the conversation. */
export type StateOutput = {
  /** The model, as `provider/model`. */
  model: string;
  /** What it waits for. */
  waits_for: Waits;
  /** The request or the summary that it waits for. */
  id: number | null;
  /** The calls whose results it waits for. */
  calls: Call[];
  /** Number of the newest turn. */
  turn: number;
  /** Requests so far. */
  requests: number;
  /** Messages in view. */
  messages: number;
  /** How full the window is. */
  window: WindowUse;
  /** Records that are not written yet. */
  unwritten: number;
};

/** Gives the summary that a request of the kind `summary` asks for. */
export type SummaryInput = {
  /** Its number. */
  id: number;
  /** The text. */
  text: string;
  /** The model that wrote it, for the record. */
  model?: string;
};

/** A result without fields. */
export type SummaryOutput = Record<string, never>;

/** Takes over the caller's list of messages, and says which of them the next request is made of. The same list again changes nothing. A list that ends with the model's message is taken over, and the error `nothing_to_answer` says so. */
export type SyncInput = {
  /** Messages at the start that are those of the list before; `messages` has only what stands behind them then. */
  known?: number;
  /** The list, or its end, in the form of the context's API: its `messages`, `input` or `contents`. */
  messages: Array<Record<string, unknown>>;
  /** What the provider reported for the model's newest message. */
  usage?: TokenUsage | null;
};

/** What the next request is made of. */
export type SyncOutput = {
  /** What the caller sends: a request of these messages, or first the question of `summary`. */
  send: Sends;
  /** The number of the request or the summary. */
  id: number;
  /** The messages of the request, in order. */
  references: Reference[];
  /** Where the prompt cache is asked to store a prefix, in the order of the request. Empty where the provider needs no marks. */
  breakpoints: CachePoint[];
  /** Notes that belong behind the last message and every breakpoint, for this request alone. */
  notes: string[];
  /** The body of the question, where a summary is asked for. */
  summary: Record<string, unknown> | null;
  /** Messages at the start of the list that the session had. */
  known: number;
  /** Messages that were appended. */
  appended: number;
  /** Records that are hidden, because the list does not have their messages any more. */
  hidden: number;
  /** What happened since the last request. */
  notices: Notice[];
};

/** Hides the newest turn, or undoes the newest compaction. */
export type UndoInput = {
  /** Which of the two. */
  what?: Undoable;
};

/** The view after a change. */
export type UndoOutput = {
  /** Messages in it. */
  messages: number;
  /** Their tokens. */
  tokens: number;
};

/** Removes a pin. */
export type UnpinInput = {
  /** Its number. */
  pin: number;
};

/** The view after a change. */
export type UnpinOutput = {
  /** Messages in it. */
  messages: number;
  /** Their tokens. */
  tokens: number;
};

/** Begins a turn with a message of the user. */
export type UserInput = {
  /** What the user says. */
  text: string;
  /** Pictures, behind the text. */
  images?: Picture[];
};

/** A result without fields. */
export type UserOutput = Record<string, never>;

/** The engine's tool that reads stored results, for a framework that wants its tools before a session is open. */
export const READ_RESULT: Tool = {
  "name": "read_result",
  "description": "Reads a tool result that was stored because it is large. The conversation shows its size, a preview and a ref_id.\nThe stored content is complete and exact. Each answer starts with a line that gives the range of bytes shown and the\noffset to read on from. To find something, use search: it returns matching lines with their line numbers and byte\noffsets, and offset then reads around one of them. Prefer search, or a few pages, over reading everything.",
  "input_schema": {
    "type": "object",
    "properties": {
      "ref_id": {
        "type": "string",
        "description": "The reference, as the text in the result's place gives it, such as r-0123456789abcdef."
      },
      "offset": {
        "type": "integer",
        "minimum": 0,
        "default": 0,
        "description": "Byte to start at. With search: matches before it are skipped."
      },
      "limit": {
        "type": "integer",
        "minimum": 1,
        "maximum": 16384,
        "default": 4096,
        "description": "Most bytes to return."
      },
      "search": {
        "type": "string",
        "description": "Return the lines that have this text instead, whatever its case."
      }
    },
    "required": [
      "ref_id"
    ]
  },
  "deferrable": false
};

/** The operations of one context. */
export abstract class ContextOperations {
  protected abstract run(operation: string, input: object, options?: CallOptions): Promise<unknown>

  /**
   * Writes what is pending and closes the context. Its session stays, also in memory.
   *
   * Errors: invalid_input, unknown_context, held, key_reused, storage, unsaved, not_possible.
   */
  close(input: CloseInput = {}, options?: CallOptions): Promise<CloseOutput> {
    return this.run('close', input, options) as Promise<CloseOutput>
  }

  /**
   * Begins a turn with a message of the user.
   *
   * Errors: invalid_input, unknown_context, held, key_reused, storage, does_not_fit.
   */
  user(input: UserInput, options?: CallOptions): Promise<UserOutput> {
    return this.run('user', input, options) as Promise<UserOutput>
  }

  /**
   * The request that the model answers next, as a body of the context's API, or the question for a summary that is needed first.
   *
   * Errors: invalid_input, unknown_context, held, key_reused, storage, request_open, calls_open, summary_open, nothing_to_answer, does_not_fit, invalid_request, limit_reached, compaction_failed.
   */
  nextRequest(input: NextRequestInput = {}, options?: CallOptions): Promise<NextRequestOutput> {
    return this.run('next_request', input, options) as Promise<NextRequestOutput>
  }

  /**
   * Takes the answer to a request. Calls of the engine's own tools are answered here.
   *
   * Errors: invalid_input, unknown_context, held, key_reused, storage, no_request, other_request, invalid_answer, provider_error, model_failed, unsaved.
   */
  answer(input: AnswerInput, options?: CallOptions): Promise<AnswerOutput> {
    return this.run('answer', input, options) as Promise<AnswerOutput>
  }

  /**
   * Takes the answer to a request that came as a stream.
   *
   * Errors: invalid_input, unknown_context, held, key_reused, storage, no_request, other_request, invalid_answer, provider_error, model_failed, unsaved.
   */
  answerStream(input: AnswerStreamInput, options?: CallOptions): Promise<AnswerStreamOutput> {
    return this.run('answer_stream', input, options) as Promise<AnswerStreamOutput>
  }

  /**
   * Takes the results of all calls of an answer. Large ones are stored, and shown in part.
   *
   * Errors: invalid_input, unknown_context, held, key_reused, storage, no_request, unknown_call, calls_open.
   */
  results(input: ResultsInput, options?: CallOptions): Promise<ResultsOutput> {
    return this.run('results', input, options) as Promise<ResultsOutput>
  }

  /**
   * The request got no answer. After an overflow the view is compacted; pictures that the provider rejects are left out.
   *
   * Errors: invalid_input, unknown_context, held, key_reused, storage, no_request, other_request.
   */
  refused(input: RefusedInput, options?: CallOptions): Promise<RefusedOutput> {
    return this.run('refused', input, options) as Promise<RefusedOutput>
  }

  /**
   * The caller has stopped the request. The turn ends.
   *
   * Errors: invalid_input, unknown_context, held, key_reused, storage, no_request, other_request.
   */
  cancelled(input: CancelledInput, options?: CallOptions): Promise<CancelledOutput> {
    return this.run('cancelled', input, options) as Promise<CancelledOutput>
  }

  /**
   * Gives the summary that a request of the kind `summary` asks for.
   *
   * Errors: invalid_input, unknown_context, held, key_reused, storage, unknown_summary.
   */
  summary(input: SummaryInput, options?: CallOptions): Promise<SummaryOutput> {
    return this.run('summary', input, options) as Promise<SummaryOutput>
  }

  /**
   * Declines a summary: it is extracted from the messages.
   *
   * Errors: invalid_input, unknown_context, held, key_reused, storage, unknown_summary.
   */
  noSummary(input: NoSummaryInput, options?: CallOptions): Promise<NoSummaryOutput> {
    return this.run('no_summary', input, options) as Promise<NoSummaryOutput>
  }

  /**
   * Takes over the caller's list of messages, and says which of them the next request is made of. The same list again changes nothing. A list that ends with the model's message is taken over, and the error `nothing_to_answer` says so.
   *
   * Errors: invalid_input, unknown_context, held, key_reused, storage, invalid_message, whole_list_needed, summary_open, does_not_fit, invalid_request, nothing_to_answer.
   */
  sync(input: SyncInput, options?: CallOptions): Promise<SyncOutput> {
    return this.run('sync', input, options) as Promise<SyncOutput>
  }

  /**
   * Stores the result of a call, if it is large, and gives the text that the caller's list is to have in its place. For callers of `sync` that can replace a result as soon as the tool has ended.
   *
   * Errors: invalid_input, unknown_context, held, key_reused, storage.
   */
  offload(input: OffloadInput, options?: CallOptions): Promise<OffloadOutput> {
    return this.run('offload', input, options) as Promise<OffloadOutput>
  }

  /**
   * Runs one of the engine's own tools, for callers that run every call themselves.
   *
   * Errors: invalid_input, unknown_context, held, key_reused, storage, unknown_tool.
   */
  call(input: CallInput, options?: CallOptions): Promise<CallOutput> {
    return this.run('call', input, options) as Promise<CallOutput>
  }

  /**
   * Compacts now.
   *
   * Errors: invalid_input, unknown_context, held, key_reused, storage, nothing_to_gain, paused, compaction_failed, outdated.
   */
  compact(input: CompactInput = {}, options?: CallOptions): Promise<CompactOutput> {
    return this.run('compact', input, options) as Promise<CompactOutput>
  }

  /**
   * Makes a compaction and does not apply it.
   *
   * Errors: invalid_input, unknown_context, held, key_reused, storage, nothing_to_gain, paused, compaction_failed.
   */
  preview(input: PreviewInput = {}, options?: CallOptions): Promise<PreviewOutput> {
    return this.run('preview', input, options) as Promise<PreviewOutput>
  }

  /**
   * Hides the newest turn, or undoes the newest compaction.
   *
   * Errors: invalid_input, unknown_context, held, key_reused, storage, not_possible.
   */
  undo(input: UndoInput = {}, options?: CallOptions): Promise<UndoOutput> {
    return this.run('undo', input, options) as Promise<UndoOutput>
  }

  /**
   * Shows the turn that was undone last, or redoes the compaction that was undone last.
   *
   * Errors: invalid_input, unknown_context, held, key_reused, storage, not_possible.
   */
  redo(input: RedoInput = {}, options?: CallOptions): Promise<RedoOutput> {
    return this.run('redo', input, options) as Promise<RedoOutput>
  }

  /**
   * Keeps a text in every request, word for word: all of a turn, or a part of a message, or a span of text in either.
   *
   * Errors: invalid_input, unknown_context, held, key_reused, storage, not_possible.
   */
  pin(input: PinInput = {}, options?: CallOptions): Promise<PinOutput> {
    return this.run('pin', input, options) as Promise<PinOutput>
  }

  /**
   * Removes a pin.
   *
   * Errors: invalid_input, unknown_context, held, key_reused, storage, not_possible.
   */
  unpin(input: UnpinInput, options?: CallOptions): Promise<UnpinOutput> {
    return this.run('unpin', input, options) as Promise<UnpinOutput>
  }

  /**
   * STATE and the scratchpad.
   *
   * Errors: invalid_input, unknown_context, held, key_reused, storage.
   */
  documents(input: DocumentsInput = {}, options?: CallOptions): Promise<DocumentsOutput> {
    return this.run('documents', input, options) as Promise<DocumentsOutput>
  }

  /**
   * Replaces STATE or the scratchpad, or both.
   *
   * Errors: invalid_input, unknown_context, held, key_reused, storage.
   */
  setDocuments(input: SetDocumentsInput = {}, options?: CallOptions): Promise<SetDocumentsOutput> {
    return this.run('set_documents', input, options) as Promise<SetDocumentsOutput>
  }

  /**
   * What fills the window, and what a compaction would do.
   *
   * Errors: invalid_input, unknown_context, held, key_reused, storage.
   */
  report(input: ReportInput = {}, options?: CallOptions): Promise<ReportOutput> {
    return this.run('report', input, options) as Promise<ReportOutput>
  }

  /**
   * What another agent or session needs to continue.
   *
   * Errors: invalid_input, unknown_context, held, key_reused, storage.
   */
  handoff(input: HandoffInput = {}, options?: CallOptions): Promise<HandoffOutput> {
    return this.run('handoff', input, options) as Promise<HandoffOutput>
  }

  /**
   * Where the context stands.
   *
   * Errors: invalid_input, unknown_context, held, key_reused, storage.
   */
  state(input: StateInput = {}, options?: CallOptions): Promise<StateOutput> {
    return this.run('state', input, options) as Promise<StateOutput>
  }

  /**
   * The receipts of the newest requests: what was decided, and why.
   *
   * Errors: invalid_input, unknown_context, held, key_reused, storage.
   */
  receipts(input: ReceiptsInput = {}, options?: CallOptions): Promise<ReceiptsOutput> {
    return this.run('receipts', input, options) as Promise<ReceiptsOutput>
  }
}
