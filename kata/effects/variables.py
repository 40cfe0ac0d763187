"""Variables that decide which code runs; setting one makes everything behind it uncertain."""

import re

from .word import Word

_STEERING = re.compile(
    r"(?:(?:BASH_)?EN[V]|SHELLOPTS|BASHOPTS|PROMPT_COMMAND|PS0|PS4|IFS|CDPATH|FPATH|LD_\w+|DYLD_\w+|GCONV_PATH|LOCPATH"
    r"|PYTHON\w*|NODE_\w+|PERL\w*|RUBY\w*|GEM_\w+|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|CLASSPATH|LUA_\w+|PHP\w*"
    r"|GIT_(?!AUTHOR_|COMMITTER_|TERMINAL_PROMPT$|MERGE_AUTOEDIT$|OPTIONAL_LOCKS$)\w+|EDITOR|VISUAL|BROWSER|\w*PAGER"
    r"|LESS\w*|MAN\w+|RSYNC_RSH|CVS_RSH|SSH_ASKPASS|SUDO_\w+|TAR_OPTIONS|ZIPOPT|GZIP|WGETRC|CURL_HOME|MAKEFLAGS|SHELL"
    r"|npm_config_\w+|NPM_CONFIG_\w+|PIP_\w+|CARGO_\w*|RUSTC\w*|GO(?:FLAGS|ROOT|TOOLCHAIN)|KUBECONFIG|DOCKER_\w+|HOME"
    r"|HERMES_\w+)"
)
_QUIET = frozenset({"", ":", "true", "cat", "less", "1", "0", "utf-8", "production", "development", "test"})
_QUIET_PATH = re.compile(
    r"(?:(?:/usr(?:/local)?|/opt/homebrew)?/s?bin|\$PATH|\$\{PATH\})(?::(?:(?:/usr(?:/local)?|/opt/homebrew)?/s?bin|\$PATH|\$\{PATH\}))*"
)


def steers_programs(name: str, value: Word | None) -> bool:
    """Tell whether an assignment can change which code later words run (case B079)."""
    text = "" if value is None else value.text
    if name == "PATH":
        return _QUIET_PATH.fullmatch(text) is None
    return _STEERING.fullmatch(name) is not None and text not in _QUIET
