"""What the commands of a session's members do to a FakeSession."""
import time

from fake_session import HOST, NEEDS, RIGHTS, Refused, new_id


def perform(session, member, by, body):
    """The names of the events. The same request id does it once."""
    with session.lock:
        request = body.get("requestId")
        if request in session.done:
            return session.done[request]
        begun = len(session.events)
        word = body["command"]
        needs = NEEDS.get(word)
        rights = HOST if by == "local" else RIGHTS[member["role"]]
        if needs is not None and needs not in rights:
            raise Refused("notAllowed")
        COMMANDS[word](session, member, rights, body)
        events = [name for name, _ in session.events[begun:]]
        session.done[request] = events
        return events


def target(session, member, body):
    wanted = body.get("target") or member["id"]
    if wanted not in session.members:
        raise Refused("noSuchMember")
    return session.members[wanted]


def allow(rights, needs):
    if needs not in rights:
        raise Refused("notAllowed")


def rename(session, member, rights, body):
    other = target(session, member, body)
    allow(rights, "renameSelf" if other is member else "renameOthers")
    if not body["name"].strip():
        raise Refused("badValue")
    other["name"] = body["name"].strip()
    session.tell("renamed", member=other["id"], name=other["name"])


def mute(session, member, rights, body):
    other = target(session, member, body)
    allow(rights, "muteSelf" if other is member else "muteOthers")
    _mute(session, other, body.get("tracks") or ["audio"], "self" if other is member else "others")


def _mute(session, other, tracks, by):
    field = "mutedBySelf" if by == "self" else "mutedByOthers"
    new = [track for track in tracks if track not in other[field]]
    other[field] = other[field] + new
    _settle(other)
    if new:
        session.tell("muted", member=other["id"], tracks=new, by=by)


def _lift(session, other, tracks, by):
    field = "mutedBySelf" if by == "self" else "mutedByOthers"
    old = [track for track in tracks if track in other[field]]
    other[field] = [track for track in other[field] if track not in old]
    _settle(other)
    if old:
        session.tell("unmuted", member=other["id"], tracks=old, by=by)


def _settle(other):
    other["muted"] = sorted({*other["mutedBySelf"], *other["mutedByOthers"]})
    other["reportedMuted"] = other["muted"]


def unmute(session, member, rights, body):
    other, tracks = target(session, member, body), body.get("tracks") or ["audio"]
    allow(rights, "muteSelf" if other is member else "muteOthers")
    if other is member:
        if member["role"] == "participant" and set(tracks) & set(member["mutedByOthers"]):
            raise Refused("mutedByOthers")
        _lift(session, other, tracks, "others")
        _lift(session, other, tracks, "self")
        return
    _lift(session, other, tracks, "others")
    asked = [track for track in tracks if track in other["mutedBySelf"]]
    if asked:
        other["unmuteAsked"] = sorted({*other["unmuteAsked"], *asked})
        session.tell("unmuteAsked", member=other["id"], tracks=asked)


def answer(session, member, _, body):
    asked = member["unmuteAsked"]
    if not asked:
        raise Refused("notAsked")
    member["unmuteAsked"] = []
    if body["agrees"]:
        _lift(session, member, asked, "self")
    else:
        session.tell("unmuteDeclined", member=member["id"])


def mute_all(session, _, __, body):
    for one in session.order:
        other = session.members[one]
        if other["role"] == "participant" and other["kind"] != "programme":
            _mute(session, other, body.get("tracks") or ["audio"], "others")


def host(session, member, _, body):
    other = target(session, member, body)
    if other["_by"] not in ("host", "local"):
        raise Refused("mayNotBeHost")
    session.claims = []
    session.set_host(other["id"], "transferred")


def reclaim(session, member, *_):
    if member["id"] not in session.claims:
        raise Refused("nothingToReclaim")
    session.claims = []
    session.set_host(member["id"], "reclaimed")


def manager(session, member, _, body):
    other = target(session, member, body)
    other["role"] = "manager"
    session.tell("managerMade", member=other["id"])


def revoke(session, member, _, body):
    other = target(session, member, body)
    other["role"] = "participant"
    session.tell("managerRevoked", member=other["id"])


def remove(session, member, _, body):
    other = target(session, member, body)
    if other["id"] == session.host or other["id"] in session.claims:
        raise Refused("notRemovable")
    session.removed[other["id"]] = other.get("_identity") or (other["id"], None)
    session.tell("removed", member=other["id"])
    session.drop(other["id"], "removed")


def readmit(session, member, _, body):
    session.removed.pop(body["target"], None)
    session.tell("readmitted", member=body["target"])


def flag(field, value, event):
    def command(session, *_):
        setattr(session, field, value)
        session.tell(event)
    return command


def lock_screens(session, *_):
    session.screens_locked = True
    session.tell("screensLocked")
    for one in session.order:
        if session.members[one]["sharesScreen"]:
            session.report(one, sharesScreen=False)


def share(session, member, *_):
    if session.screens_locked:
        raise Refused("screensLocked")
    session.report(member["id"], sharesScreen=True)


def unshare(session, member, *_):
    session.report(member["id"], sharesScreen=False)


def password(session, _, __, body):
    session.password = body["password"]
    session.tell("passwordChanged", isSet=session.password is not None)


def limit(session, _, __, body):
    session.length = body["length"]
    session.started = session.started or time.time()
    session.tell("timer", state="limited", **session.timer())


def extend(session, _, __, body):
    if session.length is None:
        raise Refused("noLimit")
    session.length += body["by"]
    session.tell("timer", state="extended", **session.timer())


def ready(session, member, *_):
    member["ready"] = True
    session.tell("ready", member=member["id"])


def event(session, member, _, body):
    session.tell("event", member=member["id"], name=body["name"], data=body.get("data"))


def live(session, _, __, body):
    if session.job and session.job["state"] != "over":
        raise Refused("onAirAlready")
    session.job = {"job": new_id(), "state": "waiting", "reason": None, "mediaTime": 0.0,
                   "outputs": len(body["outputs"])}
    on_air(session, "waiting")


def on_air(session, state, reason=None):
    with session.lock:
        session.job |= {"state": state, "reason": reason}
        session.tell("onAir", job=session.job["job"], state=state, reason=reason)


def off_air(session, *_):
    if not session.job or session.job["state"] == "over":
        raise Refused("notOnAir")
    on_air(session, "over")


def leave(session, member, *_):
    session.drop(member["id"], "left")


def end(session, *_):
    session.ended = "ended"
    session.tell("ended", why="ended")


COMMANDS = {
    "rename": rename, "mute": mute, "unmute": unmute, "answer": answer, "mute-all": mute_all, "host": host,
    "reclaim": reclaim, "manager": manager, "revoke": revoke, "remove": remove, "readmit": readmit,
    "lock": flag("locked", True, "locked"), "unlock": flag("locked", False, "unlocked"), "lock-screens": lock_screens,
    "unlock-screens": flag("screens_locked", False, "screensUnlocked"), "share": share, "unshare": unshare, "password": password, "limit": limit,
    "extend": extend, "ready": ready, "event": event, "live": live, "off-air": off_air, "leave": leave, "end": end,
}
