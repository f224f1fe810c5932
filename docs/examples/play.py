#!/usr/bin/env python3
"""Plays a whole game against a running server: a host and two players, with Python's standard library alone.

    QUIZHALL_URL=http://127.0.0.1:8080 QUIZHALL_HOST_TOKEN=… python3 docs/examples/play.py
"""
import base64, json, os, socket, ssl, struct, sys
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

URL = os.environ.get("QUIZHALL_URL", "http://127.0.0.1:8080")
TOKEN = os.environ["QUIZHALL_HOST_TOKEN"]


def post(path, body, **headers):
    request = Request(URL + path, json.dumps(body).encode(), {"Content-Type": "application/json", **headers})
    with urlopen(request, timeout=10) as response:
        return json.load(response)


class Participant:
    """One connection to the game: JSON messages over a WebSocket (RFC 6455)."""

    def __init__(self, code, token):
        address = urlsplit(URL)
        secure = address.scheme == "https"
        self.socket = socket.create_connection((address.hostname, address.port or (443 if secure else 80)), timeout=10)
        if secure:
            self.socket = ssl.create_default_context().wrap_socket(self.socket, server_hostname=address.hostname)
        self.stream = self.socket.makefile("rb")
        key = base64.b64encode(os.urandom(16)).decode()
        lines = [f"GET /ws/{code} HTTP/1.1", f"Host: {address.netloc}", "Connection: Upgrade", "Upgrade: websocket",
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
        """The payload of the next message of this type; other messages are passed over."""
        while True:
            first, size = self.stream.read(2)
            if size > 125:
                size = int.from_bytes(self.stream.read(2 if size == 126 else 8), "big")
            data = self.stream.read(size)
            if first & 15 == 9:  # a ping wants a pong
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
