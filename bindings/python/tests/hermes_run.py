"""A run of Hermes in a home folder of its own, against a scripted server: `hermes_run.py FOLDER [REFERENCE]`. The last line is JSON."""

import json
import os
import shutil
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from work import STEPS, WINDOW, Script

PLUGIN = Path(__file__).parent.parent / "examples" / "hermes"
CONFIG = """
context:
  engine: throughline
plugins:
  enabled: [throughline, rows]
compression:
  enabled: true
"""
ROWS = """
from work import LARGE, rows

def part(n):
    # Hermes writes what is larger than this into files of its own.
    return "\\n".join(rows(n).splitlines()[1000:1400]) if n == LARGE else rows(n)

def register(ctx):
    parameters = dict(type="object", properties=dict(n=dict(type="integer")))
    ctx.register_tool("big", "rows", dict(name="big", description="Dumps rows.", parameters=parameters), lambda args, **_: part(args["n"]))
"""
OVERFLOW = "This model's maximum context length is 200000 tokens. However, your messages resulted in 250000 tokens."


def home(folder: Path) -> None:
    """The plugin of the example, in a small window, and a tool."""
    plugins = folder / "plugins"
    shutil.copytree(PLUGIN, plugins / "throughline", dirs_exist_ok=True)
    code = (PLUGIN / "__init__.py").read_text()
    assert "Throughline(Engine())" in code
    opening = f"Throughline(Engine({str(folder / 'data')!r}), window={WINDOW}, max_output=2_000)"
    (plugins / "throughline" / "__init__.py").write_text(code.replace("Throughline(Engine())", opening))
    (plugins / "rows").mkdir(exist_ok=True)
    (plugins / "rows" / "__init__.py").write_text(ROWS)
    (plugins / "rows" / "plugin.yaml").write_text("name: rows\nversion: 0.1.0\ndescription: Rows.\n")
    (folder / "config.yaml").write_text(CONFIG)


class Server(BaseHTTPRequestHandler):
    script: Script
    requests: list = []

    def log_message(self, *_):
        pass

    def reply(self, body, status=200):
        written = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(written)))
        self.end_headers()
        self.wfile.write(written)

    def do_GET(self):
        self.reply({"data": [{"id": "m", "context_length": 200_000}]})

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        whole = {"id": "x", "object": "chat.completion", "created": 1, "model": "m"}
        if not body.get("tools"):  # a title
            said = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "title"}}
            self.reply({**whole, "choices": [said], "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}})
            return
        messages = body["messages"]
        self.requests.append(messages)
        does, input = self.script.next(len(messages), "\n".join(str(one.get("content") or "") for one in messages))
        if does == "overflow":
            self.reply({"error": {"message": OVERFLOW, "code": "context_length_exceeded", "type": "invalid_request_error"}}, 400)
            return
        call = {"id": f"c{self.script.step}", "type": "function", "function": {"name": does, "arguments": json.dumps(input)}}
        said = {"role": "assistant", "content": input["text"]} if does == "text" else {"role": "assistant", "content": "", "tool_calls": [call]}
        finish = "stop" if does == "text" else "tool_calls"
        usage = {"prompt_tokens": 1000, "completion_tokens": 9, "total_tokens": 1009, "prompt_tokens_details": {"cached_tokens": 800}}
        if not body.get("stream"):
            self.reply({**whole, "choices": [{"index": 0, "finish_reason": finish, "message": said}], "usage": usage})
            return
        delta = {**said, "tool_calls": [{**one, "index": at} for at, one in enumerate(said.get("tool_calls", []))]}
        choices = [[{"index": 0, "delta": delta, "finish_reason": None}], [{"index": 0, "delta": {}, "finish_reason": finish}], []]
        chunks = [{**whole, "object": "chat.completion.chunk", "choices": one} for one in choices]
        chunks[-1]["usage"] = usage
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        self.wfile.write("".join(f"data: {json.dumps(one)}\n\n" for one in chunks).encode() + b"data: [DONE]\n\n")


def are_pairs(messages) -> bool:
    """Every call has its result directly behind it, and every result its call."""
    waiting: list[str] = []
    for one in messages:
        if one["role"] == "tool":
            if one["tool_call_id"] not in waiting:
                return False
            waiting.remove(one["tool_call_id"])
        elif waiting:
            return False
        waiting += [call["id"] for call in one.get("tool_calls") or ()]
    return not waiting


def main(folder: str, reference: str = "") -> None:
    os.environ.update(HERMES_HOME=folder, HOME=folder, HERMES_YOLO_MODE="1")
    home(Path(folder))
    Server.script = Script(begun=STEPS, reference=reference) if reference else Script(overflow=40)
    server = ThreadingHTTPServer(("127.0.0.1", 0), Server)
    threading.Thread(target=server.serve_forever, daemon=True).start()

    from hermes_cli import plugins
    from run_agent import AIAgent

    plugins.discover_plugins()
    agent = AIAgent(
        base_url=f"http://127.0.0.1:{server.server_port}/v1",
        api_key="x",
        model="m",
        provider="custom",
        session_id="mine",
        quiet_mode=True,
        enabled_toolsets=["rows", "context_engine"],
        skip_context_files=True,
        skip_memory=True,
        tool_delay=0,
        max_iterations=100,
    )
    history = Path(folder) / "history.json"
    before = json.loads(history.read_text()) if reference else None
    said = agent.run_conversation("Read it again." if reference else "Dump everything.", "Be careful.", before)
    messages = said["messages"]
    history.write_text(json.dumps(messages))
    agent.context_compressor.on_session_end("mine", messages) if reference else None
    engine = agent.context_compressor
    context = engine.sessions.find("mine")
    context = context and context.context.blocking
    reads = [call["id"] for one in messages for call in one.get("tool_calls") or () if call["function"]["name"] == "read_result"]
    report = {
        "engine": type(engine).__module__,
        "sizes": Server.script.sizes,
        "output": said["final_response"],
        "pairs": all(map(are_pairs, Server.requests)),
        "read": [one["content"] for one in messages if one.get("tool_call_id") in reads][-1],
        "reference": Server.script.reference,
        "stored": len(messages),
        "receipts": len(context.receipts(most=200).receipts) if context else 0,
        "figures": [engine.compression_count, engine.last_prompt_tokens],
        "whole": "Dump everything." in str(Server.requests[-1]),
    }
    print(json.dumps(report), flush=True)
    if context:
        context.close()
    os._exit(0)


if __name__ == "__main__":
    main(*sys.argv[1:])
