"use strict";
// Keys, buttons and live updates of the pages. Everything that is shown is made by the server.
// Buttons are shown from here on: without the script they would do nothing.
document.documentElement.dataset.script = "";
const said = document.getElementById("said");
const say = (text, bad) => { said.textContent = text; said.className = bad ? "bad" : ""; };
const keys = document.getElementById("keys");
const rows = () => Array.from(document.querySelectorAll("[data-row]"));
let at = -1;

const move = (by) => {
  const all = rows();
  if (all.length === 0) return;
  if (all[at]) all[at].classList.remove("here");
  at = Math.min(Math.max(at + by, 0), all.length - 1);
  all[at].classList.add("here");
  all[at].scrollIntoView({ block: "nearest" });
};

const open = () => {
  const row = rows()[at];
  if (!row) return;
  if (row.tagName === "DETAILS") { row.open = !row.open; return; }
  const link = row.querySelector("a");
  if (link) link.click();
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input, textarea, select")) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  const up = document.querySelectorAll(".way a");
  const follow = (link) => () => document.querySelector(link)?.click();
  const act = {
    j: () => move(1), k: () => move(-1), Enter: open,
    "[": follow("a[rel=prev]"), "]": follow("a[rel=next]"), d: follow("a[data-key=d]"),
    "/": () => document.getElementById("q").focus(),
    "?": () => keys.showModal(),
    u: () => { if (up.length > 0) up[up.length - 1].click(); },
  }[event.key];
  // A focused link or button has its own meaning of Enter.
  if (!act || keys.open || (event.key === "Enter" && event.target.closest("a, button, summary"))) return;
  event.preventDefault();
  act();
});

// An address that names a piece opens it.
const named = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
if (named && named.tagName === "DETAILS") {
  named.open = true;
  named.scrollIntoView();
  at = rows().indexOf(named) - 1;
  move(1);
}

const send = async (method, address, body) => {
  say("…");
  try {
    const answer = await fetch(address, { method, headers: { "Content-Type": "application/json" }, body });
    const value = await answer.json();
    if (!answer.ok) { say(value.error.message, true); return; }
    if (method === "DELETE" && address.split("/").length === 4) { location.assign("/"); return; }
    location.reload();
  } catch (problem) {
    say(String(problem), true);
  }
};

document.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  const data = button.dataset;
  if ("help" in data) { keys.showModal(); return; }
  if ("copy" in data) { navigator.clipboard.writeText(data.copy).then(() => say("copied"), () => say(data.copy)); return; }
  if (data.delete) {
    const typed = prompt(`This deletes permanently. To confirm, write ${data.confirm}`);
    if (typed !== null) send("DELETE", data.delete, JSON.stringify({ confirm: typed.trim() }));
  } else if (data.put) {
    const typed = prompt(data.ask, data.now);
    if (typed !== null) send("PUT", data.put, JSON.stringify({ value: typed.trim() === "" ? null : typed.trim() }));
  } else if (data.ask) {
    const typed = prompt(data.ask);
    if (typed !== null) send("POST", data.post, JSON.stringify({ [data.field]: typed }));
  } else if (data.post) {
    send("POST", data.post, data.body);
  }
});

// What is shown is drawn again while it changes: the page is fetched, and its live part replaced. What is unfolded stays so.
const live = document.querySelector("[data-live]");
const redraw = async () => {
  const now = document.querySelector("[data-live]");
  const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const next = page.querySelector("[data-live]");
  if (!next || !now) return;
  const names = (of) => Array.from(of.querySelectorAll("details"));
  const open = names(now).map((one) => one.open);
  // Only what is new at the end differs in number; what was there is at the same place.
  names(next).forEach((one, place) => { if (place < open.length) one.open = open[place]; });
  const rails = ["turns", "sees"].map((name) => now.querySelector(`.${name}`)?.scrollTop ?? 0);
  now.replaceWith(next);
  ["turns", "sees"].forEach((name, place) => { const rail = next.querySelector(`.${name}`); if (rail) rail.scrollTop = rails[place]; });
  const all = rows();
  if (all[at]) all[at].classList.add("here");
};
let drawing = null;
const drawSoon = () => {
  if (drawing !== null) return;
  drawing = setTimeout(async () => { try { await redraw(); } catch (_) { /* The server is gone; the page stays as it is. */ } drawing = null; }, 400);
};

// A stored session sends its new records.
const shown = document.querySelector("[data-session]");
if (shown) {
  const address = `/api/sessions/${encodeURIComponent(shown.dataset.session)}/events?after=${shown.dataset.last}`;
  const source = new EventSource(address);
  for (const kind of ["receipt", "message", "edit", "mark"]) source.addEventListener(kind, drawSoon);
  addEventListener("pagehide", () => source.close());
}

// The file of a transcript is looked at every few seconds while the page is in view; so is a list that is not complete.
const polled = live && (live.dataset.poll || live.dataset.pending);
if (polled) {
  const look = async () => {
    const now = document.querySelector("[data-live]");
    if (document.hidden || !now) return;
    if (!now.dataset.poll) { if (now.dataset.pending) drawSoon(); return; }
    const answer = await fetch(now.dataset.poll);
    if (!answer.ok) return;
    const value = await answer.json();
    if (String(value.bytes) !== now.dataset.version) drawSoon();
  };
  const timer = setInterval(() => look().catch(() => {}), live.dataset.poll ? 3000 : 1000);
  addEventListener("pagehide", () => clearInterval(timer));
}

document.addEventListener("change", (event) => { if (event.target.matches("[data-submit]")) event.target.form.submit(); });

// A turn of the session: begun by the form, read as events, its questions answered by buttons. Every text is set as text.
const turn = document.querySelector("[data-turn]");
if (turn) {
  const own = `/api/sessions/${encodeURIComponent(turn.dataset.turn)}`;
  const [form, list, cancel] = ["form", "ol", "[data-cancel]"].map((part) => turn.querySelector(part));
  const post = async (path, value) => {
    const answer = await fetch(own + path, {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(value),
    });
    if (!answer.ok) throw new Error((await answer.json()).error.message);
    return answer;
  };
  const tried = async (work) => { try { await work(); } catch (problem) { say(problem.message, true); } };
  let answer = null;
  // Characters that are invisible or turn the text around them are shown by their number, as the server shows them.
  const revealed = (text) => String(text).replace(/\r\n/g, "\n").replace(
    /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]|[\u{e0000}-\u{e0fff}]/gu,
    (letter) => `⟨U+${letter.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`,
  );
  const line = (kind, text) => {
    const item = document.createElement("li");
    item.className = kind;
    item.textContent = revealed(text);
    list.append(item);
    return item;
  };
  const ask = (event) => {
    const item = line("question", `May ${event.name} run? ${event.why}\n${JSON.stringify(event.input)}\n`);
    item.dataset.question = event.question;
    for (const choice of event.choices) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = revealed(choice === "always" ? `always: ${event.rule}` : choice);
      button.addEventListener("click", () => tried(() => post(`/answers/${event.question}`, { answer: choice })));
      item.append(button);
    }
  };
  const closed = (event) => {
    for (const button of list.querySelectorAll(`[data-question="${event.question}"] button`)) button.remove();
    if (event.by === "timeout") line("bad", "no answer in time: the call was denied");
  };
  const shown = {
    text: (event) => { answer = answer || line("text", ""); answer.append(revealed(event.text)); },
    withdrawn: (event) => { if (answer) answer.remove(); line("bad", `the answer so far is discarded: ${event.why}`); },
    tool_started: (event) => line("tool", `→ ${event.name} ${JSON.stringify(event.input).slice(0, 300)}`),
    tool_finished: (event) => line(event.is_error ? "bad" : "tool", `${event.is_error ? "✗" : "✓"} ${event.name}, ${event.bytes} bytes`),
    notice: (event) => line("notice", event.text),
    compacted: () => line("notice", "compacted"),
    retrying: (event) => line("notice", `${event.cause}; trying again`),
    missed: (event) => line("notice", `${event.events} earlier events are in the log only`),
    question: ask,
    question_closed: closed,
    result: (event) => line(event.is_error ? "bad" : "notice", event.error || "The turn has ended."),
  };
  const join = () => {
    list.replaceChildren();
    answer = null;
    cancel.hidden = false;
    const source = new EventSource(`${own}/events?stream=turn`);
    for (const [kind, show] of Object.entries(shown)) {
      source.addEventListener(kind, (message) => {
        if (kind !== "text") answer = kind === "withdrawn" ? answer : null;
        show(JSON.parse(message.data));
        if (kind === "withdrawn") answer = null;
        if (kind === "result") { source.close(); cancel.hidden = true; }
      });
    }
    addEventListener("pagehide", () => source.close());
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const prompt = form.elements.prompt.value;
    tried(async () => {
      say("…");
      const begun = await post("/turns", prompt.trim() === "" ? {} : { prompt });
      // The turn belongs to the server: its events are read by joining it.
      begun.body.cancel();
      say("");
      form.reset();
      join();
    });
  });
  cancel.addEventListener("click", () => tried(() => post("/cancel", {})));
  if ("running" in turn.dataset) join();
}
