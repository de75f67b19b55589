"""Reads a safetensors file with Python's standard library alone: python3 read_safetensors.py FILE"""
import array
import json
import struct
import sys

CODES = {"F64": "d", "F32": "f"}


def read(path):
    """Returns the metadata, and for each tensor its shape and its values in row-major order."""
    with open(path, "rb") as file:
        (length,) = struct.unpack("<Q", file.read(8))
        header = json.loads(file.read(length))
        data = file.read()
    metadata = header.pop("__metadata__", {})
    tensors = {}
    for name, tensor in header.items():
        begin, end = tensor["data_offsets"]
        tensors[name] = tensor["shape"], array.array(CODES[tensor["dtype"]], data[begin:end])
    return metadata, tensors


if __name__ == "__main__":
    for name, (shape, values) in read(sys.argv[1])[1].items():
        print(name, ",".join(map(str, shape)), *(float(value).hex() for value in values))
