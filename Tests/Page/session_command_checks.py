"""What is checked of the commands of a session’s page: each is done, by whom it may be, and only they see it."""
import time

import fake_hub
import fake_states
from fake_commands import on_air
from fake_session import Refused
from page_browser import PHONE, expect
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

PARTICIPANT = {"leave", "ready", "send-mark"}
MANAGER = PARTICIPANT | {"mute-all-audio", "mute-all-video", "lock-screens"}
HOST = MANAGER | {"lock", "set-password", "limit", "go-live", "off-air", "end", "extend", "lift-limit", "lift-password",
                  "last-call-extend"}
MINE = {"participant": PARTICIPANT, "manager": MANAGER, "host": HOST}
OTHERS = {"participant": set(), "manager": {"rename", "mute-audio", "mute-video", "remove"},
          "host": {"rename", "mute-audio", "mute-video", "remove", "manager", "host"}}


def present(page):
    """The ids of the page's commands that are in the document."""
    return set(page.run("return arguments[0].filter((id) => document.getElementById(id) !== null)", sorted(HOST)))


def roles(room):
    """each role finds exactly its commands in the document, also when the role changes meanwhile"""
    for role in ("participant", "manager", "host"):
        room.prepare(fake_states.removals)
        page = room.join(role)
        expect(present(page) == MINE[role], f"{role}: {present(page) ^ MINE[role]}")
        room.open_member("Wien")
        expect(set(room.commands()) == OTHERS[role], f"{role}, others: {set(room.commands()) ^ OTHERS[role]}")
        room.close_member()
        room.open_member("Anna")
        expect(set(room.commands()) == {"rename"}, f"{role}, oneself: {room.commands()}")
        room.close_member()
        quick = page.run("return document.querySelectorAll('.quick').length")
        expect(quick == (0 if role == "participant" else 4), f"{role}: {quick} buttons to mute")
        expect((page.run("return document.querySelectorAll('.readmit').length") == 2) == (role == "host"),
               f"{role}: readmission")
    room.open_member("Bern")
    expect("revoke" in room.commands() and "manager" not in room.commands(), f"a manager: {room.commands()}")
    room.close_member()
    room.prepare(fake_states.panel)
    page = room.join("participant")
    with room.session.lock:
        room.session.members[room.me()]["role"] = "manager"
        room.session.tell("managerMade", member=room.me())
    room.until(lambda: present(page) == MANAGER, "a new manager's commands")
    with room.session.lock:
        room.session.set_host(room.me(), "transferred")
    room.until(lambda: present(page) == HOST and "host" in page.text("who"), "a new host's commands")


def members(room):
    """who is in can be renamed, muted, asked, made host and manager, removed and readmitted through the page"""
    room.prepare(fake_states.hall)
    page = room.join("host")
    def member(name):
        return room.session.members[room.id_of(name)]
    room.open_member("Bern")
    room.fill("new-name", "Ber")
    # Whatever happens meanwhile.
    room.session.speak(room.id_of("Replay"))
    time.sleep(1.5)
    expect(page.focused() == "new-name", "the field has lost the focus")
    page.keys("n", "e")
    page.click("rename")
    room.until(lambda: page.text("member-heading") == "Berne", "the new name")
    for track in ("audio", "video"):
        room.press(f"mute-{track}")
        room.until(lambda: track in member("Berne")["mutedByOthers"] and f"unmute-{track}" in room.commands(), "muted")
        room.press(f"unmute-{track}")
        room.until(lambda: not member("Berne")["muted"] and f"mute-{track}" in room.commands(), "not muted")
    room.press("manager")
    room.until(lambda: member("Berne")["role"] == "manager" and "revoke" in room.commands(), "a manager")
    room.press("revoke")
    room.until(lambda: member("Berne")["role"] == "participant" and "manager" in room.commands(), "no manager")
    with room.session.lock:
        member("Berne").update(muted=["audio"], mutedBySelf=["audio"])
        room.session.tell("muted", member=room.id_of("Berne"), tracks=["audio"], by="self")
    room.until(lambda: "ask-audio" in room.commands(), "the question")
    room.press("ask-audio")
    room.until(lambda: member("Berne")["unmuteAsked"] == ["audio"], "it was asked")
    room.press("host")
    room.until(lambda: page.is_seen("sure-dialog"), "the question before")
    page.click("sure-yes")
    room.until(lambda: "host" in page.text("member-refusal") and "can't be host" in page.text("member-refusal").lower(),
               "that it may not be, in words")
    room.picture("refusal")
    gone = room.id_of("Berne")
    room.press("remove")
    page.click("sure-no")
    time.sleep(0.3)
    expect(gone in room.session.members, "it is removed without a yes")
    room.press("remove")
    page.click("sure-yes")
    room.until(lambda: gone in room.session.removed and not page.is_seen("member-dialog"), "the removal")
    room.until(lambda: page.run("return document.querySelectorAll('.readmit').length") == 1, "who was removed")
    page.driver.find_element(By.CSS_SELECTOR, ".readmit").click()
    room.until(lambda: gone not in room.session.removed, "the readmission")
    page.driver.find_element(By.CSS_SELECTOR, f"[data-id='{room.id_of('Press room')}'] .quick").click()
    room.until(lambda: member("Press room")["muted"] == ["audio"], "muted from the list")
    page.click("mute-all-audio")
    room.until(lambda: member("Podium")["muted"] == ["audio"] and not member("Regie")["muted"], "all muted but leaders")
    page.click("mute-all-video")
    room.until(lambda: member("Podium")["muted"] == ["audio", "video"], "all pictures, too")
    room.open_member("Anna")
    room.fill("new-name", "Anna B.")
    page.click("rename")
    room.until(lambda: "Anna B., host" in page.text("who"), "one's own name")
    room.close_member()
    room.open_member("Camera left")
    room.press("host")
    page.click("sure-yes")
    room.until(lambda: room.session.host == room.id_of("Camera left"), "another host")
    room.until(lambda: "participant" in page.text("who"), "the role is gone")


def desk(room):
    """the whole session is locked, limited, put on air, marked and ended through the page"""
    room.prepare(fake_states.panel)
    session, page = room.session, room.join("host")
    for button, field in (("lock", "locked"), ("lock-screens", "screens_locked")):
        page.click(button)
        room.until(lambda: getattr(session, field) and page.attribute(button, "aria-pressed") == "true", f"{field}")
        page.click(button)
        room.until(lambda: not getattr(session, field) and page.attribute(button, "aria-pressed") == "false", "the reverse")
    room.fill("new-password", "open sesame")
    page.click("set-password")
    room.until(lambda: session.password == "open sesame" and "Password" in page.text("signs"), "the password")
    expect(page.run("return document.getElementById('new-password').value") == "", "the password stays in its field")
    page.click("lift-password")
    room.until(lambda: session.password is None and not page.is_seen("lift-password"), "no password")
    room.fill("limit-minutes", "90")
    page.click("limit")
    room.until(lambda: session.length == 5400 and page.text("time-left-text").startswith("1:"), "the limit")
    page.choose("extend-by", "600")
    page.click("extend")
    room.until(lambda: session.length == 6000, "the extension")
    page.click("lift-limit")
    room.until(lambda: session.length is None and not page.is_seen("time-left"), "no limit")
    room.fill("addresses", "rtmp://one/live/key\n\n rtmps://two/live/key \n")
    page.click("go-live")
    room.until(lambda: session.job and page.text("air-state") == "Waiting for a worker, 2 addresses", "on air")
    outputs = [body["outputs"] for _, body in room.hub.asked if "outputs" in body]
    expect(outputs == [["rtmp://one/live/key", "rtmps://two/live/key"]], f"the addresses are {outputs}")
    expect(page.run("return document.getElementById('addresses').value") == "", "addresses with keys stay in the field")
    for state, words in (("connecting", "Connecting"), ("live", "On air"), ("trouble", "On air, in trouble")):
        on_air(session, state, "nameTaken" if state == "trouble" else None)
        room.until(lambda: page.text("air-state").startswith(words), words)
    expect("another publisher uses the address" in page.text("air-why").lower(), "the reason is not told")
    page.click("off-air")
    page.click("sure-yes")
    room.until(lambda: session.job["state"] == "over" and page.is_seen("air-form"), "off air")
    room.fill("mark-text", "Opening")
    page.click("send-mark")
    room.until(lambda: "Opening (Anna)" in page.text("past-list"), "the mark")
    page.click("ready")
    room.until(lambda: session.members[room.me()]["ready"] and page.attribute("ready", "aria-pressed") == "true", "ready")
    page.click("end")
    page.click("sure-no")
    page.click("end")
    page.click("sure-yes")
    room.until(lambda: "Really" in page.text("sure-heading"), "the second question")
    expect(session.ended is None, "it has ended after one question")
    page.click("sure-yes")
    room.until(lambda: session.ended == "ended" and "ended the session for all" in page.text("farewell"), "the end")


def asked(room):
    """a member answers when it is asked to unmute, reclaims the host's role, and sees the last minute counted down"""
    room.prepare(fake_states.last_call)
    session, page = room.session, room.join("participant")
    room.until(lambda: page.is_seen("last-call") and page.text("last-call-left").startswith("0:"), "the countdown")
    expect(not page.run("return document.getElementById('last-call-extend') !== null"), "a participant may extend it")
    me = room.me()
    for agrees, button in ((False, "keep-muted"), (True, "unmute")):
        with session.lock:
            session.members[me].update(muted=["audio"], mutedBySelf=["audio"], unmuteAsked=["audio"])
            session.tell("muted", member=me, tracks=["audio"], by="self")
            session.tell("unmuteAsked", member=me, tracks=["audio"])
        room.until(lambda: page.is_seen("unmute-asked"), "the question")
        page.click(button)
        room.until(lambda: not page.is_seen("unmute-asked"), "no question any more")
        expect((session.members[me]["muted"] == []) == agrees, "the answer")
    session.claims = [me]
    session.tell("hostChanged", member=session.host, why="away")
    room.until(lambda: page.is_seen("reclaiming"), "the offer to be host again")
    page.click("reclaim")
    room.until(lambda: session.host == me and page.is_seen("last-call-extend"), "host again")
    page.click("last-call-extend")
    room.until(lambda: not page.is_seen("last-call") and session.length > 4000, "ten minutes more")


def refusals(room):
    """what is refused is told in words with what to do; an answer that was lost is asked for again under one id"""
    room.prepare(fake_states.panel)
    page = room.join("host")
    perform = fake_hub.perform
    def refuse(*_):
        raise Refused("onAirAlready")
    fake_hub.perform = refuse
    try:
        room.fill("addresses", "rtmp://one")
        page.click("go-live")
        room.until(lambda: "on air. go off air first" in page.text("notice-text").lower(), "the refusal")
        expect(page.run("return document.getElementById('addresses').value") == "rtmp://one", "what was written is gone")
        page.click("dismiss")
        expect(not page.is_seen("notice"), "it can't be dismissed")
        tries = []
        def fail_once(session, member, by, body):
            tries.append(body["requestId"])
            if len(tries) == 1:
                raise Refused("storeAway", retry_after=0.2)
            return perform(session, member, by, body)
        fake_hub.perform = fail_once
        page.click("lock")
        room.until(lambda: room.session.locked, "the repetition")
        expect(len(tries) == 2 and tries[0] == tries[1], f"the ids are {tries}")
    finally:
        fake_hub.perform = perform


def by_keyboard(room):
    """all of it can be done with the keyboard alone"""
    room.prepare(fake_states.panel)
    page = room.visit("host")
    page.keys("A", "n", "n", "a", Keys.ENTER)
    room.until(lambda: page.is_seen("room"), "the room")
    page.tab_to("listen")
    page.keys(Keys.SPACE)
    room.until(lambda: page.attribute("listen", "aria-pressed") == "true", "listening")
    page.tab_to("sound")
    page.keys(Keys.ENTER)
    room.until(lambda: page.is_seen("sound-dialog"), "the dialog")
    page.keys(Keys.ESCAPE)
    expect(page.focused() == "sound", "the focus does not come back")
    page.tab_to("capacity")
    page.tab_to("ready")
    page.keys(Keys.SPACE)
    room.until(lambda: page.attribute("ready", "aria-pressed") == "true", "ready")
    page.keys(Keys.TAB, Keys.TAB)
    page.keys(Keys.ENTER)
    room.until(lambda: page.is_seen("member-dialog"), "a member's dialog")
    page.keys(Keys.ESCAPE)
    expect(page.run("return document.activeElement.className") == "member-button", "the focus does not come back")
    page.tab_to("lock", 60)
    page.keys(Keys.SPACE)
    room.until(lambda: room.session.locked, "locked")
    expect(page.focused() == "lock", "the focus has gone from the button")
    page.tab_to("end", 30)
    page.keys(Keys.ENTER)
    room.until(lambda: page.is_seen("sure-dialog"), "the question")
    expect(page.focused() == "sure-no", "it does not begin with the harmless answer")
    page.keys(Keys.ESCAPE)
    expect(page.focused() == "end" and room.session.ended is None, "Escape does not take it back")
    page.tab_to("leave", 60)
    page.keys(Keys.ENTER)
    room.until(lambda: page.is_seen("farewell"), "left")


def bar(room):
    """the bar goes after three seconds and comes back by movement, key, focus and tap; it can be still"""
    room.prepare(fake_states.panel)
    page = room.join()
    def is_calm():
        return page.run("return getComputedStyle(document.getElementById('bar')).opacity") == "0"
    move = ("document.getElementById('stage').dispatchEvent(new PointerEvent('{}',"
            " {{ bubbles: true, pointerType: '{}' }}))")
    page.run("document.activeElement.blur()")
    room.until(is_calm, "it goes", 5)
    for what, script in (("movement", move.format("pointermove", "mouse")), ("a tap", move.format("pointerup", "touch")),
                         ("a key", "document.dispatchEvent(new KeyboardEvent('keydown', { key: 'x', bubbles: true }))")):
        page.run(script)
        room.until(lambda: not is_calm(), f"it comes back by {what}", 2)
        began = time.monotonic()
        if what == "a tap":
            page.run(move.format("pointerup", "touch"))
            room.until(is_calm, "a tap hides it", 1)
            continue
        room.until(is_calm, "it goes again", 5)
        expect(2 < time.monotonic() - began < 4.5, f"it goes after {time.monotonic() - began:.1f} s")
    page.tab_to("listen")
    time.sleep(3.6)
    expect(not is_calm(), "it goes while it has the focus")
    page.look(moves=False)
    still = page.run("return ['bar', 'stage'].map((id) => getComputedStyle(document.getElementById(id)).transitionDuration)"
                     ".concat(getComputedStyle(document.querySelector('.level-bar')).transitionDuration)")
    expect(set(still) == {"0s"}, f"something moves for {still}")


def narrow(room):
    """from 320 points on nothing needs to be scrolled sideways, and all that can be touched is large enough"""
    for script in (fake_states.hall, fake_states.removals, fake_states.trouble):
        room.prepare(script)
        page = room.join("host")
        for width in (320, 360, 412, 600, 768, 800, 960, 1280, 1920):
            page.look((width, 740))
            time.sleep(0.15)
            wide = page.run(
                "const wide = document.documentElement.scrollWidth;"
                "return [...document.querySelectorAll('body *')].filter((node) => node.checkVisibility()"
                " && !node.closest('svg *, .unseen') && node.getBoundingClientRect().right > innerWidth + 0.5)"
                ".map((node) => node.id || node.className || node.tagName)"
                ".concat(wide > innerWidth ? [`all: ${wide}`] : [])")
            expect(wide == [], f"at {width}: {wide} reach too far")
        for size in (PHONE, (1280, 800)):
            page.look(size)
            small = page.run(
                "return [...document.querySelectorAll('button, select, input, textarea')]"
                ".filter((node) => node.checkVisibility()).map((node) => [node, node.getBoundingClientRect()])"
                ".filter(([, box]) => box.height < 43.5 || box.width < 43.5)"
                ".map(([node, box]) => `${node.id || node.className} ${Math.round(box.width)}x${Math.round(box.height)}`)")
            expect(small == [], f"too small to be touched at {size}: {small}")


ALL = [roles, members, desk, asked, refusals, by_keyboard, bar, narrow]
