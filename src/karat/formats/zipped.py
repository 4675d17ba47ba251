"""Members of zip files, of text that is limited in size, also where they are packed by Zstandard."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Callable
from importlib.util import find_spec

from karat.errors import Problems
from karat.formats.documents import Document, most_unpacked, readable_size

ZSTANDARD = 93
"""The number of Zstandard in a zip file, which Python unpacks from 3.14 on."""
LOCAL_HEADER, NAME_AT = 30, 26
"""The size of what precedes the name of a member, and where the sizes of its name and of its extra field stand."""
WHAT = "a zip file that can be unpacked"
NEEDS_ZSTANDARD = "install what unpacks it: pip install 'karat[inspect]'"


def open_zip(document: Document, wanted: Callable[[str], bool], fix: str, problems: Problems) -> dict[str, str] | None:
    """The wanted members of a zip file, decoded; None if they cannot be unpacked, which is reported."""
    try:
        archive = zipfile.ZipFile(io.BytesIO(document.data))
        parts = [part for part in archive.infolist() if wanted(part.filename)]
        limit = most_unpacked(document.data)
        if sum(part.file_size for part in parts) > limit:
            size = readable_size(limit)
            problems.add("too-large", f"more than {size} unpacked", file=document.name, limit=size)
            return None
        return {part.filename: _unpacked(document.data, archive, part).decode("utf-8") for part in parts}
    except NotImplementedError:
        able = find_spec("zstandard") or not any(part.compress_type == ZSTANDARD for part in parts)
        fixes = fix if able else f"{NEEDS_ZSTANDARD}; or {fix}"
        problems.add("log", "a compression that Python cannot unpack", file=document.name, what=WHAT, fix=fixes)
    except (zipfile.BadZipFile, zlib.error, RuntimeError, EOFError, OSError, ValueError, OverflowError) as error:
        problems.add("log", f"a damaged zip file ({error})", file=document.name, what=WHAT, fix=fix)
    return None


def _unpacked(data: bytes, archive: zipfile.ZipFile, part: zipfile.ZipInfo) -> bytes:
    """A member, of at most the size that the archive says it has."""
    try:
        return archive.read(part)
    except NotImplementedError:
        if part.compress_type != ZSTANDARD or find_spec("zstandard") is None:
            raise
    import zstandard  # here: few logs need it, and it is optional

    sizes = data[part.header_offset + NAME_AT : part.header_offset + LOCAL_HEADER]
    start = (
        part.header_offset + LOCAL_HEADER + int.from_bytes(sizes[:2], "little") + int.from_bytes(sizes[2:], "little")
    )
    packed = io.BytesIO(data[start : start + part.compress_size])
    try:
        # A frame that says another size than the archive would be a bomb: no more is unpacked than was announced.
        unpacked = zstandard.ZstdDecompressor().stream_reader(packed, read_across_frames=True).read(part.file_size + 1)
    except zstandard.ZstdError as error:
        raise zipfile.BadZipFile(str(error)) from error
    if len(unpacked) != part.file_size or zlib.crc32(unpacked) != part.CRC:
        raise zipfile.BadZipFile(f"{part.filename} is not as long as it should be, or changed")
    return unpacked
