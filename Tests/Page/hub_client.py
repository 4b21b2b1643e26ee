"""What a hub answers over HTTP, and members that are simulated by their requests alone. The hub may be fake or real."""
import http.client
import json
import secrets
import threading
import time
import urllib.error
import urllib.request
from urllib.parse import quote, urlsplit


class Refusal(Exception):
    def __init__(self, status, error):
        super().__init__(f"{status} {error}")
        self.status, self.code = status, error["code"]


class HubClient:
    """Requests concerning one session, by one token."""

    def __init__(self, url, session, token):
        self.url, self.token, self.session = url, token, f"/v1/sessions/{quote(session)}"

    def headers(self, lease=None):
        return {"Authorization": f"Bearer {self.token}"} | ({} if lease is None else {"Holdfast-Lease": lease})

    def ask(self, path, body=None, headers=None):
        """With the token alone, unless other headers are given. Throws the refusal."""
        request = urllib.request.Request(
            self.url + path, None if body is None else json.dumps(body).encode(),
            {"Content-Type": "application/json"} | (self.headers() if headers is None else headers))
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            raise Refusal(error.code, json.load(error)["error"]) from None

    def state(self):
        return self.ask(self.session)

    def command(self, word, headers=None, **fields):
        return self.ask(f"{self.session}/commands", {"command": word, **fields, "requestId": secrets.token_hex(8)}, headers)


def refusal(work):
    """The status and the code with which something is refused, or None."""
    try:
        work()
    except Refusal as refused:
        return refused.status, refused.code
    return None


class Member:
    """Joins, beats each second, and reports itself as muted as it is asked to be."""

    def __init__(self, client, name, kind="box", state="live"):
        self.client, self.name, self.kind, self.state = client, name, kind, state
        self.key, self.muted, self.asked = secrets.token_hex(16), [], []
        self.lock, self.is_over, self.refusal = threading.Lock(), threading.Event(), None
        self.thread = None

    def join(self, password=None):
        """Also once more, after it was out. Throws the refusal."""
        body = {"key": self.key, "name": self.name, "kind": self.kind, "wants": [], "requestId": secrets.token_hex(8)}
        answer = self.client.ask(f"{self.client.session}/join", body | ({} if password is None else {"password": password}))
        self.id, self.lease, self.refusal = answer["member"], answer["lease"], None
        self.is_over.clear()
        self.beat()
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()
        return self

    def _run(self):
        while not self.is_over.wait(1):
            try:
                self.beat()
            except Refusal as refused:
                self.refusal = refused.code
                return
            except OSError:
                pass

    def beat(self):
        with self.lock:
            for _ in range(2):
                body = {"state": self.state, "muted": self.muted}
                place = self.client.ask(f"{self.client.session}/beat", body, self.client.headers(self.lease))
                self.lease, self.asked = place["lease"], place["desired"]["asked"]
                if place["desired"]["muted"] == self.muted:
                    break
                self.muted = place["desired"]["muted"]

    def report(self, state):
        self.state = state
        self.beat()

    def state(self):
        return self.ask(self.session)

    def command(self, word, **fields):
        with self.lock:
            return self.client.command(word, self.client.headers(self.lease), **fields)

    def stop(self):
        """Without a word, as in a power cut."""
        self.is_over.set()
        if self.thread is not None:
            self.thread.join(15)


class Events:
    """Follows the events of a session, which has begun."""

    def __init__(self, client):
        parts = urlsplit(client.url)
        # The time of each beside it.
        self.told, self.times = [], []
        self.connection = http.client.HTTPConnection(parts.hostname, parts.port)
        self.connection.request("GET", f"{client.session}/events", headers=client.headers())
        self.socket, self.answer = self.connection.sock, self.connection.getresponse()
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self):
        name = None
        try:
            for line in self.answer:
                key, _, value = line.decode().rstrip("\n").partition(": ")
                if key == "event":
                    name = value
                elif key == "data" and name not in ("reset", "levels"):
                    self.times.append(time.time())
                    self.told.append((name, json.loads(value)))
        except (OSError, ValueError, http.client.HTTPException):
            pass

    def has(self, event, **fields):
        return any(name == event and fields.items() <= said.items() for name, said in list(self.told))

    def stop(self):
        try:
            self.socket.shutdown(2)
        except OSError:
            pass
        self.thread.join(5)
