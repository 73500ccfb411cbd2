/** The agent of `assay init` in Python, as a program and as a server. Those in JavaScript are in examples/flight-booking. */
export const PYTHON_PROGRAM = `"""The agent as a program: one request as JSON on stdin, one reply as JSON on stdout."""

import json
import sys

from agent import agent

request = json.load(sys.stdin)
print(json.dumps(agent(request["input"], request["memory"])))
`;

/** The port of the servers that `assay init` writes. */
export const PORT = 18_735;

export const PYTHON_SERVER = `"""The agent as an HTTP server: a POST with the request as JSON is answered with the reply as JSON."""

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from agent import agent


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        self.answer({"status": "ready"})

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.answer(agent(request["input"], request["memory"]))

    def answer(self, reply):
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(reply).encode())

    def log_message(self, *args):
        pass


ThreadingHTTPServer(("127.0.0.1", ${PORT}), Handler).serve_forever()
`;
