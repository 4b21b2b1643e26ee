"""Every state of a session’s page at four sizes, light and dark: photographed, and checked for access and contrast."""
import time

import fake_states
from fake_commands import perform
from page_browser import DESK, PHONE, expect

SIZES = {"1920": (1920, 1080), "1280": DESK, "800": (800, 1100), "360": PHONE}
NARROWEST = (320, 640)


def at_all_sizes(room, name):
    with room.hub.media.still():
        look_at_all_sizes(room, name)


def look_at_all_sizes(room, name):
    page = room.browser
    for size, points in SIZES.items():
        for scheme in ("light", "dark"):
            # Without the moments in which controls fade, whose contrast nobody reads by.
            page.look(points, scheme, moves=False)
            time.sleep(0.25)
            room.picture(f"{name}-{size}-{scheme}")
            room.axe(f"{name}, {size}, {scheme}")
            found = page.script("contrast.js")
            expect(found["texts"] > 3, f"only {found} was looked at")
            expect(not found["problems"], f"{name}, {size}, {scheme}: {found['problems'][:4]}")
    page.look(NARROWEST)
    time.sleep(0.15)
    wide = room.too_wide()
    expect(wide == [], f"{name}: {wide} reach too far at {NARROWEST[0]}")
    page.look(DESK)


def room_states(room):
    """each scripted state is accessible and can be read at every size, light and dark, and is photographed"""
    for name, script in fake_states.STATES.items():
        if name in ("Password", "Locked", "Over"):
            continue
        room.prepare(script)
        page = room.join("host")
        count = len([one for one in room.session.media.values() if isinstance(one, int)])
        room.until(lambda: len(room.playing()) >= min(count, 12) - 4, "the pictures")
        time.sleep(1)
        page.run("document.activeElement.blur()")
        at_all_sizes(room, name.lower().replace(" ", "-"))


def before_and_after(room):
    """so are the form, what keeps out of the session, and its end"""
    room.prepare(fake_states.solo)
    room.visit("host")
    room.until(lambda: room.browser.is_seen("lobby-picture"), "the picture")
    at_all_sizes(room, "lobby")
    for name in ("password", "locked", "over"):
        room.prepare(fake_states.STATES[name.capitalize()])
        page = room.visit("participant")
        room.enter()
        room.until(lambda: page.text("join-why") != "", "the reason")
        at_all_sizes(room, f"lobby-{name}")
    room.prepare(fake_states.panel)
    page = room.join("participant")
    room.session.ended = "time"
    room.session.tell("ended", why="time")
    room.until(lambda: page.is_seen("farewell"), "the end")
    at_all_sizes(room, "ended")


def dialogs(room):
    """so are the dialogs and the messages"""
    room.prepare(fake_states.trouble)
    page = room.join("host")
    room.open_member("Picture muted")
    at_all_sizes(room, "member")
    room.press("remove")
    at_all_sizes(room, "sure")
    page.click("sure-no")
    room.close_member()
    page.run("document.getElementById('sound').click()")
    at_all_sizes(room, "sound")
    page.click("sound-close")
    page.click("copy-link")
    room.until(lambda: page.is_seen("link-dialog") or page.text("copy-link") == "Copied", "the link")
    room.prepare(fake_states.last_call)
    page = room.join("host", lasts=40)
    me = room.me()
    perform(room.session, room.session.members[me], "host", {"command": "mute"})
    with room.session.lock:
        room.session.members[me]["unmuteAsked"] = ["audio"]
        room.session.tell("unmuteAsked", member=me, tracks=["audio"])
    room.session.claims = [me]
    room.session.tell("hostChanged", member=me, why="first")
    room.until(lambda: page.is_seen("reclaiming") and page.is_seen("unmute-asked") and page.is_seen("token-ends"), "banners")
    at_all_sizes(room, "banners")
    room.hub.stop()
    room.until(lambda: page.is_seen("connection"), "the loss")
    at_all_sizes(room, "lost")
    room.hub.start()


def session_portraits(room):
    """pictures for those who have not seen the page"""
    room.prepare(fake_states.hall)
    page = room.join("host")
    page.look(DESK, "dark")
    room.until(lambda: len(room.playing()) == 12, "twelve pictures")
    time.sleep(12)
    room.session.report(room.id_of("Bern"), state="interrupted")
    room.session.drop(room.id_of("Wien"), "expired")
    time.sleep(5)
    room.session.report(room.id_of("Bern"), state="live")
    perform(room.session, room.session.members[room.me()], "host",
            {"command": "mute", "target": room.id_of("Press room")})
    room.session.speak(room.id_of("Committee A"))
    time.sleep(10)
    page.run("document.activeElement.blur()")
    time.sleep(1)
    page.picture(room.folder / "page-session-desk.png", is_whole=False)
    room.prepare(fake_states.screen)
    page = room.join("participant")
    page.look(PHONE)
    room.until(lambda: len(room.playing()) > 3, "the pictures")
    time.sleep(4)
    page.picture(room.folder / "page-session-phone.png", is_whole=False, scale=2)


# Made where somebody asks for it alone.
ON_DEMAND = [session_portraits]
ALL = [room_states, before_and_after, dialogs]
