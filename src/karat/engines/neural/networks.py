"""Networks that can be run: what the files of their folder say, pairs as what they read, and their outputs.

An ONNX file is run by onnxruntime, anything else by transformers.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from multiprocessing import parent_process
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from karat.arrays import Floats, Ints
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
        raise UsageError(
            f"{folder} is not a folder: neural(model='FOLDER') takes one with config.json and tokenizer.json"
        )
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


Inputs = dict[str, Ints]


class Encoder:
    """The tokeniser of a network."""

    def __init__(self, folder: Path, length: int, padding: int | None) -> None:
        try:
            from tokenizers import Tokenizer
        except ImportError:
            raise UsageError("neural networks need the package tokenizers: pip install 'karat[neural]'") from None
        path = folder / "tokenizer.json"
        if not path.exists():
            raise UsageError(
                f"there is no {path}; transformers writes one: AutoTokenizer.from_pretrained(…).save_pretrained(…)"
            )
        try:
            self._tokeniser = Tokenizer.from_file(str(path))
        except Exception as error:  # its library raises nothing more exact
            raise UsageError(f"cannot read {path}: {error}") from None
        self._padding = self._padding_of(padding)
        self._tokeniser.no_padding()
        self._tokeniser.no_truncation()
        self._room = length - self._tokeniser.num_special_tokens_to_add(True)
        self._length = length

    def too_long(self, hypotheses: Sequence[str]) -> list[int]:
        """The places of hypotheses that leave no room for a single token of T."""
        self._tokeniser.no_truncation()
        found = self._tokeniser.encode_batch(list(hypotheses), add_special_tokens=False)
        return [place for place, one in enumerate(found) if len(one.ids) >= self._room]

    def encode(self, texts: Sequence[str], hypotheses: Sequence[str], size: int) -> Iterator[tuple[Ints, Inputs]]:
        """Places of pairs, and what the network reads of them, up to so many at once; the shortest first."""
        # H is never cut: what it says must be judged whole.
        self._tokeniser.enable_truncation(self._length, strategy="only_first")
        found = self._tokeniser.encode_batch(list(zip(texts, hypotheses, strict=True)))
        lengths = np.array([len(one.ids) for one in found], dtype=np.int64)
        order = np.argsort(lengths, kind="stable")
        for begin in range(0, len(order), size):
            places = order[begin : begin + size]
            shape = len(places), int(lengths[places[-1]])
            ids = np.full(shape, self._padding, dtype=np.int64)
            types, mask = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
            for row, place in enumerate(places.tolist()):
                width = lengths[place]
                ids[row, :width], types[row, :width], mask[row, :width] = found[place].ids, found[place].type_ids, 1
            yield places, {"input_ids": ids, "attention_mask": mask, "token_type_ids": types}

    def _padding_of(self, said: int | None) -> int:
        own = self._tokeniser.padding
        return own["pad_id"] if own else said or 0


Network = Callable[[Inputs], Floats]
"""From what a network reads to its outputs, pairs × labels."""

FILES = ("model.onnx", "onnx/model.onnx")
TYPES = {"tensor(int64)": np.int64, "tensor(int32)": np.int32, "tensor(bool)": np.bool_, "tensor(float)": np.float32}


def load_network(folder: Path) -> Network:
    """The network of a folder."""
    for name in FILES:
        if (folder / name).exists():
            return _load_onnx(folder / name)
    if find_spec("transformers") and find_spec("torch"):
        return _load_transformers(folder)
    raise UsageError(
        f"there is no model.onnx in {folder}, and transformers and torch, which read other files, are not installed; "
        f"optimum writes one: optimum-cli export onnx --model {folder} --task text-classification {folder}"
    )


def threads() -> int:
    """Threads of one network: one where other processes share the machine, else (0) as many as there are."""
    said = os.environ.get("OMP_NUM_THREADS", "")
    return int(said) if said.isdecimal() else 0 if parent_process() is None else 1


def _load_onnx(path: Path) -> Network:
    try:
        import onnxruntime
    except ImportError:
        raise UsageError(f"{path} needs the package onnxruntime: pip install 'karat[neural]'") from None
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads()
    try:
        session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # its errors have no common class
        raise UsageError(f"onnxruntime cannot read {path}: {error}") from None
    wanted = {one.name: TYPES.get(one.type) for one in session.get_inputs()}
    unknown = set(wanted) - {"input_ids", "attention_mask", "token_type_ids"}
    if unknown or "input_ids" not in wanted or None in wanted.values():
        raise UsageError(
            f"{path} reads {', '.join(f'{one.name} ({one.type})' for one in session.get_inputs())}; a classifier of "
            "pairs reads input_ids, attention_mask and perhaps token_type_ids"
        )
    names = [one.name for one in session.get_outputs()]
    output = "logits" if "logits" in names else names[0]

    def run(inputs: Inputs) -> Floats:
        found = session.run([output], {name: inputs[name].astype(kind) for name, kind in wanted.items()})[0]
        return np.asarray(found, dtype=np.float64)

    return run


def _check_names(folder: Path) -> None:
    """Refuse files that would have others read: an adapter names its model, an index the parts of the weights."""
    if (folder / "adapter_config.json").exists():
        raise UsageError(f"{folder} is an adapter, which names another model: merge the two, and save the whole")
    index = folder / "model.safetensors.index.json"
    if index.exists():
        try:
            parts = set(msgspec.json.decode(index.read_bytes(), type=WeightsIndex).weight_map.values())
        except (OSError, ValueError) as error:
            raise UsageError(f"cannot read {index}: {error}") from None
        if any(Path(part).name != part for part in parts):
            raise UsageError(
                f"{index} names files of other folders: all parts of the weights must be in the same folder"
            )


class WeightsIndex(msgspec.Struct):
    """Which part of the weights is in which file."""

    weight_map: dict[str, str] = {}


def _load_transformers(folder: Path) -> Network:
    import torch
    from transformers import AutoModelForSequenceClassification

    _check_names(folder)
    try:
        # Weights in any other form are pickles, which are programs.
        loaded: Any = AutoModelForSequenceClassification.from_pretrained(
            str(folder), local_files_only=True, use_safetensors=True, trust_remote_code=False
        )
    except (OSError, ValueError) as error:
        raise UsageError(f"transformers cannot read {folder}: {error}") from None
    loaded.eval()
    if threads():
        torch.set_num_threads(threads())
    # Networks without types of tokens have one type only, and may refuse to be told of it.
    typed = getattr(loaded.config, "type_vocab_size", 0) > 1

    def run(inputs: Inputs) -> Floats:
        read = {name: torch.from_numpy(array) for name, array in inputs.items() if typed or name != "token_type_ids"}
        with torch.inference_mode():
            return np.asarray(loaded(**read).logits.double().numpy())

    return run
