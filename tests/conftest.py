"""What all tests share: checkpoints go to a folder of the test run, not to the user's."""

import os

import pytest


@pytest.fixture(autouse=True, scope="session")
def _own_store(tmp_path_factory):
    os.environ["TONLAB_STORE"] = str(tmp_path_factory.mktemp("store"))
