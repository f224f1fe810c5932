"""Points, scores, ranks and places of a game, from how its answers count: docs/reference/messages.md#marking. Used by verify.py."""
from marking import meant, numbers, within

UNMARKED, LAST = ("poll", "word_cloud"), 2 ** 32 - 1  # the place of a player who was not asked in a tie-break


class Player:
    def __init__(self):
        self.present = self.removed = self.paper = self.answered = False
        self.joker, self.ties, self.by_hand = None, [], {}  # points by hand: their number, the round and the points


class Answer:
    def __init__(self, text="", key=(False, 0), ruled=None, elapsed=None, percent=100):
        self.text, self.key, self.ruled, self.host, self.elapsed, self.percent = text, key, ruled, None, elapsed, percent

    def counts(self):
        """The host's mark comes first, then the ruling on the text, then the key."""
        return self.host or self.ruled or self.key


def earned(game, place, player, answer, number, streaks):
    """The points of one answer to the question at `place`, without a joker. Marked questions are numbered, so streaks have no gaps."""
    played, limit = game.rounds[game.played[place][0]], game.played[place][1].get("timeLimit")
    question, (correct, points), bonus = game.questions[place], answer.counts(), 0
    if not correct and points == 0 and answer.text != "" and question["type"] not in UNMARKED + ("nearest",):
        return played.get("wrongPoints", 0)
    if correct:
        points = question.get("points", 1000)
        length, before = streaks.get(player, (0, 0))
        streaks[player] = (length + 1 if before + 1 == number else 1, number)
        bonus = points * min(10 * (streaks[player][0] - 1), 50) // 100 if played.get("streaks") else 0
    if answer.elapsed is not None:
        whole = limit * 1000 * answer.percent // 100
        bonus += (2 * points * max(0, whole - answer.elapsed) + whole) // (2 * whole) if whole else 0
    return points + bonus


def mark_nearest(game):
    """Marks the questions of the round that ask for the nearest number: all answers with the least distance are right."""
    for at in (at for at in game.released[game.round - 1] if game.questions[at]["type"] == "nearest"):
        right = [number for text in game.questions[at]["correctAnswers"] for number in meant(text, 0)]
        pairs = {player: [(given, one) for given in numbers(answer.text or "") for one in right]
                 for player, answer in game.answers[at].items() if not game.players[player - 1].removed}
        least = min((abs(a - b) for each in pairs.values() for a, b in each), default=None)
        for player, answer in game.answers[at].items():
            answer.key = (any(within(a, b, least) for a, b in pairs.get(player, [])), 0)


def totals(game):
    """The points of all scored rounds, and of the last of them, by player."""
    scores, last, streaks, number = [0] * len(game.players), [0] * len(game.players), {}, 0
    for at, played in enumerate(game.rounds[:game.scored]):
        if not played.get("streaks") or at == 0 or game.rounds[at - 1]["section"] != played["section"]:
            streaks, number = {}, 0
        last = [0] * len(game.players)
        for place in (place for place in game.released[at] if place not in game.withdrawn):
            number += game.questions[place]["type"] not in UNMARKED
            for player, answer in game.answers[place].items():
                doubles = played.get("joker") and game.players[player - 1].joker == at + 1
                last[player - 1] += (2 if doubles else 1) * earned(game, place, player, answer, number, streaks)
        for index, player in enumerate(game.players):
            last[index] += sum(points for of_round, points in player.by_hand.values() if of_round == at + 1)
        scores = [score + added for score, added in zip(scores, last)]
    return scores, last


def board(game):
    """The lines of the players who are present or have answered: by place, then by number."""
    scores, last = totals(game)
    listed = [at for at, one in enumerate(game.players) if not one.removed and (one.present or one.answered or one.by_hand)]
    longest = max((len(game.players[at].ties) for at in listed), default=0)
    order = {at: (-scores[at], game.players[at].ties + [LAST] * (longest - len(game.players[at].ties))) for at in listed}
    listed.sort(key=order.get)
    entries, rank, place = [], 0, 0
    for number, at in enumerate(listed, 1):
        above = listed[number - 2] if number > 1 else None
        rank = rank if above is not None and scores[above] == scores[at] else number
        place = place if above is not None and order[above] == order[at] else number
        entries.append({"player": at + 1, "score": scores[at], "roundScore": last[at], "rank": rank, "place": place})
    return sorted(entries, key=lambda entry: (entry["place"], entry["player"]))
