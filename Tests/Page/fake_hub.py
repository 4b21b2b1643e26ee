#!/usr/bin/python3
"""Serves the page of sessions, and FakeSessions over HTTP as a hub does. By hand: `fake_hub.py` prints where a page of each
scripted state is to be seen."""
import base64
import json
import math
import random
import threading
import time
from collections import Counter
from urllib.parse import parse_qs, quote, unquote, urlsplit

from fake_commands import perform
from fake_media import Media, Sending
from fake_server import PAGE, TYPES, Answers, FakeServer, Server
from fake_session import FakeSession, Refused

FILES = {path.name: path for folder in ("Session", "Shared") for path in (PAGE / folder).iterdir()}
CHANGES = ("join", "beat", "commands", "leave")


def make_token(role, name="", lasts=3600):
    """As a hub's, but signed by nobody."""
    def part(value):
        return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")
    claims = {"role": role, "sub": name, "jti": f"{role}-{name}", "exp": int(time.time() + lasts)}
    return ".".join([part({"alg": "none"}), part(claims), "unsigned"])


class HubAnswers(Answers):
    @property
    def hub(self):
        return self.server.hub

    def answer(self, work):
        try:
            length = int(self.headers.get("Content-Length") or 0)
            self.body = json.loads(self.rfile.read(length) or b"{}")
            work(self.path.split("?")[0])
        except Refused as refused:
            error = {"code": refused.code, "message": refused.message, "hint": refused.hint, **refused.more}
            more = {} if refused.retry_after is None else {"Retry-After": refused.retry_after}
            self.send_json({"error": error}, refused.status, **more)
        except OSError:
            self.close_connection = True

    def caller(self):
        """By what right, and the token's id."""
        given = self.headers.get("Authorization", "").removeprefix("Bearer ")
        if not given:
            if self.hub.needs_token:
                raise Refused("tokenMissing")
            return "local", None
        try:
            claims = given.split(".")[1]
            claims = json.loads(base64.urlsafe_b64decode(claims + "=" * (-len(claims) % 4)))
        except (IndexError, ValueError):
            raise Refused("tokenForged") from None
        if claims["exp"] < time.time():
            raise Refused("tokenExpired")
        return claims["role"], claims["jti"]

    def session(self, path):
        """The session, and the rest of the path."""
        parts = path.removeprefix("/v1/sessions/").split("/", 1)
        name = unquote(parts[0])
        if name not in self.hub.sessions:
            session = FakeSession(name)
            session.exists = False
            self.hub.sessions[name] = session
        return self.hub.sessions[name], parts[1] if len(parts) > 1 else ""

    def member(self, session):
        lease = self.headers.get("Holdfast-Lease")
        return session.member_of(lease) if lease else None

    def viewer(self, session):
        """Who may see the session: a member, and others by their token."""
        by, _ = self.caller()
        member = self.member(session)
        if member is None and by == "participant":
            raise Refused("notAllowed")
        return member

    def get(self, path):
        self.hub.answers.wait()
        name = path.removeprefix("/page/")
        if path.startswith("/page/") and name in FILES:
            return self.send(200, TYPES[FILES[name].suffix], FILES[name].read_bytes())
        if path == "/states":
            return self.send(200, "text/html; charset=utf-8", self.hub.index().encode())
        if path.count("/") == 1 and not path.startswith("/v1"):
            return self.send(200, TYPES[".html"], FILES["session.html"].read_bytes())
        if not path.startswith("/v1/sessions/"):
            raise Refused("notFound")
        session, rest = self.session(path)
        member = self.viewer(session)
        if rest == "" and session.ended:
            raise Refused("sessionOver", why=session.ended)
        if rest == "":
            return self.send_json(session.state())
        if rest == "events":
            return self.answer_stream(self.stream, session, member)
        if rest == "live":
            return self.answer_stream(self.live, session, member)
        if rest.endswith("/preview.jpg"):
            picture = session.media.get(rest.split("/")[1])
            if not isinstance(picture, int):
                raise Refused("noPicture")
            return self.send(200, "image/jpeg", self.hub.media.stills[picture])
        raise Refused("notFound")

    def post(self, path):
        self.hub.answers.wait()
        session, word = self.session(path)
        by, token = self.caller()
        if word in CHANGES and self.hub.is_store_away:
            raise Refused("storeAway", retry_after=1)
        self.hub.asked.append((word, self.body))
        if word == "join":
            return self.send_json(session.join(self.body, by, token))
        if not session.exists:
            raise Refused("noSuchSession")
        member = self.member(session)
        if member is None:
            raise Refused("leaseNeeded")
        if word == "beat":
            return self.send_json(session.beat(member, self.body))
        if word == "leave":
            return self.send_json({"ok": True, "events": perform(session, member, by, {"command": "leave"})})
        if word == "commands":
            return self.send_json({"ok": True, "events": perform(session, member, by, self.body)})
        raise Refused("notFound")

    def answer_stream(self, work, *where):
        counter = self.hub.open
        counter[work.__name__] += 1
        try:
            work(*where)
        finally:
            counter[work.__name__] -= 1

    def begin(self, kind):
        self.close_connection = True
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.end_headers()

    def goes_on(self, session, member):
        return (not self.server.is_stopped and (member is None or member["_lease"] == self.headers["Holdfast-Lease"])
                and (member is None or member["id"] in session.members))

    def stream(self, session, member):
        self.begin("text/event-stream")
        generation, told = self.hub.generation, len(session.events)
        last = self.headers.get("Last-Event-ID", "")
        if last.startswith(f"{session.epoch}-") and int(last.rpartition("-")[2]) <= told:
            told = int(last.rpartition("-")[2])
            self.wfile.write(b"retry: 1000\n\n")
        else:
            state = json.dumps(session.state(with_statistics=False))
            self.wfile.write(f"retry: 1000\nid: {session.epoch}-{told}\nevent: reset\ndata: {state}\n\n".encode())
        next_levels = 0
        while not self.server.is_stopped and self.hub.generation == generation:
            with session.lock:
                session.lock.wait_for(lambda: len(session.events) > told, 0.1)
                fresh = list(enumerate(session.events, 1))[told:]
                told += len(fresh)
            for number, (name, fields) in fresh:
                line = json.dumps(fields)
                self.wfile.write(f"id: {session.epoch}-{number}\nevent: {name}\ndata: {line}\n\n".encode())
            session.expire()
            try:
                self.caller()
            except Refused as refused:
                error = {"code": refused.code, "message": refused.message, "hint": refused.hint}
                self.wfile.write(f"event: {refused.code}\ndata: {json.dumps({'error': error})}\n\n".encode())
                return
            if not self.goes_on(session, member):
                return
            if time.monotonic() >= next_levels:
                next_levels = time.monotonic() + 0.33
                self.wfile.write(f"event: levels\ndata: {json.dumps(self.hub.levels(session))}\n\n".encode())
        if self.hub.generation != generation and not self.server.is_stopped:
            self.wfile.write(b'event: bye\ndata: {"retryAfter": 0.5}\n\n')

    def live(self, session, member):
        query = parse_qs(urlsplit(self.path).query)
        keys = ("members", "small", "sound")
        ids = {key: ",".join(query.get(key, [])).split(",") for key in keys}
        pictures, small, sounds = ([one for one in ids[key] if one] for key in keys)
        self.hub.watched.append((pictures, small, sounds))
        if self.hub.live_refusal:
            raise Refused(self.hub.live_refusal)
        self.begin("application/octet-stream")

        begun = time.monotonic()

        def film_of(one, track, rendition):
            if one not in session.members:
                return "unreachable"
            picture = session.media.get(one)
            if not isinstance(picture, int):
                return picture or "unreachable"
            if session.members[one]["state"] == "interrupted":
                return "interrupted"
            if track == 1:
                return self.hub.media.sound
            if rendition == 0:
                return self.hub.media.pictures[picture]
            # As if nobody had pulled it before.
            return "connecting" if time.monotonic() < begun + self.hub.pull_takes else self.hub.media.small[picture]
        sending = Sending(self.hub.media, pictures, small, sounds, film_of)
        while self.goes_on(session, member):
            news = sending.news()
            if news:
                self.wfile.write(news)
            time.sleep(1 / 30)


class FakeHub(FakeServer):
    """Its sessions last over a restart, as if they were in a store."""
    is_real = False

    def __init__(self):
        self.media = Media()
        self.sessions, self.port = {}, 0
        self.box_url = None
        # Requests wait while it is clear.
        self.answers = threading.Event()
        self.reset()
        self.start()

    def reset(self):
        self.sessions.clear()
        self.needs_token, self.is_store_away = True, False
        self.answers.set()
        self.live_refusal, self.generation = None, 0
        # How long it is until a small stream comes.
        self.pull_takes = 0.7
        self.watched, self.asked = [], []
        # How many responses without an end there are.
        self.open = Counter()

    def prepare(self):
        """For the next check."""
        if self.server.is_stopped:
            self.start()
        self.reset()

    def start(self):
        self.server = Server(("127.0.0.1", self.port), HubAnswers)
        self.server.hub, self.server.sockets, self.server.is_stopped = self, set(), False
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    def end_streams(self):
        """As a hub that stops tells its readers."""
        self.generation += 1

    def levels(self, session):
        now = time.time()
        with session.lock:
            return {one: 0 if "audio" in member["muted"] or member["kind"] == "person" else round(
                        (88 if one == session.speaker else 14) * (0.6 + 0.4 * math.sin(now * 5 + index)))
                    for index, (one, member) in enumerate(session.members.items())}

    def session(self, name):
        self.sessions[name] = FakeSession(name)
        return self.sessions[name]

    def unused_name(self):
        return "Hall"

    def token(self, role, _, name, lasts=3600):
        return make_token(role, name, lasts)

    def address(self, name, role="host", **how):
        return f"{self.url}/{quote(name)}#token={make_token(role, name=f'{role}-{name}', **how)}"

    def index(self):
        from fake_states import STATES
        rows = "".join(
            f"<tr><td>{name}</td><td>{script.__doc__}</td>"
            + "".join(f'<td><a href="{self.address(name, role)}" target="_blank">{role}</a></td>'
                      for role in ("host", "participant")) + "</tr>"
            for name, script in STATES.items())
        box = f'<p><a href="{self.box_url}">The page of a box</a></p>' if self.box_url else ""
        return f"<!doctype html><title>States</title><h1>Sessions</h1>{box}<table>{rows}</table>"


def main():
    from fake_server import TOKENS
    from fake_states import STATES
    box, hub = FakeServer(), FakeHub()
    box.broadcaster.post("start", None)
    hub.box_url = f"{box.url}/#token={TOKENS['host']}"
    for name, script in STATES.items():
        script(hub.session(name))
    print(f"{hub.url}/states", flush=True)
    while True:
        time.sleep(random.uniform(3, 5))
        for session in hub.sessions.values():
            live = [one for one, member in session.members.items() if member["state"] == "live" and not member["muted"]]
            if live and session.exists:
                session.speak(random.choice(live))


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        pass
