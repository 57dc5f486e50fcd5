# SPDX-License-Identifier: MIT
"""The costs of many ranks, simulated event by event: doc/SCALE.md explains the model, bench/ranks.py measures the constants.

Constants (seconds, bytes): start and start_rank (mpirun with one more rank), message, message_byte, operation, unite_interval,
hash_byte, copy_byte, find_byte and make_byte (of changed memory), result (bytes of a result without intervals), check_file.
"""
import heapq
import random

INTERVAL = 16            # bytes
MOST_INTERVALS = 1 << 18  # of a list (src/race/race.h)
LISTS = 2                # written and accessed bytes of a buffer
PIECE, ASK_AHEAD = 16 << 20, 4  # src/devices/snapshot.c, shared_launch.c
BEATS = 2                # a second
LOOK = 0.002             # until a rank that waits sees a message: half of IDLE in cli/run_ranks.c
JITTER = 0.03            # ranks differ in speed by this share


class Launch:
    """A launch: seconds of one rank, bytes of its buffers, bytes that it changes, intervals of a rank, whether neighbors unite."""

    def __init__(self, name, seconds, buffers, changed, intervals=1, contiguous=True):
        self.name, self.seconds, self.buffers, self.changed = name, seconds, buffers, changed
        self.intervals, self.contiguous = intervals, contiguous

    def united(self, parts):
        """Intervals of a result that has those of so many ranks."""
        return 1 if self.contiguous else min(MOST_INTERVALS, self.intervals * parts)


class Outcome:
    def __init__(self):
        self.seconds = self.received = self.messages = self.memory = 0  # of rank 0, memory: for messages
        self.reduced = 0  # from the end of the last rank until the results have met


def children(rank, ranks):
    step = 1
    while not rank & step and rank + step < ranks:
        yield rank + step, min(step, ranks - rank - step)  # the child, and the ranks of its subtree
        step *= 2


def launch(c, ranks, what, seed=1):
    """What a divided launch costs: a binomial tree of results, then the changed memory, of one rank after another."""
    dice = random.Random(seed)
    o = Outcome()
    if ranks == 1:
        o.seconds = what.seconds
        return o
    before = what.buffers * (c['hash_byte'] + c['copy_byte'])
    ends = [before + what.seconds / ranks * (1 + JITTER * dice.random()) for _ in range(ranks)]

    def meet(rank, subtree):
        at, parts = ends[rank], 1
        for child, size in children(rank, ranks):
            if size > subtree:
                break
            ready = meet(child, size)
            data = c['result'] + LISTS * INTERVAL * what.united(size)
            at = max(at, ready + LOOK + c['message'] + data * c['message_byte'])
            at += LISTS * (what.united(parts) + what.united(size)) * c['unite_interval']
            parts += size
            o.memory = max(o.memory, data + LISTS * INTERVAL * 2 * what.united(parts))
            o.messages += rank == 0
            o.received += data if rank == 0 else 0
        return at

    at = meet(0, ranks)
    o.reduced = at - max(ends)
    part = what.changed / ranks
    pieces = max(1, -(-int(part) // PIECE))
    piece = part / pieces
    find = piece * c['find_byte'] + what.buffers / ranks * c['copy_byte']
    answer = c['message'] + find + c['message'] + piece * c['message_byte']  # from a question to the last byte
    asked = [at] * (1 + min(ASK_AHEAD, ranks - 1))
    for rank in range(1, ranks):
        for number in range(pieces + 1):  # the last one is empty
            first = asked[rank] if number == 0 else at - piece * c['make_byte']
            at = max(at, first + (LOOK if number == 0 else 0) + (answer if number < pieces else 2 * c['message']))
            if number < pieces:
                at += piece * c['make_byte']
        asked.append(at)
    o.messages += (ranks - 1) * (pieces + 1)
    o.received += part * (ranks - 1)
    o.memory = max(o.memory, (ASK_AHEAD + 1) * min(PIECE, part))
    o.seconds = at
    return o


def check(c, ranks, files, seconds, seed=1):
    """Seconds for a queue of files: rank 0 serves numbers and results one after another, beside its own files."""
    dice = random.Random(seed)
    costs = [dice.expovariate(1 / seconds) for _ in range(files)]
    free = [(0.0, r) for r in range(ranks)]
    server, end = 0.0, 0.0
    for cost in costs:
        at, rank = heapq.heappop(free)
        if ranks > 1:
            server = max(server, at) + c['check_file']
            at = server
        heapq.heappush(free, (at + cost, rank))
        end = max(end, at + cost)
    return end


def pulse(c, ranks):
    """The share of a core that signs of life take on rank 0: each rank adds one, reads rank 0's, and its parent reads its own."""
    return 3 * (ranks - 1) * BEATS * c['operation']


RANKS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024]
LAUNCHES = [
    Launch('1000 s, 64 MB changed', 1000, 256 << 20, 64 << 20),
    Launch('1000 s, 4 GB changed', 1000, 8 << 30, 4 << 30),
    Launch('1000 s, 64 MB in scattered words', 1000, 256 << 20, 64 << 20, MOST_INTERVALS, False),
    Launch('10 s, 64 MB changed', 10, 256 << 20, 64 << 20),
]


def number(n):
    for unit in ('B', 'kB', 'MB'):
        if n < 1000:
            return f'{n:.0f} {unit}' if n >= 10 or unit == 'B' else f'{n:.1f} {unit}'
        n /= 1000
    return f'{n:.1f} GB'


def best(times):
    """The most ranks that still halve the time, nearly: from half as many ranks on, at least 1.5 times as fast."""
    last = 1
    for a, b in zip(RANKS, RANKS[1:]):
        if times[a] / times[b] < 1.5:
            break
        last = b
    return last


def show(c):
    for what in LAUNCHES:
        print(f'\n| {what.name}: ranks | time | speed-up | the tree takes | received by rank 0 | messages to rank 0 | memory for them |')
        print('|---|---|---|---|---|---|---|')
        times = {}
        for n in RANKS:
            o = launch(c, n, what)
            times[n] = o.seconds
            print(f'| {n} | {o.seconds:.3g} s | {times[1] / o.seconds:.1f} | {1000 * o.reduced:.2g} ms | '
                  f'{number(o.received)} | {o.messages} | {number(o.memory)} |')
        print(f'twice as many ranks pay, by at least 1.5, up to {best(times)} ranks')
    print('\n| 10,000 captures, of 0.5 s in the mean: ranks | time | speed-up | signs of life on rank 0 |\n|---|---|---|---|')
    times = {n: check(c, n, 10000, 0.5) for n in RANKS}
    for n in RANKS:
        print(f'| {n} | {times[n]:.4g} s | {times[1] / times[n]:.1f} | {100 * pulse(c, n):.2g} % of a core |')
    print(f'twice as many ranks pay, by at least 1.5, up to {best(times)} ranks')
