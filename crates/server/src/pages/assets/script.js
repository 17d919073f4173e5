"use strict";
// Keys, buttons and live updates of the pages. Everything that is shown is made by the server.
// Buttons are shown from here on: without the script they would do nothing.
document.documentElement.dataset.script = "";
const said = document.getElementById("said");
const say = (text, bad) => { said.textContent = text; said.className = bad ? "bad" : ""; };
const keys = document.getElementById("keys");
const rows = () => Array.from(document.querySelectorAll("[data-row]"));
let at = -1;

// The first row that is not above what is seen; the head of the page covers the top.
const seen = (row) => row.getBoundingClientRect().bottom > 64;
const isInView = (row) => seen(row) && row.getBoundingClientRect().top < innerHeight;

const mark = (all, next) => {
  if (all[at]) all[at].classList.remove("here");
  at = next;
  all[at].classList.add("here");
  history.replaceState({ ...history.state, row: at }, "");
};

const move = (by) => {
  const all = rows();
  if (all.length === 0) return;
  // Without a row in view, the reader is where the page was scrolled to.
  const here = all[at] && isInView(all[at]) ? at + by : Math.max(all.findIndex(seen), 0);
  mark(all, Math.min(Math.max(here, 0), all.length - 1));
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

// An address that names a piece opens it; the way back leads to the row that was opened.
const named = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
if (named && named.tagName === "DETAILS") {
  named.open = true;
  named.scrollIntoView();
  mark(rows(), rows().indexOf(named));
} else if (history.state && rows()[history.state.row]) {
  mark(rows(), history.state.row);
}

// A drawing that is wider than the page begins with what is newest.
for (const plot of document.querySelectorAll(".plot")) plot.scrollLeft = plot.scrollWidth;

// The list of turns follows what is read.
const rail = () => document.querySelector(".turns");
const follow = () => {
  const heads = Array.from(document.querySelectorAll(".turn-head"));
  const read = heads.filter((head) => head.getBoundingClientRect().top < 140).pop();
  const link = read && rail()?.querySelector(`a[href$="#${read.id}"]`);
  const present = rail()?.querySelector("a[aria-current]");
  if (!link || link === present) return;
  present?.removeAttribute("aria-current");
  link.setAttribute("aria-current", "true");
  show(link);
};
const show = (link) => {
  const list = rail();
  const [box, whole] = [link.getBoundingClientRect(), list.getBoundingClientRect()];
  if (box.top < whole.top || box.bottom > whole.bottom) list.scrollTop += box.top - whole.top - list.clientHeight / 3;
};
if (rail()) {
  const present = rail().querySelector("a[aria-current]");
  if (present) show(present);
  let waits = false;
  addEventListener("scroll", () => {
    if (waits) return;
    waits = true;
    requestAnimationFrame(() => { waits = false; follow(); });
  }, { passive: true });
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

// What is shown is drawn again while it changes: the page is fetched, and what differs in its live parts is replaced. What is
// unfolded, scrolled, selected or has the focus stays so.
const live = document.querySelector("[data-live][data-poll], [data-live][data-pending], [data-live][data-session]");
const kindOf = (node) => `${node.nodeName} ${node.nodeType === 1 ? `${node.id} ${node.getAttribute("class") ?? ""}`.replace(/\bhere\b/, "").trim() : ""}`;

// The nodes of a list that become those of another: by id, else the next one of the same kind, one with the same text first.
const matched = (olds, news) => {
  const text = new Map(olds.map((node) => [node, node.textContent]));
  const kinds = new Map(olds.map((node) => [node, kindOf(node)]));
  const coming = new Map();
  for (const node of news) coming.set(node.textContent, (coming.get(node.textContent) ?? 0) + 1);
  let from = 0;
  return news.map((node) => {
    const [kind, own] = [kindOf(node), node.textContent];
    coming.set(own, coming.get(own) - 1);
    const fits = (old, place) => place >= from && kinds.get(old) === kind;
    let place = olds.findIndex((old, place) => fits(old, place) && text.get(old) === own);
    if (place < 0) place = olds.findIndex((old, place) => fits(old, place) && (old.id || !(coming.get(text.get(old)) > 0)));
    if (place < 0) return null;
    from = place + 1;
    return olds[place];
  });
};

const update = (now, next) => {
  if (now.isEqualNode(next)) return;
  if (now.nodeType !== 1) { now.nodeValue = next.nodeValue; return; }
  const stays = (name) => name === "open" && now.nodeName === "DETAILS";
  for (const { name } of Array.from(now.attributes)) if (!next.hasAttribute(name) && !stays(name)) now.removeAttribute(name);
  for (const { name, value } of Array.from(next.attributes)) {
    if (now.getAttribute(name) !== value && !stays(name)) now.setAttribute(name, value);
  }
  const [olds, news] = [Array.from(now.childNodes), Array.from(next.childNodes)];
  const stay = matched(olds, news);
  for (const old of olds) if (!stay.includes(old)) old.remove();
  let place = now.firstChild;
  news.forEach((node, number) => {
    if (stay[number]) { update(stay[number], node); place = stay[number].nextSibling; } else now.insertBefore(node, place);
  });
};

const redraw = async () => {
  const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const [focus, link] = [document.activeElement, document.activeElement?.getAttribute("href")];
  for (const now of document.querySelectorAll("[data-live]")) {
    const next = page.querySelector(`[data-live="${now.dataset.live}"]`);
    if (next) update(now, next);
  }
  if (link && !document.contains(focus)) document.querySelector(`main a[href="${CSS.escape(link)}"]`)?.focus();
  const all = rows();
  if (all[at]) all[at].classList.add("here");
  follow();
};
let drawing = null;
const drawSoon = () => {
  if (drawing !== null) return;
  drawing = setTimeout(async () => { try { await redraw(); } catch (_) { /* The server is gone; the page stays as it is. */ } drawing = null; }, 400);
};

// What a repeated look finds is said once, and once more when it has changed.
let trouble = "";
const troubled = (text) => {
  if (text === trouble) return;
  trouble = text;
  say(text, text !== "");
};
const every = (milliseconds, look) => {
  const timer = setInterval(() => look().catch(() => troubled("the server does not answer; the page is as it was")), milliseconds);
  addEventListener("pagehide", () => clearInterval(timer));
};

// A stored session sends its new records.
const stored = document.querySelector("[data-session]");
if (stored) {
  const address = `/api/sessions/${encodeURIComponent(stored.dataset.session)}/events?after=${stored.dataset.last}`;
  const source = new EventSource(address);
  for (const kind of ["receipt", "message", "edit", "mark"]) source.addEventListener(kind, drawSoon);
  addEventListener("pagehide", () => source.close());
}

// The file of a transcript is looked at every few seconds while the page is in view; so is a list that is not complete.
if (live && (live.dataset.poll || live.dataset.pending)) {
  every(live.dataset.poll ? 3000 : 1000, async () => {
    if (document.hidden || !live.isConnected) return;
    if (!live.dataset.poll) { if (live.dataset.pending) drawSoon(); return; }
    const answer = await fetch(live.dataset.poll);
    if (answer.status === 404) { troubled("the file of this session is gone; the page is as it was"); return; }
    if (!answer.ok) { troubled("the file cannot be read now; the page is as it was"); return; }
    troubled("");
    const value = await answer.json();
    if (String(value.bytes) !== live.dataset.version) drawSoon();
  });
}

// The turns that run here: the list and the pages of a session show them, and the title of a session that waits says so.
const list = document.querySelector("[data-live=list]");
if (list || stored) {
  const title = document.title;
  let known = null;
  every(3000, async () => {
    const answer = await fetch("/api/turns?limit=200");
    if (!answer.ok) return;
    troubled("");
    const turns = (await answer.json()).turns.filter((turn) => list || turn.session === stored.dataset.session);
    const state = JSON.stringify(turns.map((turn) => [turn.session, turn.questions.length]));
    const asks = turns.some((turn) => turn.questions.length > 0);
    document.title = `${asks ? "? " : turns.length > 0 ? "● " : ""}${title}`;
    if (known !== null && state !== known) drawSoon();
    known = state;
  });
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
  // The sub-agent that an event is of.
  let agent = null;
  // Characters that are invisible or turn the text around them are shown by their number, as the server shows them.
  const revealed = (text) => String(text).replace(/\r\n/g, "\n").replace(
    /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]|[\u{e0000}-\u{e0fff}]/gu,
    (letter) => `⟨U+${letter.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`,
  );
  const line = (kind, text) => {
    const item = document.createElement("li");
    item.className = kind;
    item.dir = "auto";
    item.textContent = (agent ? `[${revealed(agent)}] ` : "") + revealed(text);
    list.append(item);
    return item;
  };
  const made = (name, fields) => Object.assign(document.createElement(name), fields);
  // A field with its name before it.
  const labelled = (name, field) => {
    const label = made("label", { textContent: `${revealed(name)} ` });
    label.append(field);
    return label;
  };
  const button = (item, question, text, answer) => {
    const one = made("button", { type: "button", textContent: revealed(text) });
    one.addEventListener("click", () => tried(() => post(`/answers/${question}`, answer())));
    item.append(one);
  };
  const ask = (event) => {
    const item = line("question", `May ${event.name} run? ${event.why}\n${JSON.stringify(event.input, null, 1)}\n`);
    item.dataset.question = event.question;
    const rule = made("input", { value: event.rule ?? "", size: 40 });
    const feedback = made("input", { size: 40 });
    for (const choice of event.choices) {
      const given = {
        always: () => (rule.value.trim() === event.rule ? {} : { rule: rule.value.trim() }),
        deny: () => (feedback.value.trim() === "" ? {} : { feedback: feedback.value.trim() }),
      }[choice];
      button(item, event.question, choice, () => ({ answer: choice, ...given?.() }));
    }
    if (event.choices.includes("always")) item.append(labelled("rule of always", rule));
    if (event.choices.includes("deny")) item.append(labelled("reason of deny", feedback));
  };
  // The field for a value of a form, and how it is read.
  const valued = (kind) => {
    if (kind.enum) {
      const field = made("select", {});
      for (const [place, value] of kind.enum.entries()) field.append(made("option", { value, textContent: revealed(kind.enumNames?.[place] ?? value) }));
      return [field, () => field.value];
    }
    if (kind.type === "boolean") {
      const field = made("input", { type: "checkbox", checked: kind.default === true });
      return [field, () => field.checked];
    }
    const isNumber = kind.type === "number" || kind.type === "integer";
    const field = made("input", { type: isNumber ? "number" : "text", value: kind.default ?? "", step: "any" });
    return [field, () => (field.value === "" ? undefined : isNumber ? Number(field.value) : field.value)];
  };
  const elicit = (event) => {
    const item = line("question", `${event.server} asks: ${event.message}\n`);
    item.dataset.question = event.question;
    const read = new Map();
    for (const [name, kind] of Object.entries(event.schema?.properties ?? {})) {
      const [field, value] = valued(kind);
      read.set(name, value);
      item.append(labelled(kind.title ?? name, field));
    }
    if (/^https?:/.test(event.url ?? "")) item.append(made("a", { href: event.url, target: "_blank", rel: "noopener noreferrer", textContent: revealed(event.url) }));
    else if (event.url) item.append(revealed(event.url));
    const content = () => Object.fromEntries(Array.from(read, ([name, value]) => [name, value()]).filter(([, value]) => value !== undefined));
    for (const choice of event.choices) button(item, event.question, choice, () => (choice === "accept" ? { answer: choice, content: content() } : { answer: choice }));
  };
  const closed = (event) => {
    for (const part of list.querySelectorAll(`[data-question="${event.question}"] :is(button, label)`)) part.remove();
    if (event.by === "timeout") line("bad", "no answer in time: the call was denied, or the server learned nothing");
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
    elicitation: elicit,
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
        const event = JSON.parse(message.data);
        if ((kind !== "text" && kind !== "withdrawn") || agent !== (event.agent ?? null)) answer = null;
        agent = event.agent ?? null;
        show(event);
        if (kind === "withdrawn") answer = null;
        if (kind === "result") { source.close(); cancel.hidden = true; }
      });
    }
    addEventListener("pagehide", () => source.close());
  };
  form.elements.prompt.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    form.requestSubmit();
  });
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
