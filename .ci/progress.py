#!/usr/bin/env python3
"""progress - runs swift build and swift test, and prints what a person wants to see of them: how far they are, at least
every ten seconds, and what fails, at once. Their whole output goes into .build/log.

usage: progress.py build [swift build's options]
       progress.py test [swift test's options]      ONLY=REGEX in the environment: only those tests
"""
import argparse
import collections
import contextlib
import glob
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LOG = ".build/log"
SWIFT = shlex.split(os.environ.get("SWIFT") or "swift")
INTERVAL = 10
# Everything that is started here inherits it, also what leaves its parent and its process group.
MARK = {"PROGRESS_RUN": f"{os.getpid()}-{time.time_ns()}"}


def say(text):
    print(text, flush=True)


def clock(seconds):
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


class Lines:
    """The lines of a file that grows."""

    def __init__(self, name):
        self.path = os.path.abspath(f"{LOG}/{name}")
        self.end, self.file, self.rest = open(self.path, "wb"), open(self.path, "rb"), b""

    def read(self):
        *lines, self.rest = (self.rest + self.file.read()).split(b"\n")
        return [line.decode(errors="replace") for line in lines]


class Stopped(Exception):
    """A signal asked for the end."""


def stop(number, _):
    for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(each, signal.SIG_IGN)
    raise Stopped(number)


def start(command, output, **environment):
    return subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, start_new_session=True,
        env={**os.environ, **environment, **MARK})


def started(within=0):
    """The names of the processes that were started here and have not ended within these seconds."""
    deadline = time.monotonic() + within
    mark = "=".join(*MARK.items()).encode()
    while True:
        names = {}
        for folder in glob.glob("/proc/[0-9]*"):
            with contextlib.suppress(OSError), open(f"{folder}/environ", "rb") as file:
                if mark in file.read().split(b"\0"):
                    with open(f"{folder}/comm") as comm:
                        names[int(folder[6:])] = comm.read().strip()
        if not names or time.monotonic() >= deadline:
            return names
        time.sleep(0.1)


def end_started():
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
        for pid in started():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)
        if not started(within=5):
            break


def run(command, log, part):
    """Runs a command while `part` reads its output and says how far it is. Returns its status and a text on its time."""
    output = Lines(log)
    began = said = time.monotonic()
    before = os.times()
    child = start(command, output.end, **part.environment)
    status = None
    try:
        while status is None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                status = child.wait(0.25)
            part.read(output.read())
            if time.monotonic() - said >= INTERVAL:
                said = time.monotonic()
                say(part.progress(clock(said - began)))
    finally:
        if status is None:
            end_started()
            child.wait()
    used = os.times()
    used = used.children_user + used.children_system - before.children_user - before.children_system
    used = f"{used / 60:.1f} min" if used > 60 else f"{used:.0f} s"
    return status if status >= 0 else 128 - status, f"{clock(time.monotonic() - began)} ({used} of processor time)"


class Build:
    environment = {}
    # The linker warns of the toolchain's own libraries, the driver of what whole modules have no use for.
    routine = re.compile(
        r"$|Building for |Build |error: \S+ command failed |.*: warning: the use of |warning: ignoring '-enable-batch-mode'"
        r"|remark: Incremental compilation has been disabled")

    def __init__(self):
        self.step, self.said, self.is_repeated = "planning", set(), False

    def read(self, lines):
        for line in lines:
            step = re.match(r"\[(\d+)/(\d+)\] (.*)", line)
            if step:
                what = re.sub(r"(?:Compiling|Emitting module|Wrapping AST for) (\S+).*", r"\1", step[3])
                self.step, self.is_repeated = f"{step[1]} of {step[2]}  {what}", False
            elif not self.routine.match(line):
                # Each job that sees an error prints it, with its lines.
                if re.match(r"\S+:\d+:\d+: ", line):
                    self.is_repeated = line in self.said
                    self.said.add(line)
                if not self.is_repeated:
                    say(line)

    def progress(self, elapsed):
        return f"building  {elapsed}  {self.step}"


def note_commit():
    """Writes the commit where Modules/CCommit embeds it from, unless the file says it already."""
    if not os.path.exists(".git") or not shutil.which("git"):
        return
    command = ["git", "describe", "--always", "--exclude=*", "--dirty=, changed"]
    commit = subprocess.run(command, capture_output=True, text=True).stdout.strip()
    with open(".build/commit", "a+") as file:
        file.seek(0)
        if file.read() != commit:
            file.truncate(0)
            file.write(commit)


def build(options):
    note_commit()
    status, took = run([*SWIFT, "build", *options], "build.log", Build())
    say(f"built in {took}" if status == 0 else f"not built, after {took}; all of the output: {LOG}/build.log")
    return status


class Tests:
    """A run's tests, from the event stream of Swift Testing, and from the trait RealTime, whose tests wait for turns.

    All tests start at once. Then the bodies run, in the same order, on a few threads; real-time tests have their own.
    Only then Swift Testing says that the first have ended, and never that a body without arguments has begun.
    """

    def __init__(self):
        self.names, self.ended, self.failed, self.skipped = {}, set(), {}, collections.Counter()
        self.started, self.reached, self.last_ended, self.latest = {}, [], 0, 0
        self.waiting, self.open, self.since, self.spent = set(), collections.Counter(), {}, collections.Counter()
        self.closing, self.last, self.crash, self.is_crashed_thread = None, collections.deque(maxlen=15), [], False
        self.events, self.turns = Lines("test.events"), Lines("test.turns")
        self.environment = {"TEST_TURNS": self.turns.path}

    def read(self, lines):
        for line in lines:
            self.read_console(line)
        # In this order, since a test that waits has said so before the events of later ones.
        events = self.events.read()
        for turn in self.turns.read():
            self.turn(*turn.split(" ", 2))
        for event in events:
            record = json.loads(event)
            {"test": self.test, "event": self.event}[record["kind"]](record["payload"])

    def read_console(self, line):
        closing = re.search(r"\S Test run with \d+ tests? .* after .*", line)
        self.closing = closing[0] if closing else self.closing
        self.last.append(line)
        if re.match(r"SUMMARY: \w+Sanitizer", line):
            say(f"✘ {line}")
        if line.startswith(("Thread ", "Registers:")):
            self.is_crashed_thread = line.endswith(" crashed:")
        if re.search(r"Fatal error: |^\*\*\* Program crashed", line) or self.is_crashed_thread and f" at {ROOT}/" in line:
            self.crash.append(line)

    def turn(self, instant, change, test):
        if change == "waits":
            if test not in self.waiting:
                self.open.pop(test, None)
                self.since.pop(test, None)
            self.waiting.add(test)
        elif change == "begins":
            self.begin(test, float(instant))
        else:
            self.end(test, float(instant))

    def test(self, record):
        if record["kind"] == "function":
            self.names[record["id"]] = record.get("displayName") or record["name"]

    def event(self, event):
        kind, test, instant = event["kind"], event.get("testID"), event["instant"]["absolute"]
        symbol = event["messages"][0]["symbol"] if event["messages"] else ""
        self.latest = instant
        if kind == "issueRecorded" and symbol == "fail":
            self.fail(test, event)
        elif test not in self.names:
            pass
        elif kind == "testStarted":
            self.started[test] = len(self.started)
        elif kind == "testSkipped":
            self.ended.add(test)
            self.skipped[(event.get("_comments") or ["disabled"])[0]] += 1
        elif kind == "testEnded":
            self.ended.add(test)
            self.last_ended = max(self.last_ended, self.started[test])
        else:
            self.reached += [instant] * (self.started[test] + 1 - len(self.reached))
            if test not in self.waiting:
                (self.begin if kind == "testCaseStarted" else self.end)(test, instant)

    def begin(self, test, instant):
        self.ended.discard(test)
        self.open[test] += 1
        self.since.setdefault(test, instant)

    def end(self, test, instant):
        self.open[test] -= 1
        if self.open[test] == 0:
            self.spent[test] += instant - self.since.pop(test)
            self.ended.add(test)

    def running(self):
        """Since when each has run: those with a turn or an argument and those that later ones have overtaken, or the next few."""
        times = zip(self.started, self.reached + [self.latest] * len(self.started))
        left = [(test, at) for test, at in times if test not in self.waiting and test not in self.ended]
        overtaken = {test: at for test, at in left if self.started[test] < self.last_ended}
        return {**overtaken, **self.since} or dict(left[:5])

    def bodies(self):
        """How many bodies have probably ended."""
        return len(self.ended.union(list(self.started)[:len(self.reached)]) - (self.waiting - self.ended) - self.running().keys())

    def fail(self, test, event):
        place = event["issue"].get("sourceLocation")
        where = f"{os.path.relpath(place['_filePath'], ROOT)}:{place['line']}: " if place else ""
        arguments = event.get("_testCase", {}).get("displayName")
        reason, *details = (message["text"] for message in event["messages"])
        self.failed.setdefault(test, where + reason)
        say(f"✘ {self.name(test)}{f' with {arguments}' if arguments else ''}")
        for text in [where + reason, *(f"↳ {detail}" for detail in details)]:
            say("    " + text.replace("\n", "\n      "))

    def suite(self, test):
        """The outermost suite, or the module of a test without one."""
        module, name = re.match(r"(\w*)\.?(\w*/)?", test or "").groups()
        return (name or module).rstrip("/")

    def name(self, test):
        return f'{self.suite(test)} "{self.names[test]}"' if test in self.names else test or "no test"

    def longest(self):
        return sorted(((time.monotonic() - began, test) for test, began in self.running().items()), reverse=True)

    def progress(self, elapsed):
        if not self.names:
            return f"testing  {elapsed}  starting"
        longest = "".join(f"  longest running: {self.name(test)} ({clock(seconds)})" for seconds, test in self.longest()[:1])
        return f"testing  {elapsed}  {self.bodies()} of {len(self.names)}  {len(self.failed)} failed{longest}"

    def say_running(self):
        self.say_list("running:", (f"{self.name(test)} ({clock(seconds)})" for seconds, test in self.longest()))

    def say_list(self, title, lines):
        say("\n    ".join([title, *lines]))

    def summarise(self, status, options, filters):
        if status and not self.closing:
            self.say_list(f"✘ the test process ended before its tests; all of the output: {LOG}/test.log",
                          self.crash or self.last)
            for seconds, test in self.longest():
                self.failed.setdefault(test, f"was running then ({clock(seconds)})")
        elif status and not self.failed:
            self.say_list(f"✘ swift test failed, though no test did; all of the output: {LOG}/test.log", self.last)
        if filters and not status and not self.names:
            say(f"no test matches {' or '.join(filters)}")
        if self.failed:
            failed = (f"{self.name(test)}  {reason}".splitlines()[0] for test, reason in self.failed.items())
            self.say_list(f"failed, of {len(self.names)} tests:", failed)
            say(f"again: {self.again(options)}")
        if self.skipped:
            self.say_list("skipped:", (f"{count}  {reason}" for reason, count in self.skipped.items()))
        slowest = [f"{seconds:6.1f} s  {self.name(test)}" for test, seconds in self.spent.most_common(10) if seconds > 0.1]
        if slowest:
            self.say_list("slowest:", slowest)

    def again(self, options):
        """The command that runs those that failed, or were running at a crash."""
        tests = [test for test in self.failed if test in self.names]
        only = {self.suite(test) for test in tests}
        if len(tests) <= 5:
            only = {f"{self.suite(test)}.+{re.sub(r'[^A-Za-z0-9]+', '.+', self.names[test])}" for test in tests}
        only = shlex.quote("|".join(sorted(only)))
        made = os.environ.get("AGAIN")
        return f"{made} ONLY={only}" if made else f"ONLY={only} .ci/test {shlex.join(options)}"


def test(options):
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--filter", action="append", default=[])
    parser.add_argument("--skip", action="append", default=[])
    selection, shared = parser.parse_known_args(options)
    filters = selection.filter
    only = os.environ.get("ONLY")
    if only:
        filters = [f"^(?=.*({only})).*({'|'.join(filters)})"] if filters else [only]

    log = Lines("pypi.log")
    fetching = start([".ci/install", "pypi"], log.end)
    if "--skip-build" not in shared:
        status = build(["--build-tests", *shared])
        if status:
            return status
        shared.append("--skip-build")
    began = time.monotonic()
    while fetching.poll() is None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            fetching.wait(INTERVAL)
            break
        say(f"fetching  {clock(time.monotonic() - began)}  tools of PyPI")
    if fetching.returncode:
        say("\n".join(log.read()[-1:]))

    tests = Tests()
    command = [*SWIFT, "test", "--event-stream-output-path", tests.events.path, "--event-stream-version", "0", *shared]
    for option, patterns in ("--filter", filters), ("--skip", selection.skip):
        command += [word for pattern in patterns for word in (option, pattern)]
    try:
        status, took = run(command, "test.log", tests)
    except Stopped:
        tests.say_running()
        raise
    tests.summarise(status, options, filters)
    left = started(within=5)
    if left:
        say(f"ended, since the tests left them running: {', '.join(left.values())}")
    say(f"tested in {took}")
    say(tests.closing or "✘ Test run not finished.")
    return status


def main():
    os.chdir(ROOT)
    os.makedirs(LOG, exist_ok=True)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, stop)
    try:
        return {"build": build, "test": test}[sys.argv[1]](sys.argv[2:])
    except Stopped as stopped:
        say(f"stopped by {signal.Signals(stopped.args[0]).name}")
        return 128 + stopped.args[0]
    finally:
        end_started()


sys.exit(main())
