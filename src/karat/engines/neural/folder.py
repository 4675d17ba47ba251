"""The folder of a network: what its files say of its labels, its length and its padding."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import msgspec

from karat.errors import UsageError
from karat.files import is_folder
from karat.labels import THREE, TWO, Spellings, Way, code_table

LENGTH = 512
"""Tokens of a pair where the files do not say how many the network can take."""
UNLIMITED = 100_000
"""Tokenisers without a limit of their own say an astronomic number."""
OFFSET = ("roberta", "xlm-roberta", "camembert", "longformer", "mpnet", "data2vec-text")
"""Networks that number their places from behind the number of padding."""
WEIGHTS = (".onnx", ".safetensors", ".bin", ".data")
ORDER = "labels='entailment,neutral,contradiction'"


class Config(msgspec.Struct):
    """What karat reads in `config.json`."""

    id2label: dict[str, str] = {}
    label2id: dict[str, int] = {}
    model_type: str = ""
    max_position_embeddings: int | None = None
    pad_token_id: int | None = None


class TokeniserConfig(msgspec.Struct):
    """What karat reads in `tokenizer_config.json`."""

    model_max_length: float | None = None


def read_config(folder: Path) -> Config:
    """The network's own description."""
    if not is_folder(folder):
        raise UsageError(f"{folder} is no folder: neural(model='FOLDER') takes one with config.json and tokenizer.json")
    return _read(folder / "config.json", Config)


def fingerprint(folder: Path) -> str:
    """The network by the SHA-256 of its files: what signatures name, wherever the folder lies."""
    digest = hashlib.sha256()
    for path in sorted(path for path in folder.iterdir() if path.suffix in WEIGHTS or path.suffix == ".json"):
        digest.update(path.name.encode() + b"\0")
        with path.open("rb") as file:
            digest.update(hashlib.file_digest(file, "sha256").digest())
    return f"sha256 {digest.hexdigest()[:12]}"


def most_tokens(folder: Path, config: Config) -> int:
    """How many tokens, with the special ones, the network can take."""
    path = folder / "tokenizer_config.json"
    said = _read(path, TokeniserConfig).model_max_length if path.exists() else None
    if said is not None and 0 < said < UNLIMITED:
        return int(said)
    places = config.max_position_embeddings
    if not places or places <= 0:
        return LENGTH
    return min(LENGTH, places - (1 + (config.pad_token_id or 0) if config.model_type in OFFSET else 0))


def label_codes(folder: Path, config: Config, given: str) -> tuple[Way, tuple[int, ...]]:
    """The way that the network answers in, and the code of each of its outputs, in their order."""
    names = [name.strip() for name in given.split(",")] if given else _names(folder, config)
    where = "labels=" if given else f"{folder / 'config.json'}, id2label"
    way = THREE if len(names) == 3 else TWO
    meanings, spellings = code_table(way), Spellings()
    codes = tuple(meanings.get(spellings[name] or "", -1) for name in names)
    if sorted(codes) != list(range(len(way.labels))):
        raise UsageError(
            f"{where}: the outputs of the network are called {', '.join(names)}, which is not entailment, neutral and "
            f"contradiction, nor entailment and not_entailment, each once; if you know in which order they are what, "
            f"say so: neural(model={str(folder)!r}, {ORDER})"
        )
    return way, codes


def _names(folder: Path, config: Config) -> list[str]:
    found = config.id2label or {str(place): name for name, place in config.label2id.items()}
    if set(found) != {str(place) for place in range(len(found))} or not found:
        raise UsageError(
            f"{folder / 'config.json'} does not name the outputs of the network (id2label): is it a classifier of "
            f"entailment? If so, say what they are: neural(model={str(folder)!r}, {ORDER})"
        )
    return [found[str(place)] for place in range(len(found))]


def _read(path: Path, kind: type[Any]) -> Any:
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot read {path}: {error}") from None
