"""What is checked with the fake broadcaster only, because it takes faults that a real one has no reason for."""
import time

from fake_broadcaster import FakeBroadcaster, instant
from page_browser import DESK, PHONE, expect
from selenium.webdriver.common.keys import Keys

PICTURES_ASKED = (
    "return performance.getEntriesByType('resource').filter((one) => one.name.endsWith('jpg')).length")


def faults(run, fake):
    """each output says what is wrong with it and when it is tried again, and the timeline shows the gaps"""
    page = run.open("host", "live")
    broadcaster = fake.broadcaster
    now = time.time()

    def stretch(kind, begin, end, cause=None, output=None):
        return {"kind": kind, "from": instant(now - begin), "to": end and instant(now - end), "cause": cause,
                "output": output}

    with broadcaster.lock:
        broadcaster.outputs[1] |= {"state": "waiting", "cause": "unreachable", "why": "connection refused",
                                   "retryInMs": 2700, "lostMs": 61000}
        broadcaster.outputs.append(FakeBroadcaster._output(
            "a-long-name-of-a-place", "rtmps://another-rather-long-name.media.example:1936/application/…"))
        broadcaster.outputs[2] |= {"state": "refused", "cause": "certificate"}
        broadcaster.history = [
            stretch("live", 9000, 7000), stretch("backgrounded", 7000, 6500), stretch("live", 6500, 4000),
            stretch("interrupted", 4000, 3880, "device"), stretch("live", 3880, None),
            stretch("gap", 5200, 5188, "disk"), stretch("gap", 2000, 1400, "network", "backup"),
            stretch("gap", 61, 0.5, "network", "backup")]
    page.until(lambda: "the server can’t be reached" in page.text("output-list"), "the cause")
    expect("Connection refused." in page.text("output-list"), "not why")
    expect("2.7 s" in page.text("output-list"), "no countdown to the next attempt")
    expect("On air at main, not at backup and a-long-name-of-a-place." in page.text("sentence"),
           f"it says {page.text('sentence')}")
    page.until(lambda: "Missing 10 min at backup" in page.text("past-list"), "the gap in the list")
    counted = page.run("return document.querySelectorAll('#time-line rect.gap').length")
    expect(counted == 4, f"{counted} gaps are drawn")
    for size, name in ((DESK, "desk"), (PHONE, "phone")):
        for scheme in ("light", "dark"):
            page.look(size, scheme)
            time.sleep(0.6)
            found = page.script("contrast.js")
            expect(not found["problems"], f"{scheme}: {found['problems']}")
            expect(page.run("return document.documentElement.scrollWidth <= innerWidth"), f"{name} is too wide")
            run.picture(f"faults-{name}-{scheme}")


def gate(run, fake):
    """while the gate waits everybody may say that all is ready, and a participant nothing else"""
    fake.stop()
    fake.start(gate=True)
    page = run.browser
    page.open(run.tokens.host)
    page.until_state("Preview")
    page.click("start")
    page.until(lambda: page.is_seen("ready") and page.is_seen("not-ready"), "the question")
    expect("waiting for approval" in page.text("sentence"), f"it says {page.text('sentence')}")
    run.picture("gate-desk")
    page.open(run.tokens.participant)
    page.until_state("Starting")
    expect(page.is_seen("ready") and not page.is_seen("not-ready"), "what a participant may say")
    page.click("ready")
    page.until_state("LIVE")
    expect(not page.is_seen("ready"), "it still asks")


def returning(run, fake):
    """a new broadcast begins from the background, and behind an interruption that lasted too long"""
    for has_closed_window in (False, True):
        page = run.open("host", "live")
        with fake.broadcaster.lock:
            fake.broadcaster.state = "backgrounded"
            fake.broadcaster.has_closed_window = has_closed_window
        page.until_state("In the background")
        page.click("foreground")
        page.until_state("LIVE")
        expect(not page.is_seen("notice"), f"it says {page.text('notice-text')}")


def expired(run, fake):
    """a token that expires while the page is open is told, although the stream of events goes on"""
    page = run.open("host", "live")
    page.until(lambda: page.is_seen("preview"), "the picture")
    fake.server.is_expired = True
    page.until(lambda: page.is_seen("token-form"), "the form")
    expect("The token has expired" in page.text("token-why"), f"it says {page.text('token-why')}")
    fake.server.is_expired = False
    page.keys(run.tokens.host, Keys.ENTER)
    page.until_state("LIVE")


def refusals(run, fake):
    """what is refused is told as a sentence, until it is dismissed, and nothing else changes"""
    page = run.open("host", "live")
    page.until(lambda: page.run("return camera.options.length > 1"), "the list")
    before = fake.broadcaster.sources["video"]
    page.choose("camera", "camera:GONE")
    page.run("document.querySelector('#camera-form button').click()")
    page.until(lambda: page.is_seen("notice"), "the message")
    told = page.text("notice-text")
    expect(told == "camera:GONE can’t be opened. The old camera goes on.", f"it says {told}")
    expect(page.run("return camera.value") == before, "it shows a camera that is not in use")
    run.picture("refusal-desk")
    page.click("dismiss")
    expect(not page.is_seen("notice"), "it stays")
    page.run("window.complaints.length = 0")
    with fake.broadcaster.lock:
        fake.broadcaster.sources["video"] = "<img src=x onerror=complaints.push('markup')>"
    page.until(lambda: "<img" in page.run("return camera.selectedOptions[0].textContent"), "the text as it is")
    time.sleep(0.3)
    expect(page.complaints() == [], "text becomes markup")


def no_picture(run, fake):
    """without a picture it says so, and asks less often; without a track there is none"""
    page = run.open("host", "live")
    page.until(lambda: page.is_seen("preview"), "the picture")
    with fake.broadcaster.lock:
        fake.broadcaster.pictures = False
    page.until(lambda: page.is_seen("no-picture") and not page.is_seen("preview"), "that there is none")
    page.run("performance.clearResourceTimings()")
    time.sleep(4)
    asked = page.run(PICTURES_ASKED)
    expect(asked <= 3, f"it was asked for {asked} times in 4 s")
    with fake.broadcaster.lock:
        fake.broadcaster.pictures = True
    page.until(lambda: page.is_seen("preview"), "the picture is back")
    with fake.broadcaster.lock:
        del fake.broadcaster.sources["video"]
    page.until(lambda: not page.is_seen("frame") and not page.is_seen("mute-video"), "a broadcast of sound alone")


def hidden(run, fake):
    """no picture is asked for while nobody can see it, and pictures of before are not kept"""
    page = run.open("host", "live")
    page.until(lambda: page.is_seen("preview"), "the picture")
    page.run(
        "window.made = 0; const make = URL.createObjectURL, drop = URL.revokeObjectURL;"
        "URL.createObjectURL = (blob) => { made += 1; return make(blob); };"
        "URL.revokeObjectURL = (address) => { made -= 1; drop(address); };")
    page.until(lambda: page.run("return performance.getEntriesByType('resource').length") > 25, "some pictures")
    expect(page.run("return made") <= 2, "addresses of pictures are kept")
    page.run(
        "Object.defineProperty(document, 'hidden', { get: () => window.isAway === true, configurable: true });"
        "window.isAway = true; document.dispatchEvent(new Event('visibilitychange'))")
    time.sleep(0.5)
    page.run("performance.clearResourceTimings()")
    time.sleep(1.5)
    expect(page.run(PICTURES_ASKED) == 0, "it asks for pictures")
    page.run("window.isAway = false; document.dispatchEvent(new Event('visibilitychange'))")
    page.until(lambda: page.run(PICTURES_ASKED) > 1, "pictures again")


def once(run, fake):
    """what is pressed twice in a row is asked for once"""
    page = run.open("host", "live")
    before = len(fake.broadcaster.asked)
    page.run("const b = document.getElementById('interrupt'); b.click(); b.click(); b.click()")
    page.until_state("Interrupted")
    expect(fake.broadcaster.asked[before:] == ["interrupt"], f"it asked for {fake.broadcaster.asked[before:]}")


def reconnecting(run, fake):
    """a connection that breaks, or falls silent, is made again and goes on where it was"""
    page = run.open("host", "live")
    page.click("interrupt")
    page.until_state("Interrupted")
    told = fake.broadcaster.begun
    fake.hang_up()
    page.until(lambda: page.text("connection-text") == "Reconnected.", "the return is told")
    last = fake.server.last_ids[-1]
    expect(last == f"{fake.broadcaster.epoch}-{told}", f"the last event was {told}, it asks from {last} on")
    fake.server.is_silent = True
    page.until(lambda: "The connection is lost" in page.text("connection-text"), "the silence is noticed")
    expect(not page.is_enabled("resume"), "it can be asked for something")
    fake.server.is_silent = False
    page.until(lambda: page.text("connection-text") == "Reconnected.", "the return is told")
    page.until(lambda: not page.is_seen("connection"), "that is not told for ever")


def extended_once(run, fake):
    """an extension whose answer was lost counts once, however often it is asked for"""
    page = run.open("host", "live")
    before = fake.broadcaster.ends
    fake.server.loses_answers = True
    for _ in range(2):
        page.click("extend")
        page.until(lambda: "may or may not have succeeded" in page.text("notice-text"), "that nobody knows")
        page.click("dismiss")
    fake.server.loses_answers = False
    page.click("extend")
    page.until(lambda: page.attribute("extend", "aria-busy") != "true" and not page.is_seen("notice"), "an answer")
    time.sleep(0.5)
    expect(round(fake.broadcaster.ends - before) == 300, f"it was moved by {fake.broadcaster.ends - before} s")
    page.click("extend")
    page.until(lambda: round(fake.broadcaster.ends - before) == 600, "the next one counts")


ALL = [faults, returning, expired, refusals, no_picture, hidden, once, reconnecting,
       extended_once, gate]
