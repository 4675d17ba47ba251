"""All engines that come with karat: importing their modules files them in the registry."""

from __future__ import annotations

import karat.engines.aligner.engine
import karat.engines.biased
import karat.engines.edits.engine
import karat.engines.hypothesis_only
import karat.engines.linguistic.engine
import karat.engines.neural.engine
import karat.engines.outside.engine
import karat.engines.overlap
import karat.engines.trivial  # noqa: F401 - these file the engines
from karat.engines.engine import engines

__all__ = ["engines"]
