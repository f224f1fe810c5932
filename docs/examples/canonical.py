"""JSON in the canonical form of RFC 8785, as the leaves of a seal need it. Used by verify.py."""
import json
from decimal import Decimal


def canonical(value):
    """The canonical form; the names of fields have to be ASCII."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{canonical(key)}:{canonical(value[key])}" for key in sorted(value)) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return json.dumps(value, ensure_ascii=False)
    _, digits, exponent = Decimal(repr(float(value))).normalize().as_tuple()
    digits = "".join(map(str, digits))
    point = len(digits) + exponent if float(value) else 1  # the place of the decimal point after the first digit
    if len(digits) <= point <= 21:
        return digits + "0" * (point - len(digits))
    if 0 < point <= 21:
        return digits[:point] + "." + digits[point:]
    if -6 < point <= 0:
        return "0." + "0" * -point + digits
    tail = f"e{'+' if point > 0 else '-'}{abs(point - 1)}"
    return digits[0] + ("." + digits[1:] if len(digits) > 1 else "") + tail
