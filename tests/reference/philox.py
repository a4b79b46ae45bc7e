"""Reference: Philox4x32-10 in plain Python, forwards and backwards, written from the paper's description.

Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC11, section 3.3 and table 2: ten rounds,
each of two 32 x 32 -> 64 bit multiplications, whose high halves are mixed with the other words and the round's key.
It shares no code with core/rng.py.
"""

WORD = 1 << 32
ROUNDS = 10
MULTIPLIERS = (0xD2511F53, 0xCD9E8D57)
# The key of each round is the one before plus these: the golden ratio, and the square root of 3 less 1.
KEY_STEPS = (0x9E3779B9, 0xBB67AE85)

Counter = tuple[int, int, int, int]
Key = tuple[int, int]


def round_keys(key: Key) -> list[Key]:
    """Return the key of each round."""
    return [((key[0] + i * KEY_STEPS[0]) % WORD, (key[1] + i * KEY_STEPS[1]) % WORD) for i in range(ROUNDS)]


def philox(counter: Counter, key: Key) -> Counter:
    """Return the block of four 32-bit words for a counter and a key."""
    left0, right0, left1, right1 = counter
    for key0, key1 in round_keys(key):
        high0, low0 = divmod(left0 * MULTIPLIERS[0], WORD)
        high1, low1 = divmod(left1 * MULTIPLIERS[1], WORD)
        left0, right0, left1, right1 = high1 ^ right0 ^ key0, low1, high0 ^ right1 ^ key1, low0
    return left0, right0, left1, right1


def counter_of(block: Counter, key: Key) -> Counter:
    """Return the counter that a block was made from: each round undone, last first."""
    left0, right0, left1, right1 = block
    for key0, key1 in reversed(round_keys(key)):
        before0 = right1 * pow(MULTIPLIERS[0], -1, WORD) % WORD
        before1 = right0 * pow(MULTIPLIERS[1], -1, WORD) % WORD
        high0 = before0 * MULTIPLIERS[0] // WORD
        high1 = before1 * MULTIPLIERS[1] // WORD
        left0, right0, left1, right1 = before0, left0 ^ high1 ^ key0, before1, left1 ^ high0 ^ key1
    return left0, right0, left1, right1


def words(seed: int, stream: int, deal: int, blocks: int) -> list[int]:
    """Return a deal's words as core/rng.py states them: the key is the seed, the counter (block, deal, stream)."""
    key = (seed % WORD, seed // WORD)
    return [word for block in range(blocks) for word in philox((block, deal % WORD, deal // WORD, stream), key)]
