#!/usr/bin/env python3
"""Joins a game as a player, answers each question, and prints its points.

    QUIZHALL_URL=http://127.0.0.1:8080 python3 docs/examples/bot.py CODE NAME

Ends with the game.
"""
import sys, uuid
from connection import Closed, lasting, post


def answer_to(question):
    """The first choice, or 42: replace it by what your bot knows."""
    return question["choices"][0] if question.get("choices") else "42"


if len(sys.argv) != 3:
    sys.exit("usage: bot.py CODE NAME")
seat = post("/join", {"gameCode": sys.argv[1], "displayName": sys.argv[2]}, key=str(uuid.uuid4()))
answers = {}  # a question comes again after a lost connection, and gets the same answer
try:
    for player, kind, payload in lasting(seat["gameCode"], seat["sessionToken"]):
        if kind == "question_released":
            question = payload["question"]
            answer = answers.setdefault(question["id"], answer_to(question))
            player.say("submit_answer", questionId=question["id"], answer=answer)
        elif kind == "round_scores":
            print(f"{seat['displayName']} got {payload['roundTotal']} points in this round", flush=True)
        elif kind == "game_ended":
            own = next(entry for entry in payload["leaderboard"] if entry["playerId"] == seat["playerId"])
            print(f"{seat['displayName']} is number {own['rank']} with {own['score']} points")
except Closed as closed:
    sys.exit(f"closed: {closed}")
