#!/usr/bin/env python3
"""Plays a whole game against a running server: a host and two players, with only Python's standard library.

    QUIZHALL_URL=http://127.0.0.1:8080 QUIZHALL_HOST_TOKEN=… python3 docs/examples/play.py

QUIZHALL_URL may begin with https. QUIZHALL_CA_FILE names a file of certificate authorities to trust besides the system's.
"""
import base64, json, os, socket, ssl, struct, sys
from urllib.error import URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

URL = os.environ.get("QUIZHALL_URL", "http://127.0.0.1:8080")
ADDRESS = urlsplit(URL)
TOKEN = os.environ["QUIZHALL_HOST_TOKEN"]
TLS = ssl.create_default_context()
if os.environ.get("QUIZHALL_CA_FILE"):
    TLS.load_verify_locations(os.environ["QUIZHALL_CA_FILE"])


def post(path, body, **headers):
    request = Request(URL + path, json.dumps(body).encode(), {"Content-Type": "application/json", **headers})
    try:
        with urlopen(request, timeout=10, context=TLS) as response:
            return json.load(response)
    except URLError as error:
        if isinstance(error.reason, ssl.SSLCertVerificationError):
            sys.exit(f"the certificate of {ADDRESS.hostname} is not accepted: {error.reason.verify_message}")
        raise


class Participant:
    """One connection to the game: JSON messages over a WebSocket (RFC 6455)."""

    def __init__(self, code, token):
        encrypted = ADDRESS.scheme == "https"
        port = ADDRESS.port or (443 if encrypted else 80)
        self.socket = socket.create_connection((ADDRESS.hostname, port), timeout=10)
        if encrypted:
            self.socket = TLS.wrap_socket(self.socket, server_hostname=ADDRESS.hostname)
        self.stream = self.socket.makefile("rb")
        key = base64.b64encode(os.urandom(16)).decode()
        lines = [f"GET /ws/{code} HTTP/1.1", f"Host: {ADDRESS.netloc}", "Connection: Upgrade", "Upgrade: websocket",
                 "Sec-WebSocket-Version: 13", f"Sec-WebSocket-Key: {key}", f"Authorization: Bearer {token}"]
        self.socket.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        status = self.stream.readline().decode().strip()
        if " 101 " not in status:
            sys.exit(f"refused: {status}")
        while self.stream.readline().strip():
            pass

    def frame(self, opcode, data):
        size = bytes([0x80 | len(data)]) if len(data) < 126 else struct.pack("!BH", 0xFE, len(data))
        mask = os.urandom(4)
        self.socket.sendall(bytes([0x80 | opcode]) + size + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(data)))

    def say(self, kind, **payload):
        self.frame(1, json.dumps({"type": kind, "payload": payload}).encode())

    def hear(self, kind):
        """The payload of the next message of this type; other messages are skipped."""
        while True:
            first, size = self.stream.read(2)
            if size > 125:
                size = int.from_bytes(self.stream.read(2 if size == 126 else 8), "big")
            data = self.stream.read(size)
            if first & 15 == 9:  # a ping needs a pong
                self.frame(10, data)
            elif first & 15 == 8:
                sys.exit(f"closed: {int.from_bytes(data[:2], 'big')} {data[2:].decode()}")
            elif (message := json.loads(data))["type"] == kind:
                return message.get("payload", {})


as_host = {"Authorization": f"Bearer {TOKEN}"}
questions = [{"text": "Which planet do we live on?", "type": "text", "correctAnswers": ["Earth", "The Earth"]},
             {"text": "How many legs has a spider?", "type": "numeric", "correctAnswers": ["8"], "points": 500}]
quiz = post("/api/v1/quizzes", {"title": "By hand", "rounds": [{"title": "Only one", "questions": questions}]}, **as_host)
game = post("/api/v1/games", {"quizId": quiz["id"]}, **as_host)
seats = [post("/join", {"gameCode": game["gameCode"], "displayName": name}) for name in ("Ann", "Ben")]

host = Participant(game["gameCode"], TOKEN)
players = [Participant(game["gameCode"], seat["sessionToken"]) for seat in seats]
host.say("start_game")
opened = []
for question in game["rounds"][0]["questions"]:  # both are open at the same time
    host.say("release_question", questionId=question["id"])
    opened.append(host.hear("question_released")["question"])
for player, answers in zip(players, (["earth", "8"], ["our home", "eight"])):
    for question, answer in zip(opened, answers):
        player.say("submit_answer", questionId=question["id"], answer=answer)
        player.hear("answer_accepted")
host.say("end_round")
review = host.hear("round_review")["answers"]
print(f"{len(review)} answers to review")
home = next(answer for answer in review if answer["answer"] == "our home")
host.say("override_answer", playerId=home["playerId"], questionId=home["questionId"], correct=True)
host.hear("override_applied")
host.say("release_scores")
for seat, player in zip(seats, players):
    print(seat["displayName"], "got", player.hear("round_scores")["roundTotal"], "points in this round")
host.say("end_game")
for entry in players[0].hear("game_ended")["leaderboard"]:
    print(f"{entry['rank']}. {entry['displayName']}: {entry['score']}")
