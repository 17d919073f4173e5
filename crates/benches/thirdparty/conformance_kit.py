"""Our compaction for `compaction-kit benchmark --spec conformance_kit.py:Throughline`, of the package `compaction-conformance-kit`.

It starts `throughline engine`: the program that `THROUGHLINE_BIN` names, or else the one in the search path. The turns of a session
become the caller's list of an engine context, which is compacted once. The kit's budget is in characters of the text that is left, and the
engine's room is in tokens of a window: the largest window is taken whose text fits. The text is what the next request shows, without
the sentences about where it comes from and how it is read back, which the kit has no tools for. A text that fits already stays.
"""

import json
import os
import re
import subprocess

from compaction_kit.compacted import CompactedContext

FRAME = re.compile(r"^\[[^\n]*\]$|^## Reading back\n(?:[^\n]+\n?)*", re.MULTILINE)
"""Sentences about a summary or a note in brackets, on a line of their own, and the section about reading back."""
WINDOWS = (1_000, 200_000)
"""The smallest and the largest window that is tried."""


class Engine:
    """`throughline engine`, a line for each call."""

    def __init__(self):
        program = os.environ.get("THROUGHLINE_BIN", "throughline")
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        self._process, self._calls = subprocess.Popen([program, "engine", "--memory"], **pipes), 0

    def call(self, method, **params):
        self._calls += 1
        line = {"jsonrpc": "2.0", "id": self._calls, "method": method, "params": params}
        print(json.dumps(line), file=self._process.stdin, flush=True)
        for line in self._process.stdout:
            answer = json.loads(line)
            if answer.get("id") == self._calls:
                return answer
        raise RuntimeError("`throughline engine` has ended; name its program with THROUGHLINE_BIN")


class Throughline:
    name = "throughline"
    _engine, _contexts = None, 0

    def compact(self, turns, round_num=1, budget_chars=None):
        whole = "\n".join(f"[{turn.role}] {turn.text}" for turn in turns)
        if len(turns) == 1:
            whole = turns[0].text
        if budget_chars is None:
            text = self._compacted(turns, WINDOWS[1])
        else:
            text = whole if len(whole) <= budget_chars else self._fitting(turns, budget_chars)
        return CompactedContext(text=text, compactor_name=self.name, round_num=round_num)

    def _fitting(self, turns, budget):
        low, high = WINDOWS
        best = self._compacted(turns, low)
        while high - low > 20:
            middle = (low + high) // 2
            text = self._compacted(turns, middle)
            if len(text) <= budget:
                low, best = middle, text
            else:
                high = middle
        return best

    def _compacted(self, turns, window):
        engine = Throughline._engine = Throughline._engine or Engine()
        Throughline._contexts += 1
        context = f"kit-{Throughline._contexts}"
        messages = [{"role": turn.role if turn.role == "assistant" else "user", "content": turn.text} for turn in turns]
        # The last turn would stay whole as the newest work: the kit asks about all of them alike.
        messages.append({"role": "user", "content": "Continue."})
        engine.call("open", context=context, model="gpt-5", wire="openai_chat", window=window, max_output=window // 10)
        engine.call("sync", context=context, messages=messages)
        engine.call("compact", context=context)
        synced = engine.call("sync", context=context, messages=messages)
        engine.call("close", context=context)
        return self._text(synced.get("result"), messages)

    @staticmethod
    def _text(synced, messages):
        shown = list(synced["notes"]) if synced else []
        for part in synced["references"] if synced else []:
            here = messages[part["from"] : part["to"]] if part["kind"] == "given" else part["messages"]
            shown.extend(message["content"] for message in here if message != messages[-1])
        text = "\n".join(shown)
        # Quotes of the user's words begin their lines with `> `, and are a line apart.
        return re.sub(r"\n{2,}", "\n", re.sub(r"(?m)^> ", "", FRAME.sub("", text))).strip()
