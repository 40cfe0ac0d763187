"""A little server on this machine: a webhook, a memory, or a model that wants its key."""

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Received:
    """What came in, oldest first: path, headers and body of each request."""

    def __init__(self):
        self.bodies = []
        self.headers = []


@contextmanager
def serving(answer):
    """Serve ``answer(body, headers) -> (status, value)``; yield the address and what came in."""
    received = Received()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            received.bodies.append(body)
            received.headers.append(dict(self.headers))
            status, value = answer(body, self.headers)
            content = json.dumps(value).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *words):
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", received
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
