"""What the programs share that watch live pictures in a browser."""
import os
import socket
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
RELEASE = ROOT / ".build/release"
sys.path.insert(0, str(ROOT / "Tests/Page"))
wrong = []


def claim(holds, what):
    print(f"{'ok  ' if holds else 'FAIL'} {what}", flush=True)
    if not holds:
        wrong.append(what)


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def await_port(port):
    end = time.monotonic() + 10
    while True:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return
        except OSError:
            if time.monotonic() > end:
                sys.exit(f"nothing listens on {port}")
            time.sleep(0.02)


def script(name):
    """Runs in the page, after what reads the marks."""
    return (HERE / "marks.js").read_text() + (HERE / name).read_text()


def cpu(pid):
    """Seconds so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def share(values, part):
    return sorted(values)[min(len(values) - 1, int(len(values) * part))]


def clock_offset(browser):
    """From the page's clock to the monotonic one, in milliseconds: the best of some exchanges."""
    best = None
    for _ in range(30):
        before = time.monotonic()
        now = browser.run("return performance.now()")
        after = time.monotonic()
        if best is None or after - before < best[0]:
            best = (after - before, (before + after) * 500 - now)
    return best[1], best[0] * 500


def verdict():
    """The exit status."""
    print(f"\n{len(wrong)} claims do not hold" if wrong else "\nall claims hold")
    return 1 if wrong else 0
