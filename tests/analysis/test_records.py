"""Small text files: written, read again, and refused in one line."""

import pytest

from analysis.records import check_writable, read_text, write_text
from core.errors import InputError


def test_a_text_comes_back(tmp_path):
    path = tmp_path / "hand.txt"
    for text in ("Ворон: drop\n", ""):
        check_writable(path)
        write_text(path, text)
        check_writable(path)
        assert read_text(path) == text


@pytest.mark.parametrize("name", [".", "none/hand.txt", "zero\0byte", "x" * 300])
def test_a_file_that_cannot_be_written_is_named(tmp_path, name):
    for write in (lambda path: write_text(path, "text"), check_writable):
        with pytest.raises(InputError) as caught:
            write(tmp_path / name)
        assert str(caught.value).startswith("cannot write ")
        assert repr(str(tmp_path / name)) in str(caught.value)
    assert list(tmp_path.iterdir()) == []
