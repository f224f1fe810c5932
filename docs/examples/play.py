#!/usr/bin/env python3
"""Plays a whole game against a running server: a host and two players, with only Python's standard library.

    QUIZHALL_URL=http://127.0.0.1:8080 QUIZHALL_HOST_TOKEN=… python3 docs/examples/play.py
"""
from connection import Participant, host_token, post

TOKEN = host_token()
questions = [{"text": "Which planet do we live on?", "type": "text", "correctAnswers": ["Earth", "The Earth"]},
             {"text": "How many legs has a spider?", "type": "numeric", "correctAnswers": ["8"], "points": 500}]
quiz = post("/api/v1/quizzes", {"title": "By hand", "rounds": [{"title": "Only one", "questions": questions}]}, TOKEN)
game = post("/api/v1/games", {"quizId": quiz["id"]}, TOKEN)
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
