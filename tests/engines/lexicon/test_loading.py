"""The cache: found again, never half, rebuilt when it or the dictionary changes, and not needed."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from karat.engines.lexicon import loading
from karat.engines.lexicon.loading import cache_folder, cache_path, compile_dictionary, load, read_arrays
from karat.engines.lexicon.reading import Dictionary
from karat.engines.lexicon.wordnet import NO_WORDNET, WordNet


def same(first: WordNet, second: WordNet) -> bool:
    """Whether two say the same."""
    return first.name == second.name and all(
        np.array_equal(getattr(first, name), getattr(second, name))
        for name in ("starts", "words", "relations", "strengths", "fields", "part_counts")
    )


def test_compiled_once(small_dictionary: Dictionary, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second load reads what the first wrote."""
    first = load(small_dictionary)
    monkeypatch.setattr(loading, "compile_dictionary", None)
    second = load(small_dictionary)
    assert same(first, second)
    # Compiled kernels tell read-only arrays from others, and would be compiled for both.
    assert all(one.words.flags.writeable for one in (first, second, NO_WORDNET))


@pytest.mark.parametrize("damage", ["cut", "changed", "empty"])
def test_a_damaged_cache_is_rebuilt(small_dictionary: Dictionary, damage: str) -> None:
    """A cache cut short, with a byte changed, or emptied is made anew."""
    first = load(small_dictionary)
    path = cache_path(small_dictionary)
    whole = path.read_bytes()
    middle = len(whole) // 2
    changed = whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :]
    # A new file, as a crash would leave it: the old one is mapped.
    path.unlink()
    path.write_bytes({"cut": whole[:-1], "changed": changed, "empty": b""}[damage])
    assert same(first, load(small_dictionary))
    assert path.read_bytes() == whole


def test_a_changed_dictionary_is_compiled(small_dictionary: Dictionary) -> None:
    """Another size or time of a file is another cache."""
    before = cache_path(small_dictionary)
    file = small_dictionary.files["verb.exc"][0]
    os.utime(file, (1, 1))
    touched = cache_path(small_dictionary)
    with file.open("a") as opened:
        opened.write("bought buy\n")
    os.utime(file, (1, 1))
    assert len({before, touched, cache_path(small_dictionary)}) == 3


def test_old_caches_go(small_dictionary: Dictionary) -> None:
    """Of caches that pile up, as files change and versions come, the newest few stay."""
    for second in range(1, loading.CACHES_KEPT + 3):
        os.utime(small_dictionary.files["verb.exc"][0], (second, second))
        load(small_dictionary)
    assert len(list(cache_folder().iterdir())) == loading.CACHES_KEPT
    assert cache_path(small_dictionary).exists()


def test_no_place_for_a_cache(small_dictionary: Dictionary, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing can be written, or there is no home, the dictionary is compiled in memory."""
    first = load(small_dictionary)
    (tmp_path / "file").touch()
    monkeypatch.setenv("KARAT_CACHE", str(tmp_path / "file" / "below"))
    assert same(first, load(small_dictionary))
    monkeypatch.setattr(loading, "cache_folder", lambda: None)
    assert same(first, load(small_dictionary))


def test_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """KARAT_CACHE is the folder itself; else it is `karat` in the user's; a relative one is ignored."""
    monkeypatch.setenv("KARAT_CACHE", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "user"))
    assert cache_folder() == tmp_path
    monkeypatch.delenv("KARAT_CACHE")
    assert cache_folder() == tmp_path / "user" / "karat"
    monkeypatch.setenv("XDG_CACHE_HOME", "user")
    assert cache_folder() == Path.home() / ".cache" / "karat"


LOAD = "from karat.engines.lexicon.loading import load_wordnet as load; w = load(); print(w.name, len(w.words))"


def test_processes_at_once(small_dictionary: Dictionary) -> None:
    """Processes that compile at the same time all get it whole, and leave one file."""
    processes = [subprocess.Popen([sys.executable, "-c", LOAD], stdout=subprocess.PIPE, text=True) for _ in range(3)]
    said = {process.communicate(timeout=60)[0] for process in processes}
    whole = WordNet(*compile_dictionary(small_dictionary))
    assert said == {f"{whole.name} {len(whole.words)}\n"}
    assert list(cache_folder().iterdir()) == [cache_path(small_dictionary)]


def test_killed_while_writing(small_dictionary: Dictionary) -> None:
    """A process killed in the middle of writing leaves no cache that is believed."""
    code = "import os, time; os.fsync = lambda _: (print('writing', flush=True), time.sleep(60)); " + LOAD
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "writing\n"
    process.send_signal(signal.SIGKILL)
    process.communicate()
    path = cache_path(small_dictionary)
    assert path is not None
    assert read_arrays(path) is None
    assert load(small_dictionary).lemma_id("dog") >= 0
    assert read_arrays(path) is not None


def test_pickled(small: WordNet) -> None:
    """It travels to another process."""
    again = pickle.loads(pickle.dumps(small))
    assert same(small, again)
    assert again.lemma_id("dog") == small.lemma_id("dog")


def test_the_cache_is_small(installed: Dictionary) -> None:
    """All of WordNet takes under 80 MB."""
    assert load(installed)
    assert cache_path(installed).stat().st_size < 80e6
