#!/usr/bin/env python3
"""Checks the proof of a sealed game, without any of the project's code: docs/sealed.md says what the file means.

    python3 docs/examples/verify.py quizhall-ABC234-proof.json [SEAL]

SEAL is what the lobby showed, or its first 12 digits. Prints what the host decided otherwise than the key, then the verdict. Exit code 0:
the file agrees with its seal and its boards; 1: it does not, and the first disagreement is printed.
"""
import hashlib, json, re, sys
from canonical import canonical
from marking import SPACE, fold, mark
from scoring import LAST, UNMARKED, Answer, Player, board, mark_nearest

LABEL, FORMAT = b"quizhall-seal-1", "quizhall-proof-1"
SEALED = {"id", "text", "type", "choices", "correctAnswers", "tolerance", "points", "timeLimit"}
MARKINGS = ("answer_overridden", "answers_marked", "marks_corrected", "marking_undone")


class Disagreement(Exception):
    pass


def check(holds, what):
    if not holds:
        raise Disagreement(what)


def sha(*parts):
    return hashlib.sha256(b"".join(parts)).hexdigest()


def leaf(salt, question):
    check(set(question) <= SEALED, "a question has more than what is sealed")
    check(re.fullmatch("[0-9a-f]{32}", salt), "a salt is not 16 bytes")
    return sha(LABEL, bytes.fromhex(salt), canonical(question).encode())


def read(raw):
    """The proof, if the last line has the digest of all bytes before it."""
    end = re.fullmatch(rb'(.*\n)"digest":"([0-9a-f]{64})"\n}\n', raw, re.DOTALL)
    check(end, "the file does not end with its digest")
    check(sha(end[1]) == end[2].decode(), "the bytes of the file do not have its digest")
    return json.loads(raw)


def worth(counts):
    return counts and (counts["correct"], counts.get("points", 0))


class Game:
    def __init__(self, proof):
        self.proof, self.rounds, self.phase, self.round, self.scored = proof, proof["rounds"], "lobby", 0, 0
        self.questions = [dict(sealed["question"]) for sealed in proof["questions"]]
        self.played = [(at, one) for at, played in enumerate(self.rounds) for one in played["questions"]]
        numbers_of_all = [one["question"] for _, one in self.played]
        check(numbers_of_all == list(range(1, len(self.questions) + 1)), "the rounds have other questions")
        for (_, one), question in zip(self.played, self.questions):
            check(question.get("timeLimit") in (None, one.get("timeLimit")), "a question was not played with its time limit")
        self.answers, self.withdrawn, self.edited = [{} for _ in self.questions], set(), set()
        self.rulings = [[] for _ in self.questions]
        self.released = [[] for _ in self.rounds]
        self.players, self.tie, self.ties, self.given = [], None, 0, 0
        check(len({one["ref"] for one in proof["players"]}) == len(proof["players"]), "two players have the same ref")

    def player(self, event, also_removed=False):
        number = event["player"]
        check(0 < number <= len(self.players), "there is no such player")
        check(also_removed or not self.players[number - 1].removed, "the player was removed")
        return self.players[number - 1]

    def take(self, event):
        kind, current = event["kind"], self.round
        at = event.get("question", 0) - 1
        check("question" not in event or 0 <= at < len(self.questions), "there is no such question")
        if kind in ("joined", "seat_added"):
            self.players.append(Player())
            check(event["player"] == len(self.players) <= len(self.proof["players"]), "a player joins out of turn")
            self.players[-1].present, self.players[-1].paper = True, kind == "seat_added"
        elif kind in ("left", "returned"):
            check(self.player(event).present == (kind == "left"), "a player comes or goes twice")
            self.player(event).present = kind == "returned"
        elif kind == "player_removed":
            self.player(event).removed = True
        elif kind in ("player_renamed", "appealed", "appeal_dismissed"):
            self.player(event, also_removed=kind != "player_renamed")
        elif kind == "round_started":
            is_next = self.phase in ("lobby", "board") and event["round"] == current + 1 <= len(self.rounds)
            check(is_next, "a round begins out of turn")
            self.round, self.phase, self.tie = current + 1, "question", None
        elif kind == "question_released":
            is_now = self.phase == "question" and self.played[at][0] == current - 1
            check(is_now and at not in self.released[current - 1], "a question is shown out of turn")
            self.released[current - 1].append(at)
        elif kind == "round_ended":
            check(self.phase == "question" and event["round"] == current, "a round ends out of turn")
            self.phase = "review"
        elif kind in ("answered", "answer_entered"):
            phases = ("question",) if kind == "answered" else ("question", "review")
            is_open = self.phase in phases and at in self.released[current - 1] and at not in self.withdrawn
            check(is_open, "a question is answered out of turn")
            self.answer(event, at)
        elif kind in MARKINGS or kind == "key_changed":
            of_round = self.played[at][0]
            is_now = of_round < self.scored if kind == "marks_corrected" else of_round == current - 1 and current > self.scored
            check(is_now and at in self.released[of_round], "a question is marked out of turn")
            self.mark(event, at)
        elif kind == "question_edited":
            self.edit(event, at)
        elif kind == "question_withdrawn":
            is_there = at in self.released[self.played[at][0]] and at not in self.withdrawn
            check(is_there, "a question is withdrawn out of turn")
            self.withdrawn.add(at)
        elif kind == "joker_played":
            begun = self.phase == "question" and not self.released[current - 1]
            now = {"lobby": 1, "board": current + 1}.get(self.phase, current if begun else 0)
            check(self.player(event).joker is None and event["round"] == now, "a joker is played out of turn")
            self.player(event).joker = event["round"]
        elif kind == "jokers_returned":
            for player in self.players:
                player.joker = None
        elif kind == "points_adjusted":
            self.given += 1
            is_now = self.phase in ("question", "review", "board") and event["round"] == current
            check(is_now and event["points"] and event["number"] == self.given, "points by hand are out of turn")
            self.player(event).by_hand[self.given] = (current, event["points"])
        elif kind == "adjustment_undone":
            there = self.player(event, also_removed=True).by_hand.pop(event["number"], None)
            check(there, "there are no such points by hand")
        elif kind == "tie_break_started":
            check(self.phase == "board", "a tie-break begins out of turn")
            self.tie = (event["players"], event["answer"], {})
        elif kind == "tie_break_answered":
            self.player(event, also_removed=True)
            is_erased = self.proof["players"][event["player"] - 1].get("erased")
            check(self.tie and ("number" in event or is_erased), "there is no tie-break or no number")
            self.tie[2][event["player"]] = event.get("number")
        elif kind == "tie_break_ended":
            self.end_tie(event["places"])
        elif kind == "scores_released":
            check(self.phase == "review" and event["round"] == current, "scores come out of turn")
            mark_nearest(self)
            self.phase, self.scored, self.ties = "board", current, 0
            for player in self.players:
                player.ties = []
        else:
            check(kind == "ended" and self.phase == "board", f"an event of the kind {kind} is out of turn or unknown")
            self.phase = "ended"

    def answer(self, event, at):
        player, played = self.player(event), self.rounds[self.played[at][0]]
        text, key = event.get("text"), (event["correct"], event.get("points", 0))
        if text is None:
            check(player.paper or self.proof["players"][event["player"] - 1].get("erased"), "an answer has no text")
        else:
            question = self.questions[at]
            correct, near, points = mark(question, text)
            half = near and played.get("halfPoints")
            points = question.get("points", 1000) // 2 if half else points
            check(text and (correct, points) == key, f"the key of question {at + 1} marks this answer otherwise")
        elapsed, ruled = event.get("elapsedMs"), worth(event.get("ruled"))
        is_marked = self.questions[at]["type"] not in UNMARKED
        speed = is_marked and played.get("speedPoints") and self.played[at][1].get("timeLimit")
        check(speed or elapsed is None, "an answer has a time that counts nothing")
        check(elapsed is not None or "timePercent" not in event, "an answer has a time that counts nothing")
        check(ruled is None or self.is_ruled(at, text, ruled), "an answer counts by a ruling that the host has not made")
        self.answers[at][event["player"]] = Answer(text, key, ruled, elapsed, event.get("timePercent", 100))
        player.answered = True

    def is_ruled(self, at, text, counts):
        """The form of numbers and of several choices is not checked."""
        trimmed = lambda text: text.strip(SPACE)
        forms = {"text": fold, "multiple_choice": trimmed, "true_false": trimmed}
        form = forms.get(self.questions[at]["type"]) if text is not None else None
        rulings = (texts for texts, ruled in self.rulings[at] if ruled == counts)
        return any(form is None or form(text) in map(form, texts) for texts in rulings)

    def mark(self, event, at):
        kind, answers = event["kind"], self.answers[at]
        ruling = (event["correct"], event.get("points", 0)) if kind == "key_changed" else None
        if ruling:
            self.rulings[at].append((event["texts"], ruling))
        for one in event["marks"]:
            player, before = self.player(one, also_removed=True), answers.get(one["player"])
            host, ruled = worth(one.get("host")), worth(one.get("ruled"))
            if one.get("gone"):
                check(kind == "marking_undone" and before and before.text == "", "an answer of a player is missing")
                del answers[one["player"]]
                player.answered = player.answered and not one.get("unlisted")
                continue
            if ruling:
                is_of_key = before and before.host == host and ruled == ruling
                check(is_of_key and self.is_ruled(at, before.text, ruling), "a ruling changes another answer")
            elif kind != "marking_undone":
                check(host and ruled == (before and before.ruled), "a marking changes more than marks of the host")
            answer = answers.setdefault(one["player"], Answer())
            answer.host, answer.ruled, player.answered = host, ruled, True

    def edit(self, event, at):
        before, after = self.questions[at], event["edited"]
        check(leaf(self.proof["questions"][at]["salt"], after) == event["leaf"], "the new leaf is not that of the new question")
        words = {"text"} if at in self.released[self.played[at][0]] else {"text", "choices", "correctAnswers"}
        check(all(before.get(name) == after.get(name) for name in SEALED - words), "an edit changes more than words")
        self.questions[at] = after
        self.edited.add(at)

    def end_tie(self, places):
        check(self.tie, "there is no tie-break")
        asked, right, given = self.tie
        there = [number for number in asked if not self.players[number - 1].removed]
        off = {number: LAST ** 2 if given.get(number) is None else abs(given[number] - right) for number in there}
        nearest = [{"player": one, "place": 1 + sum(off[other] < off[one] for other in there)} for one in there]
        check(places == nearest or None in given.values(), "the places of the tie-break do not follow from its answers")
        for one in places:
            ties = self.player(one, also_removed=True).ties
            ties += [LAST] * (self.ties - len(ties)) + [one["place"]]
        self.ties, self.tie = self.ties + 1, None

    def decided(self):
        for at, answers in enumerate(self.answers):
            changed = sum(answer.counts() != answer.key for answer in answers.values())
            erased = sum(answer.text is None for answer in answers.values())
            said = {f"{changed} marks of question {at + 1} were changed by the host": changed,
                    f"question {at + 1} was edited": at in self.edited, f"question {at + 1} was withdrawn": at in self.withdrawn,
                    f"{erased} answers to question {at + 1} were erased": erased}
            yield from (what for what, holds in said.items() if holds)
        removed = sum(one.removed for one in self.players)
        if removed:
            yield f"{removed} players were removed by the host"
        if self.given:
            yield f"points were given by hand {self.given} times"


def verify(raw, seal=None):
    proof = read(raw)
    check(proof["format"] == FORMAT, "the file has another format")
    leaves = [leaf(one["salt"], one["question"]) for one in proof["questions"]]
    check(sha(LABEL, *map(bytes.fromhex, leaves)) == proof["seal"], "the questions do not have the seal of the file")
    shown = "".join((seal or "").lower().split())
    check(seal is None or len(shown) >= 12 and proof["seal"].startswith(shown), "the file has another seal")
    game, boards = Game(proof), list(proof["boards"])
    for number, event in enumerate(proof["events"], 1):
        check(event["n"] == number, f"event {number} is missing or not in its place")
        try:
            game.take(event)
            if event["kind"] in ("scores_released", "ended"):
                check(boards and boards.pop(0) == {"event": number, "entries": board(game)}, "the board is not the one that follows")
        except Disagreement as what:
            raise Disagreement(f"event {number}: {what}") from None
    check(not boards and game.phase == "ended" and len(game.players) == len(proof["players"]), "the file has too much or too little")
    return list(game.decided())


if __name__ == "__main__":
    try:
        with open(sys.argv[1], "rb") as file:
            for line in verify(file.read(), sys.argv[2] if len(sys.argv) > 2 else None):
                print(line)
    except (Disagreement, ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as what:
        sys.exit(f"The file does not agree: {what}")
    print("The file agrees with its seal and its boards.")
