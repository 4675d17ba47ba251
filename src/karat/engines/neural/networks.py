"""Networks that can be run: an ONNX file by onnxruntime, anything else by transformers."""

from __future__ import annotations

import mmap
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from multiprocessing import parent_process
from pathlib import Path
from typing import Any, Literal

import msgspec
import numpy as np

from karat.arrays import Floats
from karat.engines.neural.encoding import Inputs, Shape
from karat.engines.neural.files import read_config
from karat.errors import UsageError

Device = Literal["cpu", "cuda"]
CLASSIFIER = "ForSequenceClassification"
LOGITS, HIDDEN = "logits", "last_hidden_state"


@dataclass(frozen=True, eq=False)
class Network:
    """A network that is loaded, and what its file says about its inputs and outputs."""

    source: Path
    shape: Shape
    outputs: Mapping[str, int | None]
    """The number of axes of each output, None if the file does not say."""
    run: Callable[[Inputs, str], Floats]
    """The named output for some inputs."""

    def labelling(self, asked: str = "") -> str:
        """The output with one row of labels per pair."""
        found = asked or self._choose(2, LOGITS)
        if found is None or self._checked(found) not in (2, None):
            raise UsageError(
                f"{self.source} has the {self._told()}: none of them has one number per label, so this is not a "
                "classifier of pairs. If it is an encoder, learn from labelled pairs: --train FILE"
            )
        return found

    def describing(self, asked: str = "") -> str:
        """The output to learn from: that of a classifier, else the last hidden layer, else one vector per text."""
        classifies = self.outputs.get(LOGITS, 3) in (2, None)
        found = asked or (LOGITS if classifies else self._choose(3, HIDDEN) or self._choose(2, "sentence_embedding"))
        if found is None or self._checked(found) not in (2, 3, None):
            raise UsageError(
                f"{self.source} has the {self._told()}: none of them is a vector per token or per text, from which "
                "something could be learnt; a model that predicts words must be exported as an encoder, "
                "optimum-cli export onnx --task feature-extraction"
            )
        return found

    def _choose(self, axes: int, preferred: str) -> str | None:
        """An output with so many axes, if possible the preferred one; three axes of logits are words, not layers."""
        fitting = [name for name, many in self.outputs.items() if many in (axes, None) and (axes, name) != (3, LOGITS)]
        return preferred if preferred in fitting else fitting[-1] if fitting else None

    def _checked(self, name: str) -> int | None:
        if name not in self.outputs:
            raise UsageError.unknown(f"output of {self.source}", name, list(self.outputs))
        return self.outputs[name]

    def _told(self) -> str:
        told = [f"{name} ({many or 'unknown number of'} axes)" for name, many in self.outputs.items()]
        return f"{'outputs' if len(told) > 1 else 'output'} {', '.join(told)}"


TYPES = {"tensor(int64)": np.int64, "tensor(int32)": np.int32, "tensor(bool)": np.bool_, "tensor(float)": np.float32}
KNOWN = ("input_ids", "attention_mask", "token_type_ids")
CACHES = ("past_key_values", "decoder_input_ids", "use_cache_branch")
"""Beginnings of the names of inputs of networks that write text, word by word."""
ROUNDS_TOGETHER = b"DynamicQuantizeLinear"
"""The operator that rounds numbers by the smallest and largest of all that is read at once."""


def load_network(folder: Path, onnx: Path | None, device: Device = "cpu") -> Network:
    """The network of a folder, from its ONNX file if there is one."""
    if onnx is not None:
        return load_onnx(onnx, device)
    if find_spec("transformers") and find_spec("torch"):
        return load_transformers(folder, device)
    raise UsageError(
        f"there is no model.onnx in {folder}, and transformers and torch, which read other files, are not installed; "
        f"optimum writes one: optimum-cli export onnx --model {folder} --task text-classification {folder}"
    )


def threads() -> int:
    """The threads of one network: one if other processes share the machine, else (0) as many as there are."""
    said = os.environ.get("OMP_NUM_THREADS", "")
    return int(said) if said.isdecimal() else 0 if parent_process() is None else 1


def load_onnx(path: Path, device: Device) -> Network:
    """The network in an ONNX file."""
    try:
        import onnxruntime
    except ImportError:
        raise UsageError(f"{path} needs the package onnxruntime: pip install 'karat[neural]'") from None
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads()
    options.log_severity_level = 3  # its warnings are about its own optimisations
    providers: list[Any] = ["CPUExecutionProvider"]
    if device == "cuda":
        here = onnxruntime.get_available_providers()
        if "CUDAExecutionProvider" not in here:
            raise UsageError(
                f"device=cuda: onnxruntime can use only {', '.join(here)} here; pip install onnxruntime-gpu instead of "
                "onnxruntime, or leave device out"
            )
        # Without rounding to 10 bits, which would make confidences depend on the device in the third digit.
        providers.insert(0, ("CUDAExecutionProvider", {"use_tf32": "0"}))
    try:
        session = onnxruntime.InferenceSession(str(path), options, providers=providers)
    except Exception as error:  # its errors have no common class
        raise UsageError(f"onnxruntime cannot read {path}: {error}") from None
    if device == "cuda" and "CUDAExecutionProvider" not in session.get_providers():
        # It would go on with the CPU without a word.
        raise UsageError(
            "device=cuda: onnxruntime finds no GPU, or not the libraries of CUDA and cuDNN that it was built for; see "
            "whether nvidia-smi lists a GPU, pip install 'onnxruntime-gpu[cuda,cudnn]', or leave device out"
        )
    wanted = {one.name: TYPES.get(one.type) for one in session.get_inputs()}
    shape = _shape(path, session.get_inputs(), wanted)
    if shape.rows is None and _rounds_together(path):
        shape = Shape(1, shape.tokens, shape.masked)

    def run(inputs: Inputs, output: str) -> Floats:
        found = session.run([output], {name: inputs[name].astype(kind) for name, kind in wanted.items()})[0]
        return np.asarray(found, dtype=np.float64)

    return Network(path, shape, {one.name: len(one.shape or ()) or None for one in session.get_outputs()}, run)


def _shape(path: Path, inputs: Any, wanted: Mapping[str, Any]) -> Shape:
    """How much is read at once, if the inputs are those of an encoder and agree about it."""
    told = ", ".join(f"{one.name} ({one.type}, {' × '.join(map(str, one.shape))})" for one in inputs)
    if any(name.startswith(CACHES) for name in wanted):
        raise UsageError(
            f"{path} reads {told}: this is (part of) a generative model, which writes text word by word; neural takes "
            "classifiers of pairs and encoders"
        )
    if set(wanted) - set(KNOWN) or "input_ids" not in wanted or None in wanted.values():
        raise UsageError(
            f"{path} reads {told}; expected input_ids, and perhaps attention_mask and token_type_ids, as whole "
            "numbers, which is how transformers and optimum-cli name them: export the network again, or rename its "
            "inputs"
        )
    shapes = {tuple(size if isinstance(size, int) and size > 0 else None for size in one.shape) for one in inputs}
    fixed = [{size for size in sizes if size} for sizes in zip(*shapes, strict=False)]
    if {len(sizes) for sizes in shapes} != {2} or any(len(sizes) > 1 for sizes in fixed):
        raise UsageError(f"{path} reads {told}; expected pairs × tokens, the same for each input")
    rows, tokens = (next(iter(sizes), None) for sizes in fixed)
    return Shape(rows, tokens, "attention_mask" in wanted)


def _rounds_together(path: Path) -> bool:
    """Whether a network is quantised such that pairs read together change each other's numbers."""
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        return content.find(ROUNDS_TOGETHER) >= 0


class WeightsIndex(msgspec.Struct):
    """Which part of the weights is in which file."""

    weight_map: dict[str, str] = {}


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


def load_transformers(folder: Path, device: Device) -> Network:
    """The network in a folder that transformers reads: as a classifier, if it is one, or without its last layer."""
    import torch
    import transformers

    _check_names(folder)
    transformers.utils.logging.disable_progress_bar()
    if device == "cuda" and not torch.cuda.is_available():
        raise UsageError("device=cuda: torch finds no such device here; leave device out")
    if threads():
        torch.set_num_threads(threads())
    classifies = any(name.endswith(CLASSIFIER) for name in read_config(folder).architectures or ())
    # As a classifier, an encoder would get a last layer of random numbers.
    outputs: dict[str, int | None] = {LOGITS: 2, HIDDEN: 3} if classifies else {HIDDEN: 3}

    @cache
    def load(output: str) -> Any:
        kind = transformers.AutoModelForSequenceClassification if output == LOGITS else transformers.AutoModel
        try:
            # Weights in any other form are pickles, which are programs.
            loaded = kind.from_pretrained(
                str(folder), local_files_only=True, use_safetensors=True, trust_remote_code=False
            )
        except (OSError, ValueError) as error:
            raise UsageError(f"transformers cannot read {folder}: {error}") from None
        return loaded.eval().to(device)

    load(next(iter(outputs)))

    def run(inputs: Inputs, output: str) -> Floats:
        loaded = load(output)
        # Networks without types of tokens have one type only, and may refuse to be told about it.
        typed = getattr(loaded.config, "type_vocab_size", 0) > 1
        read = {name: array for name, array in inputs.items() if typed or name != "token_type_ids"}
        with torch.inference_mode():
            found = loaded(**{name: torch.from_numpy(array).to(device) for name, array in read.items()})
            return np.asarray(getattr(found, output).double().cpu().numpy())

    return Network(folder, Shape(), outputs, run)
