"""A hub as a process of its own, with a state folder, a secret and a free port for as long as it is asked."""
import os
import socket
import subprocess
import tempfile
import time
import urllib.request
from pathlib import Path

from hub_client import HubClient


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class RealHub:
    is_real = True

    def __init__(self, program, *options):
        self.program, self.folder, self.begun = Path(program).resolve(), tempfile.TemporaryDirectory(), 0
        # A session whose host has gone, for a later check.
        self.absence, self.hosts = None, {}
        place, port = Path(self.folder.name), free_port()
        self.place = place
        self.url, self.secret = f"http://127.0.0.1:{port}", place / "secret"
        self.places = os.environ | {"XDG_RUNTIME_DIR": str(place), "XDG_STATE_HOME": str(place / "state")}
        self._run("--new-secret", self.secret)
        with open(place / "log", "w") as log:
            self.process = subprocess.Popen(
                [self.program, "hub", "--listen", f"127.0.0.1:{port}", "--token-secret", self.secret, "--media-port", "0",
                 *options],
                env=self.places, cwd=place, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        try:
            self._await_answer()
        except BaseException:
            self.stop()
            raise

    def _run(self, *options):
        return subprocess.run([self.program, "token", *options], env=self.places, check=True, capture_output=True, text=True,
                              timeout=30).stdout.strip()

    def _await_answer(self):
        end = time.monotonic() + 30
        while True:
            try:
                with urllib.request.urlopen(f"{self.url}/healthz", timeout=5):
                    return
            except OSError:
                if self.process.poll() is not None or time.monotonic() > end:
                    raise RuntimeError(f"the hub does not answer: {self.log()}") from None
                time.sleep(0.02)

    def log(self):
        return (Path(self.folder.name) / "log").read_text()[-2000:]

    def prepare(self):
        """For the next check, which has a session of its own."""
        if self.process.poll() is not None:
            raise RuntimeError(f"the hub has ended: {self.log()}")

    def unused_name(self):
        self.begun += 1
        return f"Hall {self.begun}"

    def make_token(self, role, session, name):
        """By the program, with the hub's secret."""
        return self._run("--secret", self.secret, "--role", role, "--session", session, "--name", name)

    def token(self, role, session, name, lasts=3600):
        """By the token of the session's host, which the program makes."""
        if session not in self.hosts:
            first = self.make_token("host", session, "Issuer")
            self.hosts[session] = HubClient(self.url, session, first)
        body = {"name": name, "role": role, "lasts": lasts}
        return self.hosts[session].ask("/v1/tokens", body)["token"]

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.folder.cleanup()
