"""Reading and writing small text files, such as recorded hands, which `core` replays."""

from pathlib import Path

from core.errors import InputError


def read_text(path: Path) -> str:
    """Return the text of a file. Raises InputError when it cannot be read or is not UTF-8."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InputError(f"cannot read {str(path)!r}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InputError(f"cannot read {str(path)!r}: it is not UTF-8 text") from None
    except ValueError as error:
        raise InputError(f"cannot read {str(path)!r}: {error}") from None  # a name with a zero byte


def check_writable(path: Path) -> None:
    """Raise InputError when the file cannot be written, before long work for it; leaves all as it was."""
    try:
        existed = path.exists()
        path.open("a").close()
        if not existed:
            path.unlink()
    except (OSError, ValueError) as error:
        raise _not_written(path, error) from None


def write_text(path: Path, text: str) -> None:
    """Write a file. Raises InputError when it cannot be written."""
    try:
        path.write_text(text, encoding="utf-8")
    except (OSError, ValueError) as error:
        raise _not_written(path, error) from None


def _not_written(path: Path, error: Exception) -> InputError:
    return InputError(f"cannot write {str(path)!r}: {getattr(error, 'strerror', error)}")
