"""Every way of drawing, filed."""

from __future__ import annotations

from karat.render.figures import bars as bars
from karat.render.figures import counts as counts
from karat.render.figures import heat as heat
from karat.render.figures import lines as lines
from karat.render.figures import points as points
from karat.render.figures import rows as rows
from karat.render.figures.drawn import drawn as drawn
