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
  const act = {
    j: () => move(1), k: () => move(-1), Enter: open,
    "/": () => document.getElementById("q").focus(),
    "?": () => keys.showModal(),
    u: () => { if (up.length > 0) up[up.length - 1].click(); },
  }[event.key];
  // A focused link or button has its own meaning of Enter.
  if (!act || keys.open || (event.key === "Enter" && event.target.closest("a, button, summary"))) return;
  event.preventDefault();
  act();
});

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
  if (data.delete) {
    const typed = prompt(`This deletes permanently. To confirm, write ${data.confirm}`);
    if (typed !== null) send("DELETE", data.delete, JSON.stringify({ confirm: typed.trim() }));
  } else if (data.ask) {
    const typed = prompt(data.ask);
    if (typed !== null) send("POST", data.post, JSON.stringify({ [data.field]: typed }));
  } else if (data.post) {
    send("POST", data.post, data.body);
  }
});

// A session that is written while its page is open says so.
const shown = document.querySelector("[data-session]");
if (shown) {
  const address = `/api/sessions/${encodeURIComponent(shown.dataset.session)}/events?after=${shown.dataset.last}`;
  const source = new EventSource(address);
  let records = 0;
  source.addEventListener("receipt", () => { records += 1; say(`${records} new requests; reload to see them`); });
  addEventListener("pagehide", () => source.close());
}
