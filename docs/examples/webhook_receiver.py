#!/usr/bin/env python3
"""Receives webhooks of Quizhall and checks their signatures, with only Python's standard library.

    WEBHOOK_SECRET=whsec_… python3 docs/examples/webhook_receiver.py PORT [COUNT]

Prints the body of each accepted delivery on a line; ends after COUNT of them.
"""
import base64, hashlib, hmac, os, sys, time
from http.server import BaseHTTPRequestHandler, HTTPServer

SECRET = os.environ.get("WEBHOOK_SECRET") or sys.exit("set WEBHOOK_SECRET to the key of the webhook")
KEY = base64.b64decode(SECRET.removeprefix("whsec_"))
TOLERANCE = 5 * 60  # seconds that a request may be old, or that the clocks may differ
LONGEST = 64 * 1024  # bytes of a body
seen = set()  # ids of deliveries; a real receiver keeps them for as long as their effects


def is_valid(headers, body):
    """Whether the service signed this body a short time ago."""
    identity, moment = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not moment.isdecimal() or abs(time.time() - int(moment)) > TOLERANCE:
        return False
    signed = hmac.new(KEY, f"{identity}.{moment}.".encode() + body, hashlib.sha256).digest()
    expected = "v1," + base64.b64encode(signed).decode()
    return any(hmac.compare_digest(expected, one) for one in headers.get("webhook-signature", "").split())


class Receiver(BaseHTTPRequestHandler):
    timeout = 10

    def do_POST(self):
        length = self.headers.get("content-length", "")
        if not length.isdecimal() or int(length) > LONGEST:
            return self.answer(413)
        body = self.rfile.read(int(length))
        if not is_valid(self.headers, body):
            return self.answer(401)
        identity = self.headers["webhook-id"]
        if identity not in seen:
            seen.add(identity)
            print(body.decode(), flush=True)
        # A delivery that was received before is acknowledged again.
        self.answer(204)

    def answer(self, status):
        self.send_response(status)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


if len(sys.argv) not in (2, 3):
    sys.exit("usage: webhook_receiver.py PORT [COUNT]")
port, count = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else None
server = HTTPServer(("127.0.0.1", port), Receiver)
while count is None or len(seen) < count:
    server.handle_request()
