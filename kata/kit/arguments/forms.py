"""Say how a tool's arguments are described, checked and handed to its handler."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from .check import coerced, is_blank, problems_of
from .specs import with_example


@dataclass(frozen=True)
class Rejection:
    """Why a call does not reach the handler.

    Attributes:
        message: What the model reads.
        logged: What the log line says.
        problems: Every problem on its own, when all were looked for.
    """

    message: str
    logged: str
    problems: tuple[str, ...] = ()


class Arguments(Protocol):
    """Check the arguments of a call, and turn them into what the handler takes."""

    def rejection(self, args: Mapping[str, Any]) -> Rejection | None:
        """Return why the call is rejected, or ``None``."""

    def bind(self, args: Any, context: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Return the positional and the keyword arguments of the handler."""


@dataclass(frozen=True)
class Passed:
    """Pass the model's arguments on as one dict, after the required ones were looked for.

    Attributes:
        required: Argument name to example.
    """

    required: Mapping[str, Any] = field(default_factory=dict)

    def rejection(self, args: Mapping[str, Any]) -> Rejection | None:
        """Name the first required argument that is absent, null or blank."""
        for key, example in self.required.items():
            if is_blank(args.get(key)):
                return Rejection(with_example(f"{key} is required", example), f"missing {key}")
        return None

    def bind(self, args: Any, context: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Pass the arguments as they came."""
        return (args,), context


@dataclass(frozen=True)
class Checked:
    """Check the arguments against their whole schema, and say every problem at once.

    Attributes:
        parameters: JSON Schema of the arguments.
        examples: Argument name to example, of the required ones.
        build: Turns accepted arguments and the context into the handler's.
    """

    parameters: Mapping[str, Any]
    examples: Mapping[str, Any]
    build: Callable[[dict[str, Any], dict[str, Any]], tuple[tuple[Any, ...], dict[str, Any]]]

    def rejection(self, args: Mapping[str, Any]) -> Rejection | None:
        """Name everything that is wrong, in the order of the schema."""
        problems = problems_of(self.parameters, self._read(args), self.examples)
        if not problems:
            return None
        texts = tuple(problem.text for problem in problems)
        return Rejection("; ".join(texts), ", ".join(problem.short for problem in problems), texts)

    def bind(self, args: Any, context: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Hand over what was read."""
        return self.build(self._read(args), context)

    def _read(self, args: Mapping[str, Any]) -> dict[str, Any]:
        return coerced(self.parameters, args)


def unchanged(args: dict[str, Any], context: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Hand checked arguments over as one dict."""
    return (args,), context
