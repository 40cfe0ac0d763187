from tests.hermes.support.fixtures import *  # noqa: F403
