"""What the files in the folder of a network say: which file is the network, its labels, its length, its hash."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import msgspec

from karat.errors import UsageError
from karat.files import is_file, is_folder
from karat.labels import THREE, TWO, Spellings, Way, code_table

LENGTH = 512
"""The number of tokens per pair if the files do not say how many the network takes."""
UNLIMITED = 100_000
"""Tokenisers without a limit of their own give an astronomic number."""
OFFSET = ("roberta", "xlm-roberta", "camembert", "longformer", "mpnet", "data2vec-text")
"""Networks that number positions from after the padding token."""
WEIGHTS = (".safetensors", ".bin", ".data", ".onnx_data", ".json")
"""Files, beside the network itself, on which answers depend."""
GENERATIVE = ("ForCausalLM", "LMHeadModel", "ForConditionalGeneration")
"""Endings of the names of architectures that write text."""
UNNAMED = "LABEL_"
"""Names that transformers writes for outputs nobody has named."""
ORDER = "labels='entailment,neutral,contradiction'"


class Config(msgspec.Struct):
    """What karat reads in `config.json`."""

    id2label: dict[str, str] = {}
    label2id: dict[str, int] = {}
    model_type: str = ""
    architectures: list[str] | None = None
    max_position_embeddings: int | None = None
    pad_token_id: int | None = None


class TokeniserConfig(msgspec.Struct):
    """What karat reads in `tokenizer_config.json`."""

    model_max_length: float | None = None


class SentenceConfig(msgspec.Struct):
    """What karat reads in `sentence_bert_config.json`, which only encoders of sentences have."""

    max_seq_length: int | None = None


class PoolingConfig(msgspec.Struct):
    """What karat reads in `1_Pooling/config.json`, which only encoders of sentences have."""

    pooling_mode_cls_token: bool = False


def read_config(folder: Path) -> Config:
    """The description of the network in its folder; a network that writes text is refused."""
    if not is_folder(folder):
        raise UsageError(
            f"{folder} is not a folder: neural(model='FOLDER') takes one with config.json, tokenizer.json and the "
            "network (model.onnx)"
        )
    config: Config = _read(folder / "config.json", Config)
    writers = [name for name in config.architectures or () if name.endswith(GENERATIVE)]
    if writers:
        raise UsageError(
            f"{folder / 'config.json'}: {writers[0]} is a generative model, which writes text; neural takes "
            "classifiers of pairs (…ForSequenceClassification) and encoders. A program that prompts the model and "
            "reads its answers can be run by outside(command='…')"
        )
    return config


def find_onnx(folder: Path, given: str = "") -> Path | None:
    """The ONNX file of a folder, or None if there is none: the one named, model.onnx, or the only one there is."""
    if given:
        path = folder / given
        # Links are followed: the hub's own cache is made of them.
        if not path.is_relative_to(folder) or ".." in Path(given).parts or not is_file(path):
            there = ", ".join(_spelled(folder, one) for one in _onnx_files(folder)) or "no ONNX file"
            raise UsageError(f"file={given!r} is not a file in {folder}, which has {there}")
        return path
    found = _onnx_files(folder)
    for path in found:
        if path.name == "model.onnx":
            return path
    if len(found) > 1:
        names = [_spelled(folder, path) for path in found]
        raise UsageError(
            f"{folder} has {len(found)} ONNX files, {', '.join(names)}, none of them called model.onnx: say which, "
            f"neural(model={str(folder)!r}, file={names[0]!r})"
        )
    return found[0] if found else None


def _onnx_files(folder: Path) -> list[Path]:
    return [path for place in (folder, folder / "onnx") if place.is_dir() for path in sorted(place.glob("*.onnx"))]


def _spelled(folder: Path, path: Path) -> str:
    return path.relative_to(folder).as_posix()


def fingerprint(folder: Path, network: Path | None) -> str:
    """The SHA-256 of all files that answers depend on, which signatures and models name; not of other ONNX files."""
    digest = hashlib.sha256()
    places = {folder, network.parent if network else folder}
    files = {path for place in places for path in place.iterdir() if path.suffix in WEIGHTS}
    for path in sorted(files | ({network} if network else set())):
        digest.update(_spelled(folder, path).encode() + b"\0")
        with path.open("rb") as file:
            digest.update(hashlib.file_digest(file, "sha256").digest())
    return f"sha256 {digest.hexdigest()[:12]}"


def most_tokens(folder: Path, config: Config) -> int:
    """How many tokens, including the special ones, the network can take."""
    for name, kind, field in (
        ("sentence_bert_config.json", SentenceConfig, "max_seq_length"),
        ("tokenizer_config.json", TokeniserConfig, "model_max_length"),
    ):
        said = getattr(_read(folder / name, kind), field) if is_file(folder / name) else None
        if said is not None and 0 < said < UNLIMITED:
            return int(said)
    places = config.max_position_embeddings
    if not places or places <= 0:
        return LENGTH
    return min(LENGTH, places - (1 + (config.pad_token_id or 0) if config.model_type in OFFSET else 0))


def pools_first(folder: Path) -> bool:
    """Whether an encoder of sentences represents a text by its first token; others take the mean of all tokens."""
    path = folder / "1_Pooling" / "config.json"
    return is_file(path) and bool(_read(path, PoolingConfig).pooling_mode_cls_token)


def encodes_sentences(folder: Path) -> bool:
    """Whether the folder says that the network was trained to encode one text at a time."""
    return is_file(folder / "modules.json") or is_file(folder / "sentence_bert_config.json")


def label_codes(folder: Path, config: Config, given: str) -> tuple[Way, tuple[int, ...]]:
    """Whether the network answers in two or three ways, and the code of each of its outputs, in their order."""
    names = [name.strip() for name in given.split(",")] if given else _names(folder, config)
    where = "labels=" if given else f"{folder / 'config.json'}, id2label"
    way = THREE if len(names) == 3 else TWO
    meanings, spellings = code_table(way), Spellings()
    codes = tuple(meanings.get(spellings[name] or "", -1) for name in names)
    if sorted(codes) != list(range(len(way.labels))):
        raise UsageError(
            f"{where}: the outputs of the network are called {', '.join(names)}; expected entailment, neutral and "
            f"contradiction, or entailment and not_entailment, each once. If you know which output is which, say so, "
            f"neural(model={str(folder)!r}, {ORDER}); or let karat learn it from labelled pairs, --train FILE"
        )
    return way, codes


def _names(folder: Path, config: Config) -> list[str]:
    by_number = {int(place): name for place, name in config.id2label.items() if place.isdecimal()}
    turned = {place: name for name, place in config.label2id.items() if not (by_number and name.startswith(UNNAMED))}
    if by_number and turned and _folded(by_number) != _folded(turned):
        raise UsageError(
            f"{folder / 'config.json'}: id2label says {_listed(by_number)}, but label2id says {_listed(turned)}; "
            f"find out which is right, and say so: neural(model={str(folder)!r}, {ORDER})"
        )
    found = by_number or turned
    if not found or set(found) != set(range(len(found))):
        raise UsageError(
            f"{folder / 'config.json'} does not name the outputs of the network (id2label). If it is a classifier of "
            f"entailment, say what they are, neural(model={str(folder)!r}, {ORDER}); if it is an encoder, or a "
            "classifier of something else, learn from labelled pairs, --train FILE"
        )
    return [found[place] for place in range(len(found))]


def _folded(names: dict[int, str]) -> dict[int, str]:
    return {place: name.casefold() for place, name in names.items()}


def _listed(names: dict[int, str]) -> str:
    return ", ".join(f"{place} {names[place]}" for place in sorted(names))


def _read(path: Path, kind: type[Any]) -> Any:
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot read {path}: {error}") from None
