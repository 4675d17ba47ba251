"""The files of a network run no program, and have no file read that lies elsewhere."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from karat.engines.neural import networks
from karat.errors import UsageError


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What transformers is asked for, where it is not installed."""
    calls: list[dict[str, Any]] = []

    class Auto:
        """As far as it is used."""

        def __init__(self, kind: str) -> None:
            self._kind = kind

        def from_pretrained(self, folder: str, **options: Any) -> None:
            """Note how it is called, and load nothing."""
            calls.append({"kind": self._kind, "folder": folder, **options})
            raise OSError("no file named model.safetensors")

    monkeypatch.setitem(sys.modules, "torch", SimpleNamespace(set_num_threads=lambda _: None))
    quiet = SimpleNamespace(logging=SimpleNamespace(disable_progress_bar=lambda: None))
    kinds = {name: Auto(name) for name in ("AutoModel", "AutoModelForSequenceClassification")}
    monkeypatch.setitem(sys.modules, "transformers", SimpleNamespace(utils=quiet, **kinds))
    monkeypatch.setattr(networks, "find_spec", lambda _: True)
    return calls


@pytest.mark.parametrize(
    ("architecture", "kind"),
    [("BertForSequenceClassification", "AutoModelForSequenceClassification"), ("BertModel", "AutoModel")],
)
def test_safetensors_only(tmp_path: Path, asked: list[dict[str, Any]], architecture: str, kind: str) -> None:
    """Weights that are pickles are not loaded, nor code that comes with them, nor anything from the network.

    An encoder is not loaded as a classifier, which would give it a last layer of random numbers.
    """
    (tmp_path / "pytorch_model.bin").write_bytes(b"pickle")
    (tmp_path / "config.json").write_text(json.dumps({"architectures": [architecture]}))
    with pytest.raises(UsageError, match="transformers cannot read"):
        networks.load_network(tmp_path, None)
    safe = {"use_safetensors": True, "trust_remote_code": False, "local_files_only": True}
    assert asked == [{"kind": kind, "folder": str(tmp_path), **safe}]


@pytest.mark.parametrize("part", ["../secret.safetensors", "/secret.safetensors", "sub/x.safetensors"])
def test_parts_elsewhere(tmp_path: Path, asked: list[dict[str, Any]], part: str) -> None:
    """An index of weights names files beside it only."""
    (tmp_path / "model.safetensors.index.json").write_text(
        json.dumps({"weight_map": {"a": "b.safetensors", "c": part}})
    )
    with pytest.raises(UsageError, match="names files of other folders"):
        networks.load_network(tmp_path, None)
    assert asked == []


def test_adapters(tmp_path: Path, asked: list[dict[str, Any]]) -> None:
    """An adapter names a model that would be read instead."""
    (tmp_path / "adapter_config.json").write_text('{"base_model_name_or_path": "/elsewhere"}')
    with pytest.raises(UsageError, match="is an adapter"):
        networks.load_network(tmp_path, None)
    assert asked == []


@pytest.mark.parametrize("location", ["../secret.bin", "sub/../../secret.bin", "link.bin", "/proc/self/environ"])
def test_onnx_data_elsewhere(tmp_path: Path, location: str) -> None:
    """Nor does an ONNX file have data read from outside of its folder."""
    pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")
    onnx = pytest.importorskip("onnx", reason="onnx, which makes the network, is not installed")
    folder = tmp_path / "network"
    folder.mkdir()
    np.array([1, 2], np.float32).tofile(tmp_path / "secret.bin")
    (folder / "link.bin").symlink_to(tmp_path / "secret.bin")
    kept = onnx.TensorProto(name="w", data_type=onnx.TensorProto.FLOAT, dims=[2])
    kept.data_location = onnx.TensorProto.EXTERNAL
    kept.external_data.add(key="location", value=location)
    ends = [onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, [2]) for name in ("input_ids", "y")]
    node = onnx.helper.make_node("Add", ["input_ids", "w"], ["y"])
    graph = onnx.helper.make_graph([node], "g", ends[:1], ends[1:], [kept])
    made = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 13)], ir_version=8)
    (folder / "model.onnx").write_bytes(made.SerializeToString())
    with pytest.raises(UsageError, match="onnxruntime cannot read"):
        networks.load_network(folder, folder / "model.onnx")
