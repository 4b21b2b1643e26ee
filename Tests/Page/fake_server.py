"""Serves the page and a FakeBroadcaster over HTTP, until it is stopped. It can be started again on the same port."""
import io
import json
import socket
import subprocess
import tempfile
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

from fake_broadcaster import ROLES, FakeBroadcaster, Refused

PAGE = Path(__file__).resolve().parents[2] / "Sources/Pages"
FILES = {path.name: path for folder in ("Box", "Shared") for path in (PAGE / folder).iterdir()}
TYPES = {".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8",
         ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}
POLICY = ("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; media-src blob:; "
          "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
NEEDS = {"start": "end", "foreground": "end", "background": "end", "end": "end", "check": "end",
         "interrupt": "interrupt", "resume": "interrupt", "extend": "changeMaxDuration", "ready": "ready",
         "session/answer": "mute", "session/leave": "end", "session/password": "end"}
TOKENS = {"host": "fake-host", "manager": "fake-manager", "participant": "fake-participant", "forged": "fake-forged"}
NAMES = {"host": "Hanna", "manager": "Max", "participant": "Pia"}


def make_pictures():
    """Four pictures of a test pattern, wide as a camera's."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=size=640x360:rate=4", "-frames:v", "4",
             f"{folder}/%d.jpg"], check=True, timeout=30)
        return [Path(folder, f"{number}.jpg").read_bytes() for number in range(1, 5)]


class Answers(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    @property
    def broadcaster(self):
        return self.server.broadcaster

    def setup(self):
        super().setup()
        self.server.sockets.add(self.connection)

    def finish(self):
        self.server.sockets.discard(self.connection)
        super().finish()

    def send(self, status, kind, body, **more):
        self.send_response(status)
        headers = {"Content-Type": kind, "Content-Length": len(body), "Cache-Control": "no-store",
                   "X-Content-Type-Options": "nosniff", "Content-Security-Policy": POLICY}
        for name, value in (headers | more).items():
            self.send_header(name, str(value))
        self.end_headers()
        self.wfile.write(body)

    def send_json(self, value, status=200, **more):
        self.send(status, "application/json", json.dumps(value).encode(), **more)

    def do_GET(self):
        self.answer(self.get)

    def do_POST(self):
        self.answer(self.post)

    def do_PATCH(self):
        self.answer(self.patch)

    def answer(self, work):
        try:
            length = int(self.headers.get("Content-Length") or 0)
            self.body = json.loads(self.rfile.read(length) or b"{}")
            if self.server.loses_answers and self.command == "POST":
                self.wfile = io.BytesIO()
            work(self.path.split("?")[0])
            self.close_connection |= isinstance(self.wfile, io.BytesIO)
        except Refused as refused:
            error = {"code": refused.code, "message": refused.message, "hint": refused.hint}
            more = {"WWW-Authenticate": "Bearer"} if refused.status == 401 else {}
            self.send_json({"error": error}, refused.status, **more)
        except (BrokenPipeError, ConnectionResetError, OSError):
            self.close_connection = True

    def role(self, needed):
        given = self.headers.get("Authorization", "")
        if not given:
            raise Refused(401, "tokenMissing", "a token is required", "ask the operator of this broadcaster for one")
        roles = {f"Bearer {token}": role for role, token in TOKENS.items() if role in ROLES}
        if self.server.is_expired:
            raise Refused(401, "tokenExpired", "the token has expired", "ask for a new one")
        if given not in roles:
            raise Refused(401, "tokenForged", "the token was not signed with this broadcaster's secret",
                          "ask for a new one")
        role = roles[given]
        if needed not in ROLES[role]:
            raise Refused(403, "notAllowed", f"the role {role} does not include {needed}")
        return role

    def get(self, path):
        name = "box.html" if path == "/" else path[1:]
        if name in FILES:
            return self.send(200, TYPES[FILES[name].suffix], FILES[name].read_bytes())
        role = self.role("view")
        if path == "/v1/me":
            self.send_json({"name": NAMES[role], "role": role, "may": ROLES[role], "expiresAt": None})
        elif path == "/v1/status":
            if self.server.holds_status:
                raise Refused(503, "notTaken", "there is no status now")
            self.send_json(self.broadcaster.status())
        elif path == "/v1/sources":
            self.send_json(self.broadcaster.listed())
        elif path == "/v1/preview.jpg":
            if not self.broadcaster.pictures:
                raise Refused(404, "noPicture", "there is no picture")
            pictures = self.server.pictures
            self.send(200, "image/jpeg", pictures[int(time.time() * 4) % len(pictures)])
        elif path == "/v1/events":
            self.stream()
        elif path == "/v1/live.mp4" and self.server.live is not None:
            self.live(parse_qs(urlsplit(self.path).query).get("rendition", [""])[0])
        else:
            raise Refused(404, "notFound", "no such path")

    def live(self, rendition):
        """A stream of what the check has given for this rendition, which stays open then."""
        self.server.watched.append(rendition)
        given = self.server.live[rendition]
        if isinstance(given, Refused):
            raise given
        self.close_connection = True
        self.send_response(200)
        self.send_header("Content-Type", 'video/mp4; codecs="avc1.42C01E"')
        self.end_headers()
        for piece in given:
            self.wfile.write(piece)
            time.sleep(0.1)
        while not self.server.is_stopped:
            self.wfile.write(b"\0\0\0\x08free")
            time.sleep(0.1)

    def stream(self):
        broadcaster = self.broadcaster
        self.close_connection = True
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        last = self.headers.get("Last-Event-ID")
        self.server.last_ids.append(last)
        told, news = broadcaster.begun, ""
        if last:
            epoch, _, number = last.rpartition("-")
            if epoch == broadcaster.epoch:
                told = int(number)
            else:
                news = "event: reset\ndata: {}\n"
        self.wfile.write(f"retry: 1000\nid: {broadcaster.epoch}-{told}\n{news}\n".encode())
        while not self.server.is_stopped:
            with broadcaster.lock:
                broadcaster.lock.wait_for(lambda: broadcaster.begun > told, 0.2)
                first = broadcaster.begun - len(broadcaster.events)
                fresh = list(enumerate(broadcaster.events, first + 1))[max(0, told - first):]
                told = broadcaster.begun
            if self.server.is_silent:
                continue
            for number, (name, line) in fresh:
                self.wfile.write(f"id: {broadcaster.epoch}-{number}\nevent: {name}\ndata: {line}\n\n".encode())
            if not self.server.holds_status:
                self.wfile.write(f"event: status\ndata: {json.dumps(broadcaster.status())}\n\n".encode())

    def post(self, path):
        word = path.removeprefix("/v1/")
        if word not in NEEDS:
            raise Refused(404, "notFound", "no such path")
        self.role(NEEDS[word])
        self.send_json(self.broadcaster.post(word, self.body))

    def patch(self, path):
        if path.startswith("/v1/tracks/"):
            self.role("mute")
            self.send_json(self.broadcaster.mute(path.rsplit("/", 1)[1], self.body))
        elif path in ("/v1/camera", "/v1/microphone"):
            self.role("switchCamera")
            track = "video" if path.endswith("camera") else "audio"
            self.send_json(self.broadcaster.switch(track, self.body))
        elif path == "/v1/layout":
            self.role("switchCamera")
            self.send_json(self.broadcaster.arrange(self.body))
        elif path.startswith("/v1/tiles/"):
            self.role("mute")
            self.send_json(self.broadcaster.mute_tile(unquote(path.rsplit("/", 1)[1]), self.body))
        elif path == "/v1/bitrate":
            self.role("bitrate")
            self.send_json(self.broadcaster.set_bitrate(self.body))
        else:
            raise Refused(404, "notFound", "no such path")


class Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    allow_reuse_address = True
    request_queue_size = 64

    def handle_error(self, request, client_address):
        pass


class FakeServer:
    def __init__(self):
        self.pictures = make_pictures()
        self.port = 0
        self.start()

    def start(self, **how):
        self.broadcaster = FakeBroadcaster(**how)
        self.server = Server(("127.0.0.1", self.port), Answers)
        self.server.broadcaster, self.server.pictures = self.broadcaster, self.pictures
        self.server.sockets, self.server.last_ids = set(), []
        self.server.is_stopped = self.server.is_silent = self.server.loses_answers = self.server.is_expired = False
        self.server.holds_status = False
        self.server.live, self.server.watched = None, []
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    def stop(self):
        self.server.is_stopped = True
        self.server.shutdown()
        self.server.server_close()
        self.hang_up()

    def hang_up(self):
        for connection in list(self.server.sockets):
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"
