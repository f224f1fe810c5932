#!/usr/bin/env python3
"""Hosts a game without a browser, question by question: creates it, waits for its players, takes each step, prints the results.

    QUIZHALL_URL=http://127.0.0.1:8080 QUIZHALL_HOST_TOKEN=… python3 docs/examples/host.py PLAYERS [QUIZ.json]

Prints `code CODE` first, and what it does on lines after that. Without a file it asks two questions of its own.
"""
import csv, io, json, sys
from connection import Closed, host_token, lasting, post, request

QUIZ = {"title": "Without a browser", "rounds": [{"title": "Both", "questions": [
    {"text": "Which planet is the largest?", "type": "multiple_choice", "choices": ["Jupiter", "Mars"],
     "correctAnswers": ["Jupiter"]},
    {"text": "What is six times nine?", "type": "numeric", "correctAnswers": ["54"], "points": 500}]}]}
# A question closes when all have answered, at the latest after 20 s, and no scores wait for a person who marks.
OPTIONS = {"pace": "question", "answerSeconds": 20, "closeWhenAnswered": True, "markLater": True}


def main(wanted, quiz):
    token = host_token()
    quiz_id = post("/api/v1/quizzes", quiz, token)["id"]
    game = post("/api/v1/games", {"quizId": quiz_id, **OPTIONS}, token)
    print("code", game["gameCode"], flush=True)
    players, step, taken = 0, None, None
    for host, kind, payload in lasting(game["gameCode"], token, "quizhall.v1"):
        if kind == "lobby_update":
            players = payload.get("total", len(payload["players"]))
        elif kind == "step_update":
            step = payload
        if step is None or (step["step"] == "start_game" and players < wanted):
            continue
        is_asked = step.get("waitsFor", {}).get("reason") == "answers"
        if not is_asked and step["step"] != "none" and taken != (host, step["number"]):
            taken = host, step["number"]  # once over each connection: a step that was taken is not taken again
            print(step["step"], flush=True)
            host.say("next", number=step["number"])
    results = request(f"/api/v1/games/{game['id']}/results.csv", token=token).decode("utf-8-sig")
    for line in csv.DictReader(io.StringIO(results)):
        if line["line"] == "standing":
            print(f"{line['rank']}. {line['displayName']}: {line['score']}")


if len(sys.argv) not in (2, 3) or not sys.argv[1].isdecimal():
    sys.exit("usage: host.py PLAYERS [QUIZ.json]")
try:
    main(int(sys.argv[1]), json.load(open(sys.argv[2], encoding="utf-8")) if len(sys.argv) == 3 else QUIZ)
except Closed as closed:
    sys.exit("another program or page of this host has opened the game" if closed.code == 4409 else f"closed: {closed}")
