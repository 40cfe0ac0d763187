"""Keep short notes: one of every kind of thing that a plugin can register, each declared with the kit.

The kit is a folder of this plugin (``cp -r kata/kit docs/example-plugin/kit``).
"""

from pathlib import Path

from .book import Note, Notebook
from .kit import command, hook, load_plugin_config, middleware, plugin_skill, register_plugin, tool
from .settings import Settings


class Notes:
    """The plugin's declarations, bound to one notebook and its settings."""

    def __init__(self, book: Notebook, settings: Settings) -> None:
        self.book, self.settings = book, settings

    @tool(toolset="notes", emoji="📝")
    def notes_add(self, note: Note) -> dict:
        """Keep a short note."""
        return {"kept": note, "notes": self.book.add(note)}

    @command("notes", args_hint="[word]")
    def notes(self, raw_args: str) -> str:
        """Show the notes, or those that hold a word."""
        return "\n".join(f"- {note.text}" for note in self.book.find(raw_args.strip())) or "No notes."

    @command("notes", type="cli", setup_fn=lambda parser: parser.add_argument("word", nargs="?", default=""))
    def notes_cli(self, args) -> int:
        """Print the notes, or those that hold a word."""
        found = self.book.find(args.word)
        print(*(note.text for note in found), sep="\n")
        return 0 if found else 1

    @hook("pre_llm_call")
    def remind(self, is_first_turn: bool) -> dict | None:
        """Remind the agent of the newest notes when a conversation begins."""
        newest = self.book.find()[-self.settings.limit :]
        if not (is_first_turn and newest):
            return None
        return {"context": "Notes of the user: " + "; ".join(note.text for note in newest)}

    @middleware("tool_request")
    def tidy(self, tool_name: str, args: dict) -> dict | None:
        """Trim a note before anybody else sees it."""
        if tool_name != "notes_add" or not isinstance(args.get("text"), str):
            return None
        return {"args": {**args, "text": args["text"].strip()}, "source": "notes"}


SKILLS = (
    plugin_skill(
        "note-taking",
        Path(__file__).parent / "skills" / "note-taking" / "SKILL.md",
        "Decide what is worth a note, and word it.",
    ),
)


def register(ctx):
    """Register everything; called by Hermes."""
    mine = Notes(Notebook(), load_plugin_config(ctx, "notes", into=Settings))
    return register_plugin(
        ctx, [mine.notes_add, mine.notes, mine.notes_cli, mine.remind, mine.tidy], skills=SKILLS
    )
