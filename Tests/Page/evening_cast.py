"""Who takes part in an evening, each a process of its own with what it needs on free ports and in the hub's folder."""
import json
import subprocess
import time
from urllib.parse import quote

from evening_report import clock
from page_browser import Failure
from real_hub import free_port

# Long enough for a machine that is busy with something else.
PATIENCE = 60


class Process:
    """A command, and what it says."""

    def __init__(self, hub, name, *words, variables=None):
        self.name, self.hub, self.place = name, hub, hub.place / name
        self.place.mkdir()
        self.environment = hub.places | {"XDG_STATE_HOME": str(self.place / "state")} | (variables or {})
        self.output = self.place / "log"
        with open(self.output, "w") as log:
            self.process = subprocess.Popen([hub.program, *words], env=self.environment, cwd=self.place,
                                            stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def log(self):
        return self.output.read_text()

    def until(self, holds, what):
        end = time.monotonic() + PATIENCE
        while not holds():
            if time.monotonic() > end or self.process.poll() is not None:
                raise Failure(f"{self.name}, {what}: {self.log()[-1000:]}")
            time.sleep(0.05)

    def ended(self):
        """Its status, once it has ended by itself."""
        return self.process.wait(PATIENCE)

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
        try:
            return self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.wait()

    def run(self, *words):
        """A command of the program, where this process has its files."""
        return subprocess.run([self.hub.program, *words], env=self.environment, cwd=self.place, capture_output=True,
                              text=True, timeout=PATIENCE)

    @property
    def recordings(self):
        return sorted(self.place.glob("recordings/*.mp4"))

    @property
    def journals(self):
        return sorted(self.place.glob("state/holdfast/*/*.jsonl"))

    def verified(self):
        """What verify says of its recording."""
        return json.loads(self.run("verify", "--json", self.recordings[0]).stdout)


class Box(Process):
    """Publishes the test picture to the session, and records it."""

    def __init__(self, hub, session, name, token, awaits):
        super().__init__(
            hub, name, "publish", "--name", name, "--video", "test", "--audio", "tone", "--size", "640x360",
            "--bitrate", "800k", "--session", f"{hub.url}/{quote(session)}", "--session-token", "env:SESSION_TOKEN",
            "--await-others", str(awaits), "--gate-timeout", f"{PATIENCE}s", "--on-gate-timeout", "refuse",
            variables={"SESSION_TOKEN": token})

    def control(self, *words):
        answer = self.run("ctl", "--name", self.name, *words)
        if answer.returncode:
            raise Failure(f"{self.name}, {words}: {answer.stderr}")
        return answer.stdout

    def media_time(self):
        return json.loads(self.control("status", "--json"))["mediaTimeMs"] / 1000


class Worker(Process):
    """Composes and publishes what hosts put on air, and records it."""

    def __init__(self, hub):
        token = hub.place / "worker-token"
        token.touch(0o600)
        token.write_text(hub.make_token("worker", "*", "worker"))
        super().__init__(hub, "Programme", "programme", hub.url, "--token", f"@{token}", "--",
                         "--size", "1280x720", "--record", "recordings")


    def absences(self, member):
        """When a member was away from its recording, in words."""
        found = json.loads(self.run("export", "--json", "--member", member, self.recordings[0]).stdout)
        return [f"at {clock(gap['at'])}, {max(gap['lostVideo'], gap['lostAudio']):.1f} s" for gap in found["gaps"]]


class Server(Process):
    """Takes what the worker publishes, and writes it into a file."""

    def __init__(self, hub):
        self.port = free_port()
        super().__init__(hub, "Server", "serve", "--port", str(self.port), "--dir", "served")
        self.until(lambda: f":{self.port}" in self.log(), "its address")

    def address(self, name):
        return f"rtmp://127.0.0.1:{self.port}/live/{name}"

    @property
    def recordings(self):
        return sorted(self.place.glob("served/*.flv"))


class Redis:
    """The hub's store, in memory alone."""

    def __init__(self):
        port = free_port()
        self.address = f"redis://127.0.0.1:{port}/0"
        self.process = subprocess.Popen(
            ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def stop(self):
        self.process.terminate()
        self.process.wait(20)
