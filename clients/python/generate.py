"""Writes the types of the contract and the methods of the clients: `types.py` and `_operations.py`. Needs PyYAML.

Without an argument it reads the contract in this repository; `generate.py CONTRACT FOLDER` reads and writes elsewhere.
"""

from __future__ import annotations

import keyword
import sys
import textwrap
from pathlib import Path
from typing import Any

import yaml

HERE = Path(__file__).resolve().parent
Schema = dict[str, Any]

# The fields that are texts in the contract and may be objects of the package here.
CUBES = {"cube", "facelets", "scramble", "target"}
MOVES = {"scramble", "solution", "moves", "alg"}

TYPES_HEAD = '''"""Types of the contract. Written by `generate.py`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Dict, List, Literal, Protocol, TypedDict, Union

if sys.version_info >= (3, 11):
    from typing import NotRequired, Required, TypeAlias
elif TYPE_CHECKING:
    from typing_extensions import NotRequired, Required, TypeAlias

if TYPE_CHECKING:
    from ._native import Cube, Moves


class Array(Protocol):
    """An array, such as one of numpy."""

    def tolist(self) -> Any:
        """Returns nested lists."""

'''

OPERATIONS_HEAD = '''"""The operations of the contract as methods. Written by `generate.py`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, AsyncIterator, Dict, Iterable, Iterator, List, NamedTuple, Tuple, Union

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from . import types as t
    from ._native import Cube, Moves


class Operation(NamedTuple):
    """An operation of the contract."""

    method: str
    path: str
    query: Tuple[str, ...]
    body: Union[str, None]
    accept: str

'''


def wrapped(text: str, indent: int, width: int = 120) -> str:
    """The text in lines, each after `indent` spaces, without those before the first."""
    lines: list[str] = []
    for paragraph in text.split("\n\n"):
        lines += textwrap.wrap(" ".join(paragraph.split()), width - indent, break_long_words=False, break_on_hyphens=False)
        lines.append("")
    return f"\n{' ' * indent}".join(lines[:-1]).replace(f"\n{' ' * indent}\n", "\n\n").replace("\\", "\\\\").replace('"""', "'''")


class Contract:
    """The contract, and the types that it names."""

    def __init__(self, document: Schema) -> None:
        self.document = document
        self.schemas: dict[str, Schema] = document["components"]["schemas"]

    def resolve(self, node: Schema) -> Schema:
        """Follows references."""
        while "$ref" in node:
            target: Any = self.document
            for key in node["$ref"][2:].split("/"):
                target = target[key]
            node = target
        return node

    def type_of(self, schema: Schema, prefix: str = "") -> str:
        """The type of a schema as an expression."""
        if "$ref" in schema:
            return prefix + str(schema["$ref"].rsplit("/", 1)[1])
        if "enum" in schema:
            return "Literal[" + ", ".join(repr(value) for value in schema["enum"]) + "]"
        for key in ("oneOf", "anyOf"):
            if key in schema:
                return union([self.type_of(one, prefix) for one in schema[key]])
        kind = schema.get("type")
        if isinstance(kind, list):
            return union([self.type_of({**schema, "type": one}, prefix) for one in kind])
        if kind == "array":
            return f"List[{self.type_of(schema.get('items', {}), prefix)}]"
        if kind == "object" or "additionalProperties" in schema:
            values = schema.get("additionalProperties")
            return f"Dict[str, {self.type_of(values, prefix) if isinstance(values, dict) else 'Any'}]"
        plain = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}
        return plain.get(str(kind), "Any")

    def fields(self, schema: Schema) -> tuple[dict[str, Schema], set[str]]:
        """All fields of an object, of each alternative too, and those that every alternative requires."""
        schema = self.resolve(schema)
        fields = dict(schema.get("properties", {}))
        required = set(schema.get("required", []))
        for part in schema.get("allOf", []):
            more, needed = self.fields(part)
            fields.update(more)
            required |= needed
        alternatives = [self.fields(part) for part in schema.get("oneOf", []) if self.resolve(part).get("type") != "null"]
        for more, _ in alternatives:
            for name, field in more.items():
                if fields.get(name, {"type": "null"}).get("type") == "null":
                    fields[name] = field
        if alternatives:
            required |= set.intersection(*(needed for _, needed in alternatives))
        return fields, required

    def is_object(self, schema: Schema) -> bool:
        return "properties" in schema or ("allOf" in schema and "oneOf" not in schema)

    def description(self, schema: Schema) -> str:
        """What a field is, with its range."""
        own = schema.get("description") or next(
            (one["description"] for one in schema.get("oneOf", []) if one.get("description")), ""
        )
        limits = [f"{word} {schema[key]}" for key, word in (("minimum", "from"), ("maximum", "to")) if key in schema]
        return f"{own} ({' '.join(limits)})" if limits else str(own)


def union(types: list[str]) -> str:
    distinct = list(dict.fromkeys(types))
    return distinct[0] if len(distinct) == 1 else "Union[" + ", ".join(distinct) + "]"


def python_name(name: str) -> str:
    return name + "_" if keyword.iskeyword(name) else name


def camel(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("_"))


def typed_dict(contract: Contract, name: str, schema: Schema) -> str:
    fields, required = contract.fields(schema)
    text = f"\nclass {name}(TypedDict):\n" + f'    """{wrapped(schema.get("description", name), 4)}"""\n'
    if any(keyword.iskeyword(field) for field in fields):
        pairs = [
            f"        {field!r}: {quoted(contract.type_of(own) if field in required else f'NotRequired[{contract.type_of(own)}]')},\n"
            for field, own in fields.items()
        ]
        return f"\n{name} = TypedDict(\n    {name!r},\n    {{\n{''.join(pairs)}    }},\n)\n"
    for field, own in fields.items():
        kind = contract.type_of(own)
        text += f"\n    {field}: {kind if field in required else f'NotRequired[{kind}]'}\n"
        if description := contract.description(own):
            text += f'    """{wrapped(description, 4)}"""\n'
    return text


def quoted(expression: str) -> str:
    return repr(expression)


def types_module(contract: Contract, requests: list[tuple[str, dict[str, Schema], set[str], str]]) -> str:
    text = TYPES_HEAD
    for name, schema in contract.schemas.items():
        if contract.is_object(schema):
            text += typed_dict(contract, name, schema)
        else:
            text += f"\n{name}: TypeAlias = {contract.type_of(schema) if 'enum' in schema else quoted_alias(contract.type_of(schema))}\n"
            text += f'"""{wrapped(schema.get("description", name), 0)}"""\n'
    for name, fields, required, summary in requests:
        text += f"\nclass {name}(TypedDict, total=False):\n" + f'    """Fields of `{summary}`."""\n'
        for field, own in fields.items():
            kind = contract.type_of(own)
            extra = [kind] + ["Cube"] * (field in CUBES) + ["Moves"] * (field in MOVES) + ["Array"] * (field == "colors")
            kind = union(extra)
            text += f"\n    {python_name(field)}: {f'Required[{kind}]' if field in required else kind}\n"
            if description := contract.description(own):
                text += f'    """{wrapped(description, 4)}"""\n'
    return text


def quoted_alias(expression: str) -> str:
    return expression if expression in ("str", "int", "float", "bool") else repr(expression)


def operations_module(contract: Contract) -> tuple[str, list[tuple[str, dict[str, Schema], set[str], str]]]:
    requests: list[tuple[str, dict[str, Schema], set[str], str]] = []
    table, sync, asynchronous = "", "", ""
    for path, methods in contract.document["paths"].items():
        for method in ("get", "post"):
            if method not in methods:
                continue
            own = methods[method]
            name = own["operationId"]
            parameters = [contract.resolve(one) for one in methods.get("parameters", []) + own.get("parameters", [])]
            in_path = [one for one in parameters if one["in"] == "path"]
            query = [one for one in parameters if one["in"] == "query"]
            media = next(iter(contract.resolve(own["requestBody"])["content"]), None) if "requestBody" in own else None
            fields = {one["name"]: {**one["schema"], "description": one.get("description", "")} for one in query}
            required = {one["name"] for one in query if one.get("required")}
            if media == "application/json":
                more, needed = contract.fields(contract.resolve(own["requestBody"])["content"][media]["schema"])
                fields.update({field: one for field, one in more.items() if one.get("type") != "null"})
                required |= needed
            content: Schema = {}
            for status in ("200",):
                content = contract.resolve(own["responses"][status]).get("content", {})
            is_stream = list(content) == ["text/event-stream"]
            is_batch = media == "application/x-ndjson"
            accept = next((kind for kind in ("application/json", "text/event-stream") if kind in content), "*/*")
            accept = "application/x-ndjson" if is_batch else accept
            constant = name.upper()
            names = tuple(one["name"] for one in query)
            table += f"{constant} = Operation({method.upper()!r}, {path!r}, {names!r}, {media!r}, {accept!r})\n"

            arguments = [f"{python_name(one['name'])}: {contract.type_of(one['schema'])}" for one in in_path]
            docs = [(python_name(one["name"]), contract.description({**one["schema"], "description": one.get("description", "")})) for one in in_path]
            values = ", ".join(f"{one['name']!r}: {python_name(one['name'])}" for one in in_path)
            given = f"{{{values}}}"
            if is_batch:
                arguments.append("lines: Iterable[Union[str, t.BatchLine, Cube]]")
                docs.append(("lines", "texts of cubes in any form, cubes, or requests with an optional `id`"))
            elif "cube" in fields:
                arguments.append("given: Union[t.AnyCube, Cube, Moves, None] = None, /")
                docs.append(("given", "the cube in any form, if it is in no other field"))
            if fields:
                model = camel(name) + "Fields"
                requests.append((model, fields, required, name))
                arguments.append(f"**fields: Unpack[t.{model}]")
                docs += [(python_name(field), contract.description(one)) for field, one in fields.items()]
            rest = "fields" if fields else "{}"
            first = "given" if "cube" in fields and not is_batch else "None"
            signature = ", ".join(["self", *arguments])

            answer = returned(contract, content)
            if is_stream:
                event = contract.type_of(content["text/event-stream"]["schema"], "t.")
                answer = f"Iterator[Tuple[str, {event}]]"
            elif is_batch:
                answer = "Iterator[t.BatchAnswer]"
            call = "_events" if is_stream else "_lines" if is_batch else "_call"
            passed = f"{constant}, {'lines' if is_batch else given}, {rest}" if is_batch else f"{constant}, {given}, {first}, {rest}"
            codes = sorted({code for status, one in own["responses"].items() if status[0] in "45" for code in codes_of(contract, one)})
            doc = docstring(own, docs, answer, codes)
            result = f"answer: {answer} = self.{call}({passed})\n        return answer"
            sync += f"\n    def {name}({signature}) -> {answer}:\n{doc}        {result}\n"
            short = f'        """{wrapped(own["summary"], 8)}, as `Client.{name}`."""\n'
            if is_stream or is_batch:
                answer = answer.replace("Iterator", "AsyncIterator", 1)
                result = f"answer: {answer} = self.{call}({passed})\n        return answer"
                asynchronous += f"\n    def {name}({signature}) -> {answer}:\n{short}        {result}\n"
            else:
                result = f"answer: {answer} = await self.{call}({passed})\n        return answer"
                asynchronous += f"\n    async def {name}({signature}) -> {answer}:\n{short}        {result}\n"
    hooks = '''
    @abstractmethod
    def _call(self, operation: Operation, path: Dict[str, Any], cube: Any, fields: Any) -> Any: ...

    @abstractmethod
    def _events(self, operation: Operation, path: Dict[str, Any], cube: Any, fields: Any) -> Any: ...

    @abstractmethod
    def _lines(self, operation: Operation, lines: Any, fields: Any) -> Any: ...
'''
    text = OPERATIONS_HEAD + "\n" + table
    text += '\n\nclass Operations(ABC):\n    """One method for each operation of the contract."""\n' + hooks + sync
    text += '\n\nclass AsyncOperations(ABC):\n    """One coroutine or asynchronous iterator for each operation of the contract."""\n'
    text += hooks.replace("def _call", "async def _call") + asynchronous
    return text, requests


def returned(contract: Contract, content: Schema) -> str:
    """The type of the body."""
    if "application/json" in content:
        return contract.type_of(content["application/json"]["schema"], "t.")
    kinds = ["str" if kind.startswith("text/") or kind in ("application/yaml", "image/svg+xml") else "bytes" for kind in content]
    return union(kinds or ["None"])


def codes_of(contract: Contract, response: Schema) -> list[str]:
    words = contract.resolve(response).get("description", "").split("`")
    return [word for word in words[1::2] if word.replace("_", "").isalpha() and word.islower()]


def docstring(own: Schema, docs: list[tuple[str, str]], answer: str, codes: list[str]) -> str:
    text = f'        """{wrapped(own["summary"], 8)}.\n'
    if own.get("description"):
        text += f"\n        {wrapped(own['description'], 8)}\n"
    if docs:
        text += "\n        Args:\n"
        text += "".join(f"            {wrapped(f'{name}: {what}', 16)}\n" for name, what in docs)
    text += f"\n        Returns:\n            {answer.replace('t.', '')}\n"
    text += "\n        Raises:\n"
    named = f"; `code` is one of {', '.join(codes)}" if codes else ""
    text += f"            {wrapped(f'SuperflipError: the request has no answer, with the reason in `detail`{named}', 16)}\n"
    return text + '        """\n'


def main() -> None:
    contract = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "../../openapi.yaml"
    folder = Path(sys.argv[2]) if len(sys.argv) > 2 else HERE / "python/superflip"
    own = Contract(yaml.load(contract.read_text(encoding="utf-8"), getattr(yaml, "CSafeLoader", yaml.SafeLoader)))
    operations, requests = operations_module(own)
    (folder / "_operations.py").write_text(operations, encoding="utf-8")
    (folder / "types.py").write_text(types_module(own, requests), encoding="utf-8")


if __name__ == "__main__":
    main()
