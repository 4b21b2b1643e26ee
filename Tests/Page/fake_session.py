"""A session as a hub keeps it: members, roles, commands and their effects, without HTTP. Small, and with the rules that a
page can see."""
import secrets
import string
import threading
import time
from datetime import datetime, timezone

CAPACITIES = (1, 4, 6, 9, 12)
SHAPES = ((1, 1, 1), (2, 1, 2), (4, 2, 2), (6, 2, 3), (9, 3, 3), (12, 3, 4))
PARTICIPANT = {"renameSelf", "muteSelf", "shareScreen", "ready", "sendEvent", "leave"}
MANAGER = PARTICIPANT | {"renameOthers", "muteOthers", "remove", "lockScreens"}
HOST = MANAGER | {"readmit", "lock", "setPassword", "setTime", "transferHost", "makeManagers", "goOnAir", "end"}
RIGHTS = {"participant": PARTICIPANT, "manager": MANAGER, "host": HOST}
NEEDS = {"host": "transferHost", "manager": "makeManagers", "revoke": "makeManagers", "remove": "remove",
         "readmit": "readmit", "mute-all": "muteOthers", "lock": "lock", "unlock": "lock", "lock-screens": "lockScreens",
         "unlock-screens": "lockScreens", "password": "setPassword", "limit": "setTime", "extend": "setTime",
         "live": "goOnAir", "off-air": "goOnAir", "end": "end", "event": "sendEvent", "ready": "ready",
         "share": "shareScreen", "unshare": "shareScreen", "take": "work", "work": "work"}
ERRORS = {
    "noSuchSession": (404, "there is no such session", "a host's token creates it by joining"),
    "sessionOver": (410, "the session was ended for all", "join with a new key if a new session has begun"),
    "leaseOver": (409, "the lease is over", "join again with the same key"),
    "leaseNeeded": (403, "only a member may do this", "join, and send the lease as Holdfast-Lease"),
    "superseded": (409, "another one has joined with the same key", "if that was not intended, give each its own"),
    "passwordNeeded": (403, "the session has a password", "ask the host for it"),
    "passwordWrong": (403, "the password is wrong", "ask the host for it"),
    "locked": (403, "the session is locked", "ask the host to unlock it"),
    "removed": (403, "the member was removed from the session", "ask the host to readmit the member"),
    "full": (409, "the session has 200 members, the most that it can have", "wait until a member leaves"),
    "notAllowed": (403, "the caller may not do that", "ask the host"),
    "noSuchMember": (404, "there is no such member", "list the members"),
    "badValue": (422, "the name is empty", "choose another one"),
    "mayNotBeHost": (409, "the member can't be host", "choose a person or a box with a host's token"),
    "nothingToReclaim": (409, "the member did not lose the host's role by being away", "ask the host"),
    "notRemovable": (409, "the host, and who may reclaim the role, can't be removed", "hand the role over first"),
    "screensLocked": (409, "sharing screens is locked", "ask the host or a manager to unlock screens"),
    "mutedByOthers": (409, "the host or a manager has muted the member", "ask the host or a manager to unmute it"),
    "notAsked": (409, "the member was not asked to unmute", "unmute instead"),
    "noLimit": (409, "the session has no limit to extend", "limit it first"),
    "onAirAlready": (409, "the session is on air", "go off air first"),
    "notOnAir": (409, "the session is not on air by this job", "list the session's state"),
    "storeAway": (503, "the store of the sessions does not answer", "repeat the request with the same requestId"),
    "tooManyFailures": (429, "too many wrong passwords", "wait"),
    "tokenMissing": (401, "a token is required", "ask the host of the session for one"),
    "tokenForged": (401, "the token was not signed with this hub's secret", "ask for a new one"),
    "tokenExpired": (401, "the token has expired", "ask for a new one"),
    "notLive": (409, "nothing is live in this session", "wait"),
    "noPicture": (404, "there is no picture", "wait"),
    "notFound": (404, "no such path", ""),
}


class Refused(Exception):
    def __init__(self, code, retry_after=None, **more):
        super().__init__(code)
        self.code, self.retry_after, self.more = code, retry_after, more
        self.status, self.message, self.hint = ERRORS[code]


def instant(seconds):
    return None if seconds is None else datetime.fromtimestamp(seconds, timezone.utc).isoformat(
        timespec="milliseconds").replace("+00:00", "Z")


def new_id():
    return "".join(secrets.choice(string.ascii_lowercase + string.digits) for _ in range(16))


class FakeSession:
    def __init__(self, name):
        self.name, self.epoch = name, 7
        self.lock = threading.Condition(threading.RLock())
        self.members, self.order, self.away, self.removed = {}, [], {}, {}
        self.host = self.speaker = self.password = self.started = self.length = self.job = None
        self.locked = self.screens_locked = False
        self.claims, self.events, self.ended, self.exists = [], [], None, True
        self.grids = {capacity: [] for capacity in CAPACITIES}
        self.done, self.wrong_passwords, self.lease = {}, 0, 20
        # What the media of a member is: a number of a picture, or why there is none.
        self.media = {}

    # Events.

    def tell(self, event, **fields):
        with self.lock:
            self.events.append((event, {"event": event, **fields}))
            self.lock.notify_all()
            return event

    @property
    def last(self):
        return f"{self.epoch}-{len(self.events)}"

    # Members.

    def add(self, name, kind="box", state="live", role="participant", by="participant", picture=0, **fields):
        """A member that nobody joins as: a box, or somebody else's page."""
        with self.lock:
            member = self._make(new_id(), name, kind, by)
            member["state"] = state
            self.media[member["id"]] = picture
            if kind == "box":
                member["statistics"] = {"mediaTime": 60.0, "bitrate": 4_200_000 + 150_000 * len(self.members),
                                        "outputs": [{"id": "main", "state": "publishing"}], "losing": 0,
                                        "devices": {"video": "open", "audio": "open"}, "causes": [],
                                        "disk": "writing"}
            member.update(fields)
            if role == "manager":
                member["role"] = "manager"
            if role == "host":
                self.set_host(member["id"])
            return member["id"]

    def _make(self, member_id, name, kind, by):
        member = {"id": member_id, "name": name, "kind": kind, "role": "participant",
                  "state": "idle", "silent": False, "muted": [], "mutedBySelf": [], "mutedByOthers": [],
                  "reportedMuted": [], "lacks": [], "unmuteAsked": [], "ready": False,
                  "sharesScreen": False, "small": False, "statistics": None}
        self.members[member_id] = member
        self.order.append(member_id)
        member["_by"], member["_beat"], member["_lease"] = by, time.time(), None
        self.away.pop(member_id, None)
        self.tell("joined", member=member_id, name=name, kind=kind, returned=False)
        if kind != "person":
            self._place(member_id)
        return member

    def _place(self, member_id):
        for capacity, places in self.grids.items():
            mine = next((place for place in places if place["id"] == member_id), None)
            hole = next((place for place in places if not place["there"]), None)
            if mine is not None:
                mine["there"] = True
            elif len(places) < capacity:
                places.append({"id": member_id, "there": True})
            elif hole is not None:
                hole.update(id=member_id, there=True)
        self.tell("stage", grids=self.stage())

    def stage(self):
        grids = []
        for capacity, places in self.grids.items():
            rows, columns = next((rows, columns) for most, rows, columns in SHAPES if max(1, len(places)) <= most)
            shown = [place["id"] if place["there"] else None for place in places]
            grids.append({"capacity": capacity, "rows": rows, "columns": columns, "places": shown})
        return grids

    def set_host(self, member_id, why="first"):
        if self.host in self.members:
            self.members[self.host]["role"] = "participant"
        self.host, self.host_why = member_id, why
        if member_id is not None:
            self.members[member_id]["role"] = "host"
        self.tell("hostChanged", member=member_id, why=why)

    def drop(self, member_id, why="left"):
        with self.lock:
            member = self.members.pop(member_id)
            self.order.remove(member_id)
            self.away[member_id] = {"id": member_id, "name": member["name"], "kind": member["kind"],
                                    "role": member["role"], "why": why, "lastSeen": instant(time.time()),
                                    "_member": member}
            self.tell("left", member=member_id, why=why)
            for places in self.grids.values():
                for place in places:
                    if place["id"] == member_id:
                        place["there"] = False
            self.tell("stage", grids=self.stage())
            if self.speaker == member_id:
                self.speak(None)
            if self.host == member_id:
                self.host = None
                heir = next((one for one in self.order if self.members[one]["_by"] in ("host", "local")), None)
                if heir or why != "left":
                    self.set_host(heir, why="left")

    def come_back(self, member_id):
        with self.lock:
            member = self.away.pop(member_id)["_member"]
            self.members[member_id] = member
            self.order.append(member_id)
            self.tell("joined", member=member_id, name=member["name"], kind=member["kind"], returned=True)
            if member["kind"] != "person":
                self._place(member_id)

    def report(self, member_id, **fields):
        with self.lock:
            self.members[member_id].update(fields)
            for field in ("state", "silent", "sharesScreen", "small"):
                if field in fields:
                    self.tell("reported", member=member_id, **{field: fields[field]})

    def speak(self, member_id):
        with self.lock:
            if self.speaker != member_id:
                self.speaker = member_id
                self.tell("speaker", member=member_id)

    # Joining and staying in.

    def join(self, body, by, token_id):
        with self.lock:
            if self.ended:
                raise Refused("sessionOver", why=self.ended)
            if not self.exists:
                if by == "participant":
                    raise Refused("noSuchSession")
                self.exists = True
            identity = (body["key"], token_id)
            known = next((one for one, member in self._all() if member.get("_identity") == identity), None)
            if identity in self.removed.values() or token_id and token_id in [one[1] for one in self.removed.values()]:
                raise Refused("removed")
            if known is None:
                self._admit(body, by)
            if known in self.members:
                member = self.members[known]
                member["_lease"] = None
            elif known is not None and self.away[known]["why"] == "expired":
                self.come_back(known)
                member = self.members[known]
            else:
                name = body["name"].strip()
                if not name:
                    raise Refused("badValue")
                if known and known in self.away and self.away[known]["why"] != "removed":
                    # A member keeps its name.
                    name = self.away[known]["name"]
                member = self._make(known or new_id(), name, body["kind"], by)
            member["_identity"], member["_beat"] = identity, time.time()
            member["_lease"] = f"{self.epoch}.{len(self.events)}-{member['id'][:6]}-{secrets.token_hex(3)}"
            host = self.members.get(self.host)
            gives_way = host is None or (host["kind"] == "box" and member["kind"] == "person"
                                         and self.host_why in ("first", "left"))
            if gives_way and by in ("host", "local"):
                self.set_host(member["id"], "first" if host is None else "person")
            return {"member": member["id"], **self.place(member), "state": self.state(with_statistics=False)}

    def _all(self):
        return [*self.members.items(), *((one, gone["_member"]) for one, gone in self.away.items())]

    def _admit(self, body, by):
        if self.host is None and by in ("host", "local"):
            return
        if self.locked:
            raise Refused("locked")
        if len(self.members) >= 200:
            raise Refused("full")
        if self.password is None or self.password == body.get("password"):
            return
        if body.get("password") is None:
            raise Refused("passwordNeeded")
        if self.wrong_passwords >= 5:
            raise Refused("tooManyFailures", retry_after=6)
        self.wrong_passwords += 1
        raise Refused("passwordWrong")

    def place(self, member):
        return {"lease": member["_lease"], "proof": f"proof-{member['id']}", "role": member["role"],
                "desired": {"muted": member["muted"], "byOthers": member["mutedByOthers"],
                            "bySelf": member["mutedBySelf"], "asked": member["unmuteAsked"]},
                "lastEvent": self.last, "beatEvery": 1.0, "endsAt": instant(self.ends_at), "ingest": None, "play": None}

    def member_of(self, lease):
        """Whose lease it is. A refusal says why it is nobody's."""
        with self.lock:
            if self.ended:
                raise Refused("sessionOver", why=self.ended)
            member = next((one for one in self.members.values() if one["_lease"] == lease), None)
            if member is None:
                owner = lease.split("-")[1] if lease else None
                if any(owner == one[:6] for one in self.removed):
                    raise Refused("removed")
                # Who is in by another lease has joined again since.
                raise Refused("superseded" if any(owner == one[:6] for one in self.members) else "leaseOver")
            return member

    def expire(self):
        """Pages that have not been heard of for a lease are out."""
        with self.lock:
            for one, member in list(self.members.items()):
                if "_identity" in member and time.time() - member["_beat"] > self.lease:
                    self.drop(one, "expired")

    def beat(self, member, said):
        with self.lock:
            member["_beat"] = time.time()
            if said["state"] != member["state"]:
                self.report(member["id"], state=said["state"])
            return {"version": self.last, **self.place(member)}

    # Time.

    @property
    def ends_at(self):
        return None if self.started is None or self.length is None else self.started + self.length

    def timer(self):
        left = None if self.ends_at is None else max(0, int(self.ends_at - time.time()))
        return {"startedAt": instant(self.started), "endsAt": instant(self.ends_at), "secondsLeft": left}

    # The state.

    def state(self, with_statistics=True):
        with self.lock:
            base = {"name": self.name, "version": self.last, "epoch": self.epoch, "at": instant(time.time())}
            if self.ended or not self.exists:
                return base | {"ended": self.ended, "members": []}
            return base | {
                "host": self.host, "locked": self.locked, "screensLocked": self.screens_locked,
                "hasPassword": self.password is not None, "timer": self.timer(), "speaker": self.speaker,
                "stage": self.stage(), "onAir": self.job, "mayReclaim": self.claims,
                "away": [public(gone) for gone in self.away.values()],
                "removed": [{"id": one, "name": self.away[one]["name"]} for one in self.removed],
                "members": [self._shown(self.members[one], with_statistics) for one in self.order]}

    def _shown(self, member, with_statistics):
        shown = public(member) | {"lastBeat": instant(member["_beat"] if member["_lease"] else time.time() - 2)}
        return shown if with_statistics else shown | {"statistics": None}


def public(fields):
    return {key: value for key, value in fields.items() if not key.startswith("_")}
