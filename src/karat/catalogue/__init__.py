"""The catalogue of every problem that data can have.

It states what is expected and how to fix it, once for each code; readers, the command line, the server and the
documentation all take their words from here.
"""

from __future__ import annotations

from karat.catalogue.answers import ANSWERS
from karat.catalogue.campaigns import CAMPAIGNS
from karat.catalogue.case import Case as Case
from karat.catalogue.case import Severity as Severity
from karat.catalogue.data import DATA

CATALOGUE = {**DATA, **ANSWERS, **CAMPAIGNS}
