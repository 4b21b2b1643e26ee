"""A broadcaster that only pretends: states, tracks, outputs and a clock, as the page sees them."""
import copy
import json
import secrets
import threading
import time
from datetime import datetime, timezone

RIGHTS = ["view", "mute", "interrupt", "switchCamera", "bitrate", "sendEvent", "ready", "refuse", "changeMaxDuration",
          "end", "grant"]
ROLES = {
    "host": RIGHTS,
    "manager": [right for right in RIGHTS if right not in ("end", "grant")],
    "participant": ["view", "ready"],
}
START_TAKES = 0.8
FORMATS = {
    "video": {"codec": "h264", "width": 1280, "height": 720, "framesPerSecond": 30.0},
    "audio": {"codec": "aac", "sampleRate": 48000, "channels": 2, "driftPPM": 12.3},
}
CAMERAS = [
    {"id": "camera:A1B2", "name": "Desk camera", "inUse": True},
    {"id": "camera:GONE", "name": "Camera that can’t be opened", "inUse": False},
    {"id": "test", "name": "test picture", "inUse": False},
]
# As a member of a session of several boxes.
MEMBER = {
    "url": "https://hub.example:8787/Stage%20left%20%C3%BC", "state": "joined", "member": "k3f9x2m7p1q8z4tt",
    "role": "participant", "muted": [], "mutedByOthers": [], "unmuteAsked": [], "endsAt": None, "othersReady": 0,
    "why": None,
}
PASSWORD = "open sesame"
MICROPHONES = [
    {"id": "mic:USB1", "name": "Desk microphone", "inUse": True},
    {"id": "tone", "name": "test tone", "inUse": False},
]


class Refused(Exception):
    def __init__(self, status, code, message, hint=None):
        super().__init__(message)
        self.status, self.code, self.message, self.hint = status, code, message, hint


def instant(at):
    return datetime.fromtimestamp(at, timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"


class FakeBroadcaster:
    def __init__(self, gate=False, max_seconds=7200):
        self.lock = threading.Condition()
        self.gate_waits = gate
        self.max_seconds = max_seconds
        self.epoch = secrets.token_hex(4)
        self.events = []
        self.state = "previewing"
        self.cause = None
        self.media = 0.0
        self.since = self.started = self.ends = self.window_ends = None
        self.gate, self.gate_reason, self.gate_by = "none", None, None
        self.losses, self.off_air, self.disk_seconds, self.target = [], None, 36000, 2500000
        self.disk, self.devices = "writing", {"video": "open", "audio": "open"}
        self.begun = 0
        self.history = []
        self.sources = {"video": "camera:A1B2", "audio": "mic:USB1"}
        self.muted = {"video": False, "audio": False}
        self.level = -18.2
        self.outputs = [self._output("main", "rtmp://media.example/live/***"),
                        self._output("backup", "srt://backup.example:9000")]
        self.session, self.heard = None, None
        self.has_closed_window = False
        self.extensions = set()
        self.asked = []
        self.live_renditions = []
        self.pictures = True
        self.programme = None

    @staticmethod
    def _output(name, url):
        return {"id": name, "url": url, "rendition": None, "adaptive": "shared",
                "adaptiveWhy": "its network carries the encode that it shares", "state": "closed", "cause": None, "why": None, "retryInMs": None,
                "queuedMs": 0, "bytesSent": 0, "roundTripMs": None, "lostMs": 0,
                "check": {"state": "unknown", "what": None, "uploadBps": None, "requiredBps": None}}

    # What is told.

    def tell(self, event, **more):
        line = {"at": instant(time.time()), "event": event, "broadcast": "20261121T222023Z-a1b2", **more}
        self.events.append((event, json.dumps(line)))
        del self.events[:-1000]
        self.begun += 1
        self.lock.notify_all()

    def status(self):
        with self.lock:
            self._move()
            now = time.time()
            status = {
                "name": "stage", "state": self.state, "onAir": self.on_air,
                "broadcast": "20261121T222023Z-a1b2", "at": instant(now),
                "mediaTimeMs": int(self.media * 1000), "framesPerSecond": 30.0, "bps": 2480000,
                "droppedFrames": 0, "recordedBytes": int(self.media * 310000), "disk": self.disk,
                "recordQueueMs": 0, "diskSecondsLeft": self.disk_seconds,
                "recording": "recordings/stage-20261121T222023Z.mp4",
                "tracks": {
                    track: {"source": self.sources[track], "muted": self.muted[track],
                            "device": self.devices[track], **FORMATS[track]}
                    for track in self.sources},
                "renditions": self._renditions(),
                "live": {"viewers": 0, "renditions": copy.deepcopy(self.live_renditions)},
                "timer": self._timer(now),
                "gate": {"state": self.gate, "reason": self.gate_reason, "by": self.gate_by,
                         "awaitsReady": self.gate == "waiting"},
                "programme": copy.deepcopy(self.programme), "session": self._membership(now), "offAir": self.off_air,
                "outputs": copy.deepcopy(self.outputs), "history": copy.deepcopy(self.history), "losses": copy.deepcopy(self.losses),
            }
            if "video" in status["tracks"]:
                status["tracks"]["video"] |= {"targetBps": self.target, "bps": int(self.target * 0.992)}
            audio = status["tracks"].get("audio")
            if audio:
                loud = None if self.muted["audio"] else self.level
                audio |= {"levelDb": loud, "peakDb": None if loud is None else min(0, loud + 11)}
            if self.state == "interrupted":
                status |= {"cause": self.cause, "resumableMs": int((self.window_ends - now) * 1000)}
            return status

    @property
    def on_air(self):
        states = [output["state"] == "publishing" for output in self.outputs]
        if self.state != "live" or not states:
            return "off"
        return "all" if all(states) else "some" if any(states) else "none"

    def _membership(self, now):
        if self.session is None:
            return None
        muted = [track for track, is_muted in self.muted.items() if is_muted]
        heard = now - 1 if self.heard is None else self.heard
        return copy.deepcopy(self.session) | {"muted": muted, "lastHeard": instant(heard)}

    def _renditions(self):
        if self.state == "previewing":
            return []
        return [{"name": "main", "users": [output["id"] for output in self.outputs], "viewers": 0, "width": 1280, "height": 720,
                 "targetBps": self.target, "bps": int(self.target * 0.992)}]

    def _timer(self, now):
        if self.max_seconds is None:
            return {"state": "off", "startedAt": None, "endsAt": None, "secondsLeft": None, "maxSeconds": None,
                    "mostSeconds": None}
        left = self.max_seconds if self.ends is None else max(0, int(self.ends - now))
        state = "waiting" if self.ends is None else "alert" if left <= 60 else "running"
        return {"state": state, "startedAt": self.started and instant(self.started),
                "endsAt": self.ends and instant(self.ends), "secondsLeft": left,
                "maxSeconds": self.max_seconds, "mostSeconds": None}

    def _move(self):
        now = time.time()
        if self.state == "starting" and now - self.since > START_TAKES:
            if self.gate_waits and self.gate != "passed":
                if self.gate == "none":
                    self.gate = "waiting"
                    self.tell("gate", verdict="asked", reason=None)
            else:
                self._go_live(now)
        if self.state == "live":
            passed = now - self.since
            self.media += passed
            self.since = now
            for output in self.outputs:
                if output["state"] == "publishing":
                    output["bytesSent"] += int(passed * 310000)

    def _go_live(self, now):
        self.state, self.since, self.media, self.started = "live", now, 0.0, now
        self.ends = self.max_seconds and now + self.max_seconds
        self._enter("live")
        for output in self.outputs:
            output |= {"state": "publishing", "cause": None, "queuedMs": 40, "roundTripMs": 12, "retryInMs": None}
        self.tell("live", publishType="record")

    def _enter(self, kind, cause=None):
        now = instant(time.time())
        for stretch in self.history:
            if stretch["to"] is None:
                stretch["to"] = now
        if kind:
            self.history.append({"kind": kind, "from": now, "to": None, "cause": cause, "output": None})

    # What is asked for.

    def post(self, word, body):
        with self.lock:
            self._move()
            self.asked.append(word)
            return getattr(self, "_" + word.replace("/", "_"))(body)

    def _need(self, word, *states):
        if self.state not in states:
            raise Refused(409, "notPossible", f"{word} is not possible while {self.state}", "check the state")

    def _done(self):
        return {"ok": True, "state": self.state}

    def _start(self, _):
        self._need("start", "idle", "previewing", "backgrounded")
        self.state, self.since = "starting", time.time()
        self.gate = "none"
        for output in self.outputs:
            output["state"] = "connecting"
        self.tell("starting")
        return self._done()

    def _foreground(self, _):
        self._need("foreground", "backgrounded")
        return self._done() if self.has_closed_window else self._start(None)

    def _interrupt(self, _):
        self._need("interrupt", "live")
        self.state, self.cause, self.window_ends = "interrupted", "user", time.time() + 120
        self._enter("interrupted", "user")
        for output in self.outputs:
            output["state"] = "closed"
        self.tell("interrupted", cause="user")
        return self._done()

    def _resume(self, _):
        self._need("resume", "interrupted")
        self.state, self.since = "live", time.time()
        self._enter("live")
        for output in self.outputs:
            output["state"] = "publishing"
        self.tell("resumed", publishType="append")
        return self._done()

    def _background(self, _):
        self._need("background", "live", "interrupted")
        self.state = "backgrounded"
        self._enter("backgrounded")
        for output in self.outputs:
            output["state"] = "closed"
        self.tell("backgrounded")
        return self._done()

    def set_bitrate(self, body):
        with self.lock:
            self.asked.append("bitrate")
            self.target = int(body["bps"].removesuffix("k")) * 1000
            self.tell("bitrate", bps=self.target, why="requested")
            return {"ok": True, "bps": self.target}

    def _end(self, _):
        self._need("end", "starting", "live", "interrupted", "backgrounded")
        self.state, self.ends, self.started, self.gate = "previewing", None, None, "none"
        self._enter(None)
        for output in self.outputs:
            output |= {"state": "closed", "cause": None, "retryInMs": None}
        self.tell("ended", reason="stopped")
        return self._done()

    def _ready(self, body):
        if self.gate != "waiting":
            raise Refused(409, "notPossible", "no gate waits", None)
        if body.get("ready"):
            self.gate, self.gate_by = "passed", "Max"
            self.tell("gate", verdict="passed", reason=None, by="Max")
        else:
            self._end(None)
            self.gate, self.gate_reason, self.gate_by = "refused", body.get("reason"), "Max"
        return {"ok": True}

    def _extend(self, body):
        if self.ends is None:
            raise Refused(409, "noLimit", "the broadcast has no end yet", "go live first")
        repeated = body["id"] in self.extensions
        if not repeated:
            self.extensions.add(body["id"])
            self.ends += body["by"]
            self.tell("timer", state="extended")
        return {"ok": True, "endsAt": instant(self.ends), "secondsLeft": int(self.ends - time.time()),
                "repeated": repeated}

    def _check(self, _):
        self.outputs[0]["check"] = {"state": "fine", "what": "reached, accepted, 12 ms", "uploadBps": 8200000,
                                    "requiredBps": 2700000}
        self.outputs[1]["check"] |= {"state": "failed", "what": "the server can’t be reached; is its port right?"}
        return {"ok": True}

    # As a member of a session.

    def join(self, **fields):
        """Becomes the member that the fields say, or another one; what others mute is muted."""
        with self.lock:
            self.session = MEMBER | fields
            for track in self.session["mutedByOthers"] + self.session["unmuteAsked"]:
                self.muted[track] = True
            self.tell("session", state=self.session["state"])

    def _need_session(self):
        if self.session is None:
            raise Refused(409, "notPossible", "the broadcast is in no session", "start with --session https://HUB/NAME")

    def _order(self, command, code=None, why=None):
        self.tell("sessionCommand", command=command, requestId=secrets.token_hex(8),
                  state="refused" if code else "done", code=code, why=why)

    def _session_answer(self, body):
        self._need_session()
        asked = self.session["unmuteAsked"]
        if not asked:
            raise Refused(409, "notPossible", "the session asks for nothing", "use holdfast ctl unmute instead")
        for track in asked if body["agrees"] else []:
            self.muted[track] = track in self.session["mutedByOthers"]
        self.session["unmuteAsked"] = []
        self._order("answer")
        return {"ok": True}

    def _session_leave(self, _):
        self._need_session()
        self.session |= {"state": "left", "member": None, "role": None, "mutedByOthers": [], "unmuteAsked": []}
        self.outputs = [output for output in self.outputs if output["id"] != "session"]
        self.tell("session", state="left")
        return {"ok": True}

    def _session_password(self, body):
        self._need_session()
        is_right = body["password"] == PASSWORD
        news = {"state": "joined", "why": None} if is_right else {"why": "the password is wrong"}
        if self.session | news != self.session:
            self.session |= news
            self.tell("session", state=self.session["state"], why=self.session["why"])
        return {"ok": True}

    def mute(self, track, body):
        with self.lock:
            self.asked.append("mute")
            if self.session and not body["muted"] and track in self.session["mutedByOthers"]:
                if self.session["role"] == "participant" and self.heard is None:
                    self._order("unmute", "mutedByOthers", "the host or a manager has muted the member")
                    return {"ok": True, "muted": False}
                if self.heard is None:
                    self.session["mutedByOthers"].remove(track)
            self.muted[track] = body["muted"]
            self.tell("mute", track=track, muted=body["muted"])
            return {"ok": True, "muted": body["muted"]}

    def switch(self, track, body):
        with self.lock:
            self.asked.append("switch")
            if body["source"] == "camera:GONE":
                raise Refused(422, "badValue", "camera:GONE can’t be opened", "the old camera goes on")
            self.sources[track] = body["source"]
            self.tell("source", track=track, source=body["source"])
            return {"ok": True, "source": body["source"]}

    def arrange(self, body):
        with self.lock:
            self.asked.append("arrange")
            if "layout" in body:
                self.programme["layout"] = body["layout"]
                if body["layout"] in ("grid", "side-by-side"):
                    self.programme["spotlight"] = None
            if "spotlight" in body:
                self.programme["spotlight"] = body["spotlight"]
                if body["spotlight"] and self.programme["layout"] in ("grid", "side-by-side"):
                    self.programme["layout"] = "spotlight"
            return {name: self.programme[name] for name in ("layout", "spotlight")}

    def mute_tile(self, name, body):
        with self.lock:
            self.asked.append("mute tile")
            tile = next((tile for tile in self.programme["tiles"] if tile["name"] == name), None)
            if tile is None:
                raise Refused(404, "noSuchTile", f"there is no tile {name}")
            tile["muted"] = body["muted"]
            return {"ok": True}

    def listed(self):
        def marked(sources, current):
            return [source | {"inUse": source["id"] == current} for source in sources]
        with self.lock:
            return {"cameras": marked(CAMERAS, self.sources.get("video")),
                    "microphones": marked(MICROPHONES, self.sources.get("audio"))}
