"""What a chart shows, in words, for those who cannot see it."""

from __future__ import annotations

from karat.data.result import Chart

LONGEST = 32
"""Names beside a scale are no longer than this."""


def described(chart: Chart) -> str:
    """The chart in one sentence, every number of it that matters."""
    match chart.kind:
        case "lines":
            told = f"{chart.axes[1]} by {chart.axes[0]}; " + "; ".join(
                f"{name} " + (_told(chart, points) if (points := chart.points(name)) else "undefined")
                for name in chart.series
            )
        case "counts":
            told = "; ".join(
                f"{label} "
                + ", ".join(f"{values[row]:g} at {name}" for name, values in chart.series.items() if values[row])
                for row, label in enumerate(chart.labels)
            )
        case _:
            told = "; ".join(
                f"{label} " + ", ".join(f"{name} {values[place]:.3f}" for name, values in chart.series.items())
                for place, label in enumerate(chart.labels)
            )
    return printable(f"{chart.title}: {told}")


def _told(chart: Chart, points: list[tuple[float, float]]) -> str:
    """A line in words: where it begins and where it ends."""
    (first, start), (last, end) = points[0], points[-1]
    return f"{start:.3f} at {chart.told(first)} to {end:.3f} at {chart.told(last)}"


def printable(text: str) -> str:
    """The text with what XML forbids, or would break a line, spelled out."""
    return text if text.isprintable() else "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def short(label: str, longest: int = LONGEST) -> str:
    """A long name without its middle."""
    half = longest // 2 - 1
    return label if len(label) <= longest else f"{label[:half]}…{label[-half:]}"
