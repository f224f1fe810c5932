"""How answers are compared with a key, as docs/reference/messages.md#marking says. Used by verify.py; standard library only.

`mark(question, text)` gives (right, near, points): whether the answer is right, whether it is a near miss, and the points of a partly
right one. crates/rules/tests/marking.tsv has 300 pairs of texts that test it.
"""
import math, re
from unicodedata import category, combining, decimal, normalize

SPACE = "\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200b)))
LINES = ["lł", "oøɔ", "dđðɖɗ", "hħ", "iıɨ", "jȷɉ", "nŋ", "tŧ", "zƶ", "gǥɣ", "bƀɓ♭", "kĸƙ", "eɛ", "uʉ", "yƴ",
         "يیى", "كک", "هہ", "اٱ",
         "'`‘’‚‛ʹʺʻʼʽʾʿˈ′‵׳ꞌ٬", "\"„״", "-−", "/⁄∕", ":∶", "x×", "*∗⁎", "#♯", "%٪", ".٫", ",،", ";؛", "?؟", "·⋅∙"]
SPELLED = {sign: line[0] for line in LINES for sign in line[1:]} | {"æ": "ae", "œ": "oe", "þ": "th"}
ARTICLES = set("the a an le la les un une des der die das den dem ein eine el los las una uno il lo gli i de het een o os as um uma az "
               "ο η το οι τα".split())
CONJUNCTIONS = set("and und et y e i n og och en ve".split())
FOLDED, LONGEST_NEAR, PASSES = 3072, 100, 6

digit = lambda c: c != "" and c in "0123456789"
letter = lambda c: c != "" and not digit(c) and category(c)[0] in "LMN"
word = lambda c: digit(c) or letter(c)
space = lambda c: c != "" and c in SPACE
currency = lambda c: c != "" and category(c) == "Sc"
operator = lambda c: c in ("&", "^") or category(c) == "Sm"
spaceless = lambda c: bool(re.match("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\ua4cf\uf900-\ufaff\U00020000-\U0003ffff]", c))
alnum = lambda c: c.isalnum() or category(c) == "Mc" or category(c) == "Mn" and combining(c) == 0
digit_of = lambda c: str(decimal(c)) if category(c) == "Nd" else None


def number_readings(text):
    """The one or two numbers that a text can mean, the one with a decimal sign first: 1,665 is 1.665 or 1665."""
    plain = {"\uff0b": "+", "\uff0e": ".", "\u066b": ".", "\uff0c": ",", "\u2019": "'", "\u066c": "'"}
    plain |= {dash: "-" for dash in "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d"}
    text = "".join(digit_of(c) or plain.get(c) or (" " if space(c) else c) for c in text.strip(SPACE))
    parts = re.fullmatch(r"([+-]?) *([0-9,.' ]*?)(?:[eE]([+-]?[0-9]{1,3}))?", text)
    if not parts:
        return [None, None]
    sign, mantissa, exponent = parts[1], parts[2], parts[3] or "0"
    value = lambda whole, fraction: float(f"{sign}0{whole}.{fraction}0e{exponent}")
    finite = lambda number: number if number is not None and math.isfinite(number) else None
    if re.fullmatch("[0-9]+", mantissa):
        return [finite(value(mantissa, "")), None]
    split = split_decimal(mantissa)
    grouped = None if split and mantissa.startswith("0") else ungroup(mantissa)
    return [finite(value(*split)) if split else None, finite(value(grouped, "")) if grouped else None]


def numbers(text):
    return [number for number in number_readings(text) if number is not None]


def meant(accepted, tolerance):
    """The readings of an accepted number; one that the tolerance swallows is not meant when there is another."""
    first, second = number_readings(accepted)
    first = None if first is not None and second is not None and abs(first) <= tolerance else first
    return [number for number in (first, second) if number is not None]


def within(given, right, tolerance):
    size = max(abs(given), abs(right), tolerance)
    return abs(given - right) <= tolerance + 4 * 2.0 ** -52 * size


def split_decimal(mantissa):
    """The digits before and after a decimal sign that occurs once."""
    at = max(mantissa.rfind(","), mantissa.rfind("."))
    if at < 0 or mantissa.count(mantissa[at]) != 1:
        return None
    whole, fraction = mantissa[:at], mantissa[at + 1:]
    whole = whole if re.fullmatch("[0-9]*", whole) else ungroup(whole)
    return (whole, fraction) if whole is not None and re.fullmatch("[0-9]*", fraction) and whole + fraction else None


def ungroup(digits):
    """The digits without the separators of their groups of three, or of two and a last one of three."""
    groups = r"[0-9]{1,3}([,.' ])[0-9]{3}(\1[0-9]{3})*|[0-9]{1,2}([,.' ])[0-9]{2}(\3[0-9]{2})*\3[0-9]{3}"
    return re.sub("[^0-9]", "", digits) if re.fullmatch(groups, digits) else None


def fold(text):
    """The form in which two texts are compared."""
    folded = None
    for _ in range(PASSES):
        letters = alike(text if folded is None else folded)
        bare = Scan(letters).run()
        kept = bare or spaced(letters)  # a text of punctuation only is compared as it is
        if bare == letters or kept == folded:
            folded = kept
            break
        folded = kept
    return folded or spaced(text)


def spaced(text):
    return re.sub(f"[{SPACE}]+", " ", text).strip(" ")


def alike(text):
    """One spelling of each letter, digit and sign: compatibility forms, case, accents, invisible characters."""
    def case(c):
        return "".join(one.lower() for upper in c.lower() for one in upper.upper())
    accent = lambda c: 10 <= combining(c) <= 36 or 200 <= combining(c) <= 240
    folded = "".join(map(case, normalize("NFKD", in_line(text))[:FOLDED]))
    folded = normalize("NFC", "".join(c for c in normalize("NFKD", folded) if not accent(c)))
    out = ""
    for c in folded:
        if "\U000e0020" <= c <= "\U000e007f":
            if not (out and (out[-1] == "🏴" or "\U000e0020" <= out[-1] <= "\U000e007f")):
                continue
        elif category(c) == "Cf" or re.match("[\ufe00-\ufe0f\U000e0100-\U000e01ef\u180b-\u180f\U0001f3fb-\U0001f3ff\u20e3\u0640\u034f]", c):
            continue
        quote = '"' if category(c) in ("Pi", "Pf") else c
        spelled = SPELLED.get(c) or digit_of(c) or ("-" if category(c) == "Pd" else quote)
        out = out[:-1] + '"' if spelled == "'" == out[-1:] else out + spelled  # two apostrophes are a double prime
    return out


def in_line(text):
    """Powers, indices and fractions apart from the digits before them."""
    power, index = (lambda c: c in "²³¹" or "\u2070" <= c <= "\u207f"), (lambda c: "\u2080" <= c <= "\u208e")
    fraction = lambda c: c in "¼½¾\u2189" or "\u2150" <= c <= "\u215f"
    out, before = "", " "
    for c in text:
        after_digit = digit_of(before) is not None or index(before)
        if fraction(c) and after_digit:
            out += " "
        elif power(c) and not power(before) and (after_digit or c in "⁺⁻"):
            out += "^"
        elif index(c) and not index(before) and after_digit:
            out += "_"
        out += {"\xb4": "'", "\u02da": "°"}.get(c, c)
        before = c
    return out


class Scan:
    """Leaves out the signs that do not count: those without which a text would be the same word or number."""

    def __init__(self, text):
        self.text, self.at, self.out, self.unit = text, 0, "", ""
        self.gap = self.quoted = self.starred = self.spread = self.joining = False

    def run(self):
        while self.at < len(self.text):
            c = self.text[self.at]
            if digit(c):
                self.number()
                continue
            if space(c):
                self.gap, self.spread = True, False
            elif letter(c):
                self.keep(c)
            else:
                self.sign(c)
            self.at += 1
        return self.out

    last = property(lambda self: self.out[-1:])
    before = property(lambda self: "" if self.gap else self.out[-1:])
    ahead = property(lambda self: self.text[self.at + 1:].lstrip(SPACE)[:1])
    touches = property(lambda self: word(self.before) or word(self.after))

    @property
    def after(self):
        after = self.text[self.at + 1:self.at + 2]
        return "" if space(after) else after

    def between(self, kind):
        return kind(self.before) and kind(self.after)

    def long_before(self):
        part = self.text[max(0, self.at - 3):self.at]
        return len(part) == 3 and all(map(word, part))

    def long_after(self):
        part = self.text[self.at + 1:self.at + 4]
        return len(part) == 3 and all(map(word, part))

    def keep(self, c):
        self.make_room(c)
        self.out += c

    def keep_if(self, c, counts):
        self.keep(c) if counts else self.pause()

    def attach(self, c, joining=False):
        self.gap, self.out, self.joining = False, self.out + c, joining or self.joining

    def pause(self):
        self.gap = self.gap or not spaceless(self.before)

    def make_room(self, following):
        apart, last = self.gap and not self.joining, self.last
        self.gap = self.joining = False
        if apart and last:
            mixed = letter(last) and digit(following) or digit(last) and letter(following)
            of_sign = operator(last) or operator(following) or last == "°" and following in "cfk"
            of_number = digit(following) and last in "-'\"#\xa7" or digit(last) and following in "°%‰"
            if not (mixed or of_sign or of_number):
                self.out += " "

    def sign(self, c):
        before, after, ahead, last = self.before, self.after, self.ahead, self.last
        second, run = self.text[self.at + 2:self.at + 3], after == c or self.at > 0 and self.text[self.at - 1] == c
        of_number = (digit(last) or digit(ahead)) and word(last) and word(ahead)
        if c in "'\"":
            if not digit(before):
                self.quoted = True
            elif digit(after) or not (self.quoted or letter(after)):
                self.keep(c)
        elif c == ".":
            if run:
                self.pause()
            elif letter(before) and letter(after):
                self.spread = self.spread or self.long_before() or self.long_after()
                if self.spread:
                    self.pause()
            elif not word(before):
                if digit(after):
                    self.keep("0")
                self.keep_if(".", word(after))
        elif c == ",":
            if (not self.out or before == "-") and digit(after):
                self.keep("0")
                self.keep(".")
            else:
                self.pause()
        elif c == ":":
            self.attach(":", True) if digit(last) and digit(ahead) else self.pause()
        elif c == "-":
            amount = after if after and not currency(after) else second
            term = digit(last) or currency(last) or last != "" and last in "%‰°'\""
            if run:
                self.pause()
            elif digit(ahead) and term:
                self.attach("-", True)
            elif word(before):
                if not word(after):
                    self.keep_if("-", letter(before) and not self.long_before() and not digit(ahead))
            elif digit(amount) or not last and digit(ahead):
                self.keep("-")
            else:
                self.keep_if("-", letter(after) and not word(second))
        elif c == "/":
            if of_number:
                self.attach("/", True)
            elif not self.between(letter):
                self.pause()
        elif c == "*":
            if of_number:
                self.attach("*", True)
            elif self.between(letter):
                pass
            elif word(before) or before == "*":
                self.keep_if("*", not self.starred)
            else:
                self.starred = True
                self.pause()
        elif c == "+" and not self.out and digit(after) or c == "^" and letter(before) and digit(after):
            pass
        elif c in "#@!\xa7":
            counts = {"#": self.touches or digit(ahead), "@": self.touches, "!": self.between(letter), "\xa7": digit(ahead)}
            self.keep_if(c, counts[c])
        elif c in "%‰" or currency(c):
            leads = digit(ahead) and not (digit(last) and (not self.gap or not digit(after)))
            if leads and not self.unit:
                self.unit = c
            elif digit(last):
                self.attach(c)
            else:
                self.keep_if(c, currency(c) or self.touches)
        elif c in ";?\\\u1361":
            self.pause()
        elif c == "&" or c == "_" and self.between(digit) or category(c)[0] != "P":
            self.keep(c)
        else:
            self.gap = self.gap or self.between(digit)

    def number(self):
        """A number with one decimal sign and without separators, and the unit that was written before it."""
        text, at = self.text, self.at
        digits = lambda start: len(re.match("[0-9]*", text[start:])[0])
        end = at + digits(at)
        grouped = not (self.gap and digit(self.last)) and end - at <= 3
        while end < len(text):
            sign, following = text[end], digits(end + 1)
            if not (following > 0 if sign in ".,'" else space(sign) and grouped and following == 3):
                break
            grouped, end = grouped and space(sign), end + 1 + following
        self.make_room(text[at])
        number = "".join(" " if space(c) else c for c in text[at:end])
        signs, split = re.sub("[0-9]", "", number), split_decimal(number)
        whole = ungroup(number) if signs and not number.startswith("0") and signs != "." else None
        self.out += (number if not signs else whole or (".".join(split) if split else number.replace(",", " "))) + self.unit
        self.unit, self.at = "", end


def joined(written, folded):
    """A text without spaces, separators and its leading article, and with & for its conjunctions: enough for a near miss."""
    words, out, before = without_article(written, folded).split(" "), "", ""
    for at, one in enumerate(words):
        following = words[at + 1] if at + 1 < len(words) else ""
        least = 1 if len(one.encode()) > 1 else 3
        if one in CONJUNCTIONS and min(len(before), len(following)) >= least:
            before, out = one, out + "&"
            continue
        before = one
        out += (" " if digit(out[-1:]) and digit(one[:1]) else "") + bare_word(one)
    return out


def without_article(written, folded):
    if re.match("[lL]['’´`]", written.lstrip(SPACE)):
        return folded[1:] if folded.startswith("l") and len(folded) > 1 else folded
    end = next((at for at, c in enumerate(folded) if c == " " or digit(c)), 0)
    article, rest = folded[:end], folded[end:]
    if (rest.startswith(" ") or len(article.encode()) > 1) and article in ARTICLES:
        return rest.lstrip(SPACE)
    return folded[2:] if folded.startswith("ال") and len(folded) > 4 else folded


def bare_word(text):
    out = ""
    for at, c in enumerate(text):
        before, after = text[at - 1:at] if at else "", text[at + 1:at + 2]
        between_digits = digit(before) and digit(after)
        between_letters = before != "" and after != "" and before.isalpha() and after.isalpha()
        if c in "/:_-" and between_digits:
            out += " "
        elif c == "-" and digit(after):
            out += "-"
        elif c == "." and between_digits:
            groups = len(re.match("[0-9]*", text[at + 1:])[0]) == 3
            lead = re.search("[0-9]*$", text[:at])[0]
            out += "" if groups and len(lead) <= 3 and lead[0] != "0" else "."
        elif c in "!$@" and between_letters:
            out += {"!": "i", "$": "s", "@": "a"}[c]
        elif c in "#@" and not before and after.isalpha() or c in "-/._":
            pass
        else:
            out += c
    return out


def distance(a, b):
    """Insertions, deletions, replacements and swaps of neighbours."""
    rows = [list(range(len(b) + 1))]
    for i, x in enumerate(a, 1):
        row = [i]
        for j, y in enumerate(b, 1):
            row.append(min(rows[-1][j] + 1, row[-1] + 1, rows[-1][j - 1] + (x != y)))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                row[-1] = min(row[-1], rows[-2][j - 2] + 1)
        rows.append(row)
    return rows[-1][-1]


def near(accepted, text):
    right, given = fold(accepted), fold(text)
    if joined(accepted, right) and joined(accepted, right) == joined(text, given):
        return True
    allowed = sum(map(alnum, right)) // 5 if len(right) <= LONGEST_NEAR else 0
    return allowed > 0 and abs(len(right) - len(given)) <= allowed and distance(right, given) <= allowed


def named(answer, choices):
    """The places of the choices that an answer names, or None: by their texts, one on each line, or by letters."""
    def by_text(line):
        same = [at for at, choice in enumerate(choices) if choice.strip(SPACE) == line]
        alike = [at for at, choice in enumerate(choices) if choice.strip(SPACE).lower() == line.lower()]
        return same[0] if same else alike[0] if len(alike) == 1 else None
    lines = [line for line in (line.strip(SPACE) for line in answer.split("\n")) if line]
    places = list(map(by_text, lines))
    if lines and None not in places:
        return places
    words = [part for part in re.split(f"[{SPACE},;]+", answer) if part]
    if not lines or len(words) != 1 and any(len(part) > 1 for part in words):
        return None
    places = [ord(c.upper()) - 65 if re.match("[A-Za-z]", c) else -1 for c in "".join(words)]
    if not places or not all(0 <= at < len(choices) for at in places):
        return None
    return None if len(words) == 1 and len(set(places)) < len(places) else places


def mark(question, text):
    kind, right = question["type"], question["correctAnswers"]
    trimmed = [accepted.strip(SPACE) for accepted in right]
    points = question.get("points", 1000)
    if kind == "text":
        given = fold(text)
        correct = any(fold(accepted) == given for accepted in right)
        return correct, not correct and any(near(accepted, text) for accepted in right), 0
    if kind in ("multiple_choice", "true_false"):
        return text.strip(SPACE) in trimmed, False, 0
    if kind == "numeric":
        tolerance = question.get("tolerance", 0)
        wanted = [number for accepted in right for number in meant(accepted, tolerance)]
        return any(within(given, one, tolerance) for given in numbers(text) for one in wanted), False, 0
    if kind in ("multi_select", "order"):
        choices = question["choices"]
        places, chosen = [trimmed.index(c.strip(SPACE)) if c.strip(SPACE) in trimmed else None for c in choices], named(text, choices)
        if chosen is None:
            return False, False, 0
        if kind == "order":
            of = len(choices) - 1
            pairs = zip([places[at] for at in chosen], [places[at] for at in chosen[1:]])
            share = 0 if len(set(chosen)) < len(chosen) else sum(b == a + 1 for a, b in pairs)
        else:
            of = sum(place is not None for place in places)
            share = max(0, sum(1 if places[at] is not None else -1 for at in set(chosen)))
        return (True, False, 0) if share >= of else (False, False, points * share // max(of, 1))
    return False, False, 0  # of poll and word_cloud no answer is right; nearest is marked when the scores come out
