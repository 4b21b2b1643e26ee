"""Sessions in the states that the page has to show, by name."""
import time

from fake_commands import live, on_air

TWELVE = ("Podium", "Camera left", "Camera right", "Gallery", "Committee A", "Committee B", "Interpreters", "Press room",
          "Bern", "Wien", "Zürich", "Replay")


def empty(_):
    """nobody is in but who opens it"""


def solo(session):
    """one box"""
    session.speak(session.add("Podium", picture=2))


def panel(session):
    """four boxes, one of them with a manager's rights, and a person"""
    boxes = [session.add(name, picture=index + 1, role="manager" if name == "Bern" else "participant")
             for index, name in enumerate(("Bern", "Wien", "Zürich", "Studio"))]
    session.add("Max Muster", kind="person", state="idle")
    session.speak(boxes[1])


def hall(session):
    """twelve boxes"""
    boxes = [session.add(name, picture=index % 6, by="host" if index == 1 else "participant")
             for index, name in enumerate(TWELVE)]
    session.add("Regie", kind="person", state="idle", role="manager", by="host")
    session.speak(boxes[0])
    return boxes


def crowd(session):
    """fourteen boxes, two of which wait for a place"""
    hall(session)
    for name in ("Salzburg", "A box with quite a long name, as people give them when nobody looks"):
        session.add(name, picture=3)


def trouble(session):
    """network, disk, gaps, silence, interruption, mutes and a lost picture"""
    def statistics(**more):
        return {"mediaTime": 60.0, "bitrate": 4_100_000, "outputs": [{"id": "main", "state": "publishing"}],
                "losing": 0, "disk": "writing"} | more
    session.add("Network", picture=2, statistics=statistics(outputs=[{"id": "main", "state": "waiting"}]))
    session.add("Gap", picture=3, statistics=statistics(losing=2))
    session.add("Device", picture=5, statistics=statistics(
        devices={"video": "lost", "audio": "open"}, losing=1, causes=["device"]))
    session.add("Disk", picture=4, statistics=statistics(disk="low"))
    session.add("Silent", picture=0, silent=True)
    session.add("Interrupted", state="interrupted", picture=1)
    session.add("Sound muted", picture=2, muted=["audio"], mutedByOthers=["audio"])
    session.add("Picture muted", picture=3, muted=["audio", "video"], mutedBySelf=["audio", "video"])
    session.add("Sound only", lacks=["video"], picture="unreachable")
    session.add("Lost", picture="unreachable")
    session.add("Preview", state="previewing", picture="unreachable")
    gone = session.add("Gone", picture=1)
    session.drop(gone, "expired")


def screen(session):
    """a shared screen, large by itself"""
    slides = session.add("Slides", picture=0)
    panel(session)
    session.report(slides, sharesScreen=True)


def air(session):
    """on air at two addresses, locked, with a password"""
    panel(session)
    session.locked, session.password = True, "secret"
    live(session, None, None, {"outputs": ["rtmp://a", "rtmp://b"]})
    on_air(session, "live")


def air_trouble(session):
    """on air, in trouble"""
    panel(session)
    live(session, None, None, {"outputs": ["rtmp://a"]})
    on_air(session, "trouble", "nameTaken")


def last_call(session):
    """less than a minute is left"""
    panel(session)
    session.started, session.length = time.time() - 3600, 3600 + 55


def password(session):
    """a password is asked for: it is secret"""
    panel(session)
    session.password = "secret"
    session.set_host(session.add("Hanna", kind="person", state="idle", by="host"))


def locked(session):
    """nobody new is let in"""
    panel(session)
    session.locked = True
    session.set_host(session.add("Hanna", kind="person", state="idle", by="host"))


def over(session):
    """ended by its host"""
    session.ended = "ended"


def removals(session):
    """two were removed, and one has left"""
    panel(session)
    for name in ("Guest 1", "Guest 2"):
        one = session.add(name, picture=1)
        session.removed[one] = (one, None)
        session.drop(one, "removed")
    session.drop(session.add("Lobby", picture=2))


STATES = {"Empty": empty, "Solo": solo, "Panel": panel, "Hall": hall, "Crowd": crowd, "Trouble": trouble,
          "Screen": screen, "Air": air, "Air trouble": air_trouble, "Last call": last_call, "Password": password,
          "Locked": locked, "Over": over, "Removals": removals}
