"""What is checked of the commands of a session’s page: states, refusals, the keyboard, and narrow screens."""
import time

import fake_hub
import fake_states
from fake_commands import on_air
from fake_session import Refused
from page_browser import PHONE, expect
from selenium.webdriver.common.keys import Keys


def air_states(room):
    """how it is on air is said in words, and why there is trouble"""
    room.prepare(fake_states.panel)
    session, page = room.session, room.join("host")
    room.fill("addresses", "rtmp://one/live/key")
    page.click("go-live")
    room.until(lambda: session.job and page.text("air-state") == "Waiting for a worker, 1 address", "on air")
    for state, words in (("connecting", "Connecting"), ("live", "On air"), ("trouble", "On air, in trouble")):
        on_air(session, state, "nameTaken" if state == "trouble" else None)
        room.until(lambda: page.text("air-state").startswith(words), words)
    expect("another publisher uses the address" in page.text("air-why").lower(), "the reason is not told")


def banners(room):
    """the last call and the offer to reclaim the host's role come and go with what the hub says"""
    room.prepare(fake_states.last_call)
    session, page = room.session, room.join("participant")
    room.until(lambda: page.is_seen("last-call") and page.text("last-call-left").startswith("0:"), "the countdown")
    me = room.me()
    session.claims = [me]
    session.tell("hostChanged", member=session.host, why="away")
    room.until(lambda: page.is_seen("reclaiming"), "the offer to be host again")
    page.click("reclaim")
    room.until(lambda: session.host == me and page.is_seen("last-call-extend"), "host again")
    page.click("last-call-extend")
    room.until(lambda: not page.is_seen("last-call") and session.length > 4000, "ten minutes more")


def refused_commands(room):
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
        tries.clear()
        def lose_once(session, member, by, body):
            tries.append(body["requestId"])
            events = perform(session, member, by, body)
            if len(tries) == 1:
                raise ConnectionResetError
            return events
        fake_hub.perform = lose_once
        page.click("lock")
        room.until(lambda: len(tries) == 2, "the repetition after a lost answer")
        expect(tries[0] == tries[1] and not room.session.locked, f"the ids are {tries}")
        told = [name for name, _ in room.session.events if name == "unlocked"]
        expect(told == ["unlocked"], f"it is told {told}")
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
    room.until(is_calm, "it goes")
    for what, script in (("movement", move.format("pointermove", "mouse")), ("a tap", move.format("pointerup", "touch")),
                         ("a key", "document.dispatchEvent(new KeyboardEvent('keydown', { key: 'x', bubbles: true }))")):
        page.run(script)
        room.until(lambda: not is_calm(), f"it comes back by {what}")
        began = time.monotonic()
        if what == "a tap":
            hides = page.run(move.format("pointerup", "touch") + "; return stage.classList.contains('calm')")
            expect(hides, "a tap does not hide it")
            continue
        room.until(is_calm, "it goes again")
        expect(time.monotonic() - began > 2, f"it goes after {time.monotonic() - began:.1f} s")
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
            wide = room.too_wide()
            expect(wide == [], f"at {width}: {wide} reach too far")
        for size in (PHONE, (1280, 800)):
            page.look(size)
            small = page.run(
                "return [...document.querySelectorAll('button, select, input, textarea')]"
                ".filter((node) => node.checkVisibility()).map((node) => [node, node.getBoundingClientRect()])"
                ".filter(([, box]) => box.height < 43.5 || box.width < 43.5)"
                ".map(([node, box]) => `${node.id || node.className} ${Math.round(box.width)}x${Math.round(box.height)}`)")
            expect(small == [], f"too small to be touched at {size}: {small}")


ALL = [air_states, banners, refused_commands, by_keyboard, bar, narrow]
