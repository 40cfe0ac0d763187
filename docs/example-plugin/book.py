"""The notebook: one JSON line a note, in the folder that Hermes keeps for the plugin."""

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Annotated

from .kit import ToolError, str_arg


@dataclass(frozen=True)
class Note:
    """One note; the tool's arguments are made of it."""

    text: Annotated[str, str_arg("What to remember, one sentence", example="The parcel comes on Monday.")]
    tags: Annotated[list[str], "Words to find it by"] = field(default_factory=list)


class Notebook:
    """Notes in the order in which they were taken."""

    @property
    def path(self) -> Path:
        """Return where the notes are; asked for at each use, since a process may serve several profiles."""
        from plugins.plugin_storage import plugin_data_dir

        return plugin_data_dir("notes") / "notes.jsonl"

    def add(self, note: Note) -> int:
        """Add a note, and return how many there are."""
        kept = self.find()
        if note.text in {other.text for other in kept}:
            raise ToolError(
                "this note is there already", code="duplicate", hint="Word it differently, or leave it."
            )
        with self.path.open("a", encoding="utf-8") as book:
            book.write(json.dumps(asdict(note), ensure_ascii=False) + "\n")
        return len(kept) + 1

    def find(self, word: str = "") -> list[Note]:
        """Return the notes whose text or tags hold a word."""
        if not self.path.exists():
            return []
        notes = [Note(**json.loads(line)) for line in self.path.read_text(encoding="utf-8").splitlines()]
        return [note for note in notes if word.lower() in " ".join((note.text, *note.tags)).lower()]
