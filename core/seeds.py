"""The ranges of what names a random deal: seed, stream and deal number. Needs no numba, unlike core.rng."""

from core.errors import InputError

SEED_BITS, STREAM_BITS, DEAL_BITS = 64, 32, 63


def check_run(seed: int, stream: int, first: int, deals: int) -> None:
    """Raise InputError when seed, stream or a deal's number do not fit the generator's key and counter."""
    for name, number, bits in (("seed", seed, SEED_BITS), ("stream", stream, STREAM_BITS)):
        if not 0 <= number < 1 << bits:
            raise InputError(f"{name} {number} is not a whole number from 0 to 2**{bits} - 1")
    if first < 0 or deals < 0 or first + deals >= 1 << DEAL_BITS:
        raise InputError(f"deals {first} to {first + deals} are not numbers from 0 to 2**{DEAL_BITS} - 1")
