"""A terminal as far as tests need one: what its screen shows after all that was written to it."""

from __future__ import annotations

import re

CONTROL = re.compile(r"\x1b\[(\??[0-9;]*)([A-Za-z])|\r\n|[\r\n]|[^\x1b\r\n]+")


def screen(written: str) -> list[str]:
    """The lines on the screen down to where the cursor stands; what no control is known for is an error."""
    lines, row, column = [""], 0, 0
    for found in CONTROL.finditer(written):
        whole, numbers, letter = found.group(), found[1], found[2]
        if letter == "K":
            assert numbers == "2", whole
            lines[row] = ""
        elif letter == "A":
            row = max(row - int(numbers or 1), 0)
        elif letter is not None:
            assert letter in "mhl", whole  # colours, and the cursor shown or hidden
        elif "\n" in whole:
            row, column = row + 1, 0
            lines += [""] * (row + 1 - len(lines))
        elif whole == "\r":
            column = 0
        else:
            lines[row] = lines[row].ljust(column)[:column] + whole + lines[row][column + len(whole) :]
            column += len(whole)
    while len(lines) > row and not lines[-1].strip():
        lines.pop()
    return lines
