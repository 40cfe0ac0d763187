"""Paths that steer what later runs, or who may: writing there deserves a warning (case B077)."""

import re

_HOME_FILES = (
    r"\.(?:ssh|gnupg|aws|kube|docker|netrc|npmrc|pypirc|gitconfig|git-credentials|bashrc|bash_profile|bash_login|profile"
    r"|zshrc|zshenv|zprofile|zlogin|pam_environment|pgpass|my\.cnf|config/(?:autostart|systemd|fish|git|gh)|hermes"
    r"|local/bin|env)"
)
_SYSTEM = r"/(?:etc|boot|sys|proc|root|bin|sbin|lib(?:64)?|usr|dev|var/(?:spool|lib|run)|System|Library)"
_SENSITIVE = re.compile(
    rf"(?:^|[/=:@]){_HOME_FILES}(?:[/.\s]|$)|^(?:[\w.-]*=)?{_SYSTEM}(?:/|$)|(?:^|/)\.git/(?:hooks|config)|^/$"
)


def is_sensitive(path: str) -> bool:
    """Tell whether a path, or a word that holds one, points to settings, keys, start-up files or the system."""
    if path.startswith(("/dev/null", "/dev/fd/", "/dev/std", "/dev/zero", "/dev/urandom")):
        return False
    return _SENSITIVE.search(path) is not None
