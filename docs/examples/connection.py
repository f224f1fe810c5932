"""Requests and sockets of Quizhall for the scripts in this folder, with only Python's standard library.

QUIZHALL_URL is the address of the service, such as http://127.0.0.1:8080 or https://quiz.example.org. QUIZHALL_CA_FILE names a
file of certificate authorities to trust besides the system's. QUIZHALL_HOST_TOKEN is the token of a host.
"""
import base64, json, os, random, re, socket, ssl, struct, sys, time
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

URL = os.environ.get("QUIZHALL_URL", "http://127.0.0.1:8080").rstrip("/")
ADDRESS = urlsplit(URL)
SILENCE = 60  # seconds; the service pings every 25
# Another attempt has the same end: the end of the game, statuses of a refused socket, and faults of this program.
FINAL = {1000, 400, 401, 403, 404, 426, 4000, 4001, 4002, 4004}
TLS = ssl.create_default_context()
if os.environ.get("QUIZHALL_CA_FILE"):
    TLS.load_verify_locations(os.environ["QUIZHALL_CA_FILE"])


def host_token():
    return os.environ.get("QUIZHALL_HOST_TOKEN") or sys.exit("set QUIZHALL_HOST_TOKEN to the token of a host")


def request(path, body=None, token=None, key=None):
    """The bytes that answer a GET, or a POST of this body. Ends the program with the reason when the service refuses.

    A request with an Idempotency-Key that was sent and got no answer is repeated, with up to 31 s of pauses: its effect is that of one.
    """
    data = None if body is None else json.dumps(body).encode()
    headers = {"Content-Type": "application/json"} if data else {}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    if key:
        headers["Idempotency-Key"] = key
    for pause in [1, 2, 4, 8, 16, None] if key else [None]:
        try:
            with urlopen(Request(URL + path, data, headers), timeout=10, context=TLS) as response:
                return response.read()
        except HTTPError as error:
            sys.exit(f"{path}: {error.code} {error.read().decode()}")
        except (OSError, HTTPException) as error:
            reason = getattr(error, "reason", error)
        if isinstance(reason, ssl.SSLCertVerificationError):
            sys.exit(f"the certificate of {ADDRESS.hostname} is not accepted: {reason.verify_message}")
        if pause is None or (pause == 1 and isinstance(reason, ConnectionRefusedError)):
            sys.exit(f"{URL} does not answer: {reason}")
        time.sleep(pause)


def post(path, body, token=None, key=None):
    return json.loads(request(path, body, token, key))


class Closed(Exception):
    """The socket is closed: a close code with its reason, the HTTP status of a refused socket, or None for a lost connection."""

    def __init__(self, code, reason):
        super().__init__(f"{code} {reason}" if code else reason)
        self.code, self.reason = code, reason

    @property
    def is_final(self):
        return self.code is not None and (self.code in FINAL or self.code >= 4400)


class Participant:
    """One connection to the game: JSON messages over a WebSocket (RFC 6455)."""

    def __init__(self, code, token, protocol=None):
        encrypted = ADDRESS.scheme == "https"
        port = ADDRESS.port or (443 if encrypted else 80)
        try:
            self.socket = socket.create_connection((ADDRESS.hostname, port), timeout=SILENCE)
            if encrypted:
                self.socket = TLS.wrap_socket(self.socket, server_hostname=ADDRESS.hostname)
        except OSError as error:
            raise Closed(None, str(error)) from None
        self.stream = self.socket.makefile("rb")
        key = base64.b64encode(os.urandom(16)).decode()
        lines = [f"GET /ws/{code} HTTP/1.1", f"Host: {ADDRESS.netloc}", "Connection: Upgrade", "Upgrade: websocket",
                 "Sec-WebSocket-Version: 13", f"Sec-WebSocket-Key: {key}", f"Authorization: Bearer {token}"]
        if protocol:
            lines.append(f"Sec-WebSocket-Protocol: {protocol}")
        self.send(("\r\n".join(lines) + "\r\n\r\n").encode())
        status = self.take(self.stream.readline).decode().strip()
        headers = iter(lambda: self.take(self.stream.readline).decode().strip(), "")
        lengths = [int(header.split(":")[1]) for header in headers if header.lower().startswith("content-length:")]
        if " 101 " not in status:
            raise Closed(int(status.split()[1]), self.read(sum(lengths)).decode() or status)

    def say(self, kind, **payload):
        self.frame(1, json.dumps({"type": kind, "payload": payload}).encode())

    def messages(self):
        """Each message as its type and its payload, until the socket closes (`Closed`)."""
        while True:
            first, size = self.read(2)
            if size > 125:
                size = int.from_bytes(self.read(2 if size == 126 else 8), "big")
            data = self.read(size)
            if first & 15 == 9:  # a ping needs a pong
                self.frame(10, data)
            elif first & 15 == 8:
                raise Closed(int.from_bytes(data[:2], "big"), data[2:].decode())
            elif first & 15 == 1:
                message = json.loads(data)
                yield message["type"], message.get("payload") or {}

    def hear(self, kind):
        """The payload of the next message of this type; other messages are skipped."""
        return next(payload for heard, payload in self.messages() if heard == kind)

    def frame(self, opcode, data):
        size = bytes([0x80 | len(data)]) if len(data) < 126 else struct.pack("!BH", 0xFE, len(data))
        mask = os.urandom(4)
        self.send(bytes([0x80 | opcode]) + size + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(data)))

    def send(self, data):
        try:
            self.socket.sendall(data)
        except OSError as error:
            raise Closed(None, str(error)) from None

    def read(self, size):
        return self.take(lambda: self.stream.read(size), size)

    def take(self, read, size=1):
        try:
            data = read()
        except OSError as error:
            raise Closed(None, str(error)) from None
        if len(data) < size:
            raise Closed(None, "the connection is lost")
        return data


def lasting(code, token, protocol=None):
    """Each message of a game with the connection that it came over, across lost connections, until the game has ended."""
    attempt = 0
    while True:
        begun = time.monotonic()
        try:
            participant = Participant(code, token, protocol)
            for kind, payload in participant.messages():
                yield participant, kind, payload
                if kind == "game_ended":
                    return
        except Closed as closed:
            if closed.is_final:
                raise
            # As the reference has it: the window of the reason, or 5 s, then longer and longer.
            window = re.search(r"retry=(\d+)-(\d+)", closed.reason)
            pause = random.uniform(*map(int, window.groups()) if window else (0, 5))
            attempt = 0 if time.monotonic() - begun > 60 else attempt + 1
            time.sleep(pause + random.uniform(0, min(2 ** attempt, 30) if attempt > 1 else 0))
