"""What is checked with any broadcaster that previews first, and has sound, picture and a time limit."""
import json
import ssl
import time
import urllib.error
import urllib.request
from types import SimpleNamespace

from fake_broadcaster import FakeBroadcaster
from page_browser import DESK, PHONE, expect
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys


class Run:
    """One run of the checks: a browser, a broadcaster, and who asks it."""

    def __init__(self, browser, url, tokens, restart, folder):
        self.browser, self.url, self.restart, self.folder = browser, url, restart, folder
        self.tokens = SimpleNamespace(**tokens)

    def ask(self, method, path, body=None):
        """Asks without the page. A refusal is given as its status."""
        request = urllib.request.Request(
            self.url + path, method=method, data=None if body is None else json.dumps(body).encode())
        request.add_header("Authorization", f"Bearer {self.tokens.host}")
        if body is not None:
            request.add_header("Content-Type", "application/json")
        try:
            # Over TLS it is a certificate of the check's own.
            with urllib.request.urlopen(request, timeout=10, context=ssl._create_unverified_context()) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            return error.code

    def bring_to(self, state):
        """Whatever it does now, it previews, is live or is interrupted then."""
        end = time.monotonic() + 30
        while time.monotonic() < end:
            now = self.ask("GET", "/v1/status")["state"]
            if now == state:
                return
            step = {"previewing": "end", "live": "start", "interrupted": "interrupt"}[state]
            if now == "interrupted":
                step = "resume" if state == "live" else "end"
            elif now == "previewing":
                step = "start"
            self.ask("POST", f"/v1/{step}")
            time.sleep(0.2)
        raise AssertionError(f"the broadcaster does not come to be {state}")

    def open(self, role, state):
        self.bring_to(state)
        self.browser.open(getattr(self.tokens, role))
        words = {"previewing": "Preview", "live": "LIVE", "interrupted": "Interrupted"}
        self.browser.until_state(words[state])
        return self.browser

    def picture(self, name, **how):
        self.browser.picture(self.folder / f"{name}.png", **how)


def modules(run):
    """the page's pure modules read event streams, lengths, causes, history and fragments rightly"""
    run.browser.open()
    for name, least in (("unit_checks.js", 100), ("live_checks.js", 25)):
        found = run.browser.script_later(name)
        expect(found["count"] > least and not found["wrong"], f"{found['count']} checks, wrong: {found['wrong'][:20]}")


def fields(run):
    """a status has the fields that the fake broadcaster has, so that what is checked with that holds"""
    def names(value):
        if isinstance(value, dict):
            return {name: names(inner) for name, inner in value.items()}
        return [names(value[0])] if isinstance(value, list) and value else None
    fake = FakeBroadcaster()
    for state in ("previewing", "live", "interrupted"):
        run.bring_to(state)
        for step in {"previewing": [], "live": ["start"], "interrupted": ["interrupt"]}[state]:
            fake.post(step, None)
        if state == "live":
            with fake.lock:
                fake._go_live(time.time())
        status = run.ask("GET", "/v1/status")
        deadline = time.time() + 10
        while state == "live" and not status["renditions"] and time.time() < deadline:
            time.sleep(0.1)
            status = run.ask("GET", "/v1/status")
        if status["session"]:
            fake.join()
        found, wanted = names(status), names(fake.status())
        for both in (found, wanted):
            both.pop("history")
            # What is muted is a list that may be empty.
            both["session"] = both["session"] and sorted(both["session"])
        expect(found == wanted, f"{state}: it is {found}, the fake has {wanted}")


def token_asked(run):
    """without a token it asks for one, says when one is refused, and goes on with a good one"""
    run.bring_to("previewing")
    page = run.browser
    page.open()
    page.until(lambda: page.is_seen("token-form"), "the form")
    expect(page.focused() == "token-text", "the field does not have the focus")
    run.picture("token")
    page.keys(run.tokens.forged, Keys.ENTER)
    page.until(lambda: "bad" in (page.attribute("token-why", "class") or ""), "the refusal is told")
    expect(page.is_seen("token-form") and not page.is_seen("board"), "it shows more than the form")
    page.until(lambda: page.focused() == "token-text", "the field has the focus again")
    page.keys(run.tokens.host, Keys.ENTER)
    page.until_state("Preview")
    expect(run.tokens.host not in page.run("return document.documentElement.outerHTML"), "the token stays in the page")


def token_in_address(run):
    """a token in the address is taken from there, and kept in this tab alone"""
    page = run.open("host", "previewing")
    expect("token" not in page.driver.current_url, f"the address still is {page.driver.current_url}")
    kept = page.run("return [sessionStorage.length, localStorage.length, document.cookie]")
    expect(kept == [1, 0, ""], f"kept is {kept}")
    page.driver.refresh()
    page.until_state("Preview")
    page.click("sign-out")
    page.until(lambda: page.is_seen("token-form"), "the form")


def before_live(run):
    """before going live there are the picture, the sources, the outputs with their check, and Go live"""
    page = run.open("host", "previewing")
    page.until(lambda: page.is_seen("preview") and page.run("return preview.naturalWidth > 0"), "the picture")
    fits = page.run(
        "const box = preview.getBoundingClientRect(), style = getComputedStyle(preview);"
        "return [style.objectFit, preview.naturalWidth / preview.naturalHeight, box.width / box.height]")
    expect(fits[0] == "contain", "the picture is cropped")
    first = page.run("return preview.src")
    page.until(lambda: page.run("return preview.src") != first, "the next picture")
    page.until(lambda: page.run("return camera.options.length > 1 && microphone.options.length > 0"), "the sources")
    page.until(lambda: len(page.driver.find_elements(By.CSS_SELECTOR, "#output-list dl")) > 0, "the outputs")
    page.click("check")
    page.until(lambda: "Checked:" in page.text("output-list"), "what the check has found")
    expect(page.is_enabled("start"), "it can’t go live")
    for name in ("interrupt", "resume", "end", "ready"):
        expect(not page.is_seen(name), f"{name} is there")
    for scheme in ("light", "dark"):
        page.look(DESK, scheme)
        run.picture(f"before-live-desk-{scheme}")
        page.look(PHONE, scheme)
        run.picture(f"before-live-phone-{scheme}")


def go_live(run):
    """it goes live, and can’t be asked to twice"""
    page = run.open("host", "previewing")
    page.run(
        "window.starts = [];"
        "new MutationObserver(() => starts.push([start.hidden, start.disabled, start.textContent]))"
        ".observe(start, { attributes: true, childList: true, subtree: true })")
    page.click("start")
    page.until_state("LIVE")
    expect(not page.is_seen("start"), "Go live is still there")
    told = page.run("return starts")
    seen = [text for hidden, _, text in told if not hidden]
    expect("Starting…" in seen and "Go live" not in seen[seen.index("Starting…"):], f"its button said {seen}")
    page.until(lambda: page.text("meter") is not None and "dB" in page.text("level-text"), "the level")
    level, *said = page.run(
        "return [meter.getAttribute('aria-valuenow'), meter.getAttribute('aria-valuetext'),"
        "document.getElementById('level-text').textContent]")
    expect(-60 <= int(level) <= 0 and said[0] == said[1], f"the meter says {level}, {said}")
    page.until(lambda: "Live" in page.text("past-list"), "the list beside the timeline")
    expect(page.run("return document.querySelectorAll('#time-line rect.live').length") > 0, "the timeline is empty")
    for word in ("BITRATE", "QUEUE", "SENT"):
        expect(word in page.text("output-list").upper(), f"no {word.lower()} of the outputs")
    time.sleep(1)
    for scheme in ("light", "dark"):
        page.look(DESK, scheme)
        run.picture(f"live-desk-{scheme}")
        page.look(PHONE, scheme)
        run.picture(f"live-phone-{scheme}")


def muting(run):
    """sound and picture are muted and come back"""
    page = run.open("host", "live")
    for track in ("audio", "video"):
        name = f"mute-{track}"
        for wanted in ("true", "false"):
            page.click(name)
            page.until(lambda: page.attribute(name, "aria-pressed") == wanted, f"{name} is {wanted}")
            expect(run.ask("GET", "/v1/status")["tracks"][track]["muted"] == (wanted == "true"), "it is only shown")


def interrupting(run):
    """an interruption is told with its cause and its window, and is resumed"""
    page = run.open("host", "live")
    page.click("interrupt")
    page.until_state("Interrupted")
    page.until(lambda: page.is_seen("window") and ":" in page.text("window-left"), "the window")
    expect("requested by a user" in page.text("sentence").lower(), f"the cause is told as {page.text('sentence')}")
    run.picture("interrupted-desk")
    page.click("resume")
    page.until_state("LIVE")
    page.until(lambda: "Interrupted" in page.text("past-list"), "the list beside the timeline")


def extending(run):
    """the end is put off by what was chosen"""
    page = run.open("host", "live")
    before = run.ask("GET", "/v1/status")["timer"]["endsAt"]
    page.until(lambda: ":" in page.text("timer-left"), "the countdown")
    page.choose("extend-by", "600")
    page.click("extend")
    page.until(lambda: run.ask("GET", "/v1/status")["timer"]["endsAt"] != before, "the later end")
    after = run.ask("GET", "/v1/status")["timer"]["endsAt"]
    moved = page.run("return (Date.parse(arguments[1]) - Date.parse(arguments[0])) / 1000", before, after)
    expect(abs(moved - 600) < 2, f"it was moved by {moved} s")


def switching(run):
    """another camera is chosen, and nothing is switched before that is asked for"""
    page = run.open("host", "live")
    page.until(lambda: page.run("return camera.options.length > 1"), "the list")
    before = run.ask("GET", "/v1/status")["tracks"]["video"]["source"]
    other = page.run(
        "return [...camera.options].map((option) => option.value)"
        ".find((id) => id !== camera.value && (id === 'test' || id.startsWith('file:') || camera.value === 'test'))")
    expect(other is not None, "there is no other source")
    page.choose("camera", other)
    expect(run.ask("GET", "/v1/status")["tracks"]["video"]["source"] == before, "choosing alone switches")
    page.driver.find_element(By.CSS_SELECTOR, "#camera-form button").click()
    page.until(lambda: run.ask("GET", "/v1/status")["tracks"]["video"]["source"] == other, "the other camera")
    page.until(lambda: page.run("return camera.value") == other, "the choice is shown")
    run.ask("PATCH", "/v1/camera", {"source": before})


def participant(run):
    """a participant sees it all and can change nothing"""
    page = run.open("participant", "live")
    page.until(lambda: page.is_seen("preview") or page.is_seen("live"), "the picture")
    page.until(lambda: page.is_seen("read-only"), "that it can only be looked at")
    offered = page.run(
        "return [...document.querySelectorAll('#board button, #board select, #board input')]"
        ".filter((node) => node.checkVisibility() && !node.disabled).map((node) => node.id)")
    # To hear it changes nothing for others.
    expect(set(offered) <= {"listen"}, f"there are {offered}")
    run.picture("participant-desk")


def manager(run):
    """a manager may interrupt and extend, but not end"""
    page = run.open("manager", "live")
    page.until(lambda: page.is_seen("interrupt") and page.is_seen("extend"), "what a manager may do")
    expect(not page.is_seen("end"), "End is there")


def restarting(run):
    """a restart of the server is told, waited for, and gone on behind"""
    page = run.open("host", "live")
    # So that it has seen an event of this life.
    page.click("interrupt")
    page.until_state("Interrupted")
    page.click("resume")
    page.until_state("LIVE")
    page.run(
        "window.told = []; new MutationObserver(() => told.push(document.getElementById('connection-text').innerText))"
        ".observe(document.getElementById('connection'), { subtree: true, childList: true, characterData: true })")
    run.restart(lambda: run.picture("lost-desk"))
    # One that has the time for it tells that it ends.
    page.until(lambda: any("connection is lost" in text or "has ended" in text for text in page.run("return told")),
               "the loss is told")
    page.until(lambda: any("has been restarted" in text for text in page.run("return told")), "the return is told")
    page.until(lambda: page.text("state") in ("Preview", "LIVE", "Starting", "Interrupted"), "the state")
    run.bring_to("live")
    page.until_state("LIVE")
    page.click("interrupt")
    page.until_state("Interrupted")


def keyboard(run):
    """everything can be done with the keyboard alone"""
    page = run.open("host", "previewing")
    page.tab_to("start")
    page.keys(Keys.ENTER)
    page.until_state("LIVE")
    page.until(lambda: page.focused() == "state", "the focus goes to the state when its button has gone")
    page.tab_to("interrupt")
    page.keys(Keys.SPACE)
    page.until_state("Interrupted")
    page.tab_to("resume")
    page.keys(Keys.ENTER)
    page.until_state("LIVE")
    page.driver.refresh()
    page.until_state("LIVE")
    page.tab_to("mute-audio")
    page.keys(Keys.SPACE)
    page.until(lambda: page.attribute("mute-audio", "aria-pressed") == "true", "muted")
    page.until(lambda: page.attribute("mute-audio", "aria-busy") == "false", "it can be pressed again")
    expect(page.focused() == "mute-audio", "the focus has gone from the button")
    page.keys(Keys.SPACE)
    page.until(lambda: page.attribute("mute-audio", "aria-pressed") == "false", "not muted")
    page.tab_to("end")
    page.keys(Keys.ENTER)
    page.until(lambda: page.is_seen("end-dialog"), "the question")
    expect(page.focused() == "end-no", "the question does not begin with the harmless answer")
    page.keys(Keys.ESCAPE)
    page.until(lambda: not page.is_seen("end-dialog"), "Escape takes it back")
    expect(page.focused() == "end", "the focus does not come back")


def ending(run):
    """ending is asked for once, in the page, and can be taken back"""
    page = run.open("host", "live")
    page.click("end")
    page.until(lambda: page.is_seen("end-dialog"), "the question")
    run.picture("end-desk")
    page.click("end-no")
    expect(not page.is_seen("end-dialog") and run.ask("GET", "/v1/status")["state"] == "live", "it has ended")
    page.click("end")
    page.click("end-yes")
    page.until(lambda: page.text("state") in ("Ending", "Ended", "Preview"), "the end")
    expect(not page.is_seen("end-dialog"), "it asks again")


def widths(run):
    """from 320 points on nothing needs to be scrolled sideways"""
    for state in ("previewing", "live"):
        page = run.open("host", state)
        for width in (320, 360, 412, 768, 960, 1280, 1920):
            page.look((width, 740))
            time.sleep(0.2)
            wide = page.run(
                "const wide = document.documentElement.scrollWidth;"
                "return [...document.querySelectorAll('body *')].filter((node) => node.checkVisibility()"
                " && !node.closest('svg *') && node.getBoundingClientRect().right > innerWidth + 0.5)"
                ".map((node) => node.id || node.tagName).concat(wide > innerWidth ? [`all: ${wide}`] : [])")
            expect(wide == [], f"at {width}, {state}: {wide} reach too far")


def contrast(run):
    """texts and edges stand out in both schemes"""
    for scheme in ("light", "dark"):
        run.browser.look(DESK, scheme)
        for state in ("previewing", "live", "interrupted"):
            page = run.open("host", state)
            page.until(lambda: page.run("return camera.options.length > 0"), "the page is whole")
            found = page.script("contrast.js")
            expect(found["texts"] > 20 and found["edges"] > 4, f"only {found} was looked at")
            expect(not found["problems"], f"{scheme}, {state}: {found['problems']}")
    page.open()
    page.until(lambda: page.is_seen("token-form"), "the form")
    found = page.script("contrast.js")
    expect(not found["problems"], f"the form: {found['problems']}")


def accessible(run):
    """landmarks, labels, live regions and roles are there, and what moves can be still"""
    page = run.open("host", "live")
    unnamed = page.run(
        "return [...document.querySelectorAll('button, select, input, section, [role=meter], img:not([alt=\"\"])')]"
        ".filter((node) => node.checkVisibility()).filter((node) => !(node.getAttribute('aria-label')"
        " || node.getAttribute('aria-labelledby') || node.alt || node.labels?.length || node.innerText?.trim()))"
        ".map((node) => node.id)")
    expect(unnamed == [], f"without a name: {unnamed}")
    roles = page.run(
        "return ['header', 'main', 'h1', '[aria-live]', '[role=alert]', '[role=status]', '[role=meter]',"
        " '[role=timer]']"
        ".filter((what) => document.querySelector(what) === null)")
    expect(roles == [], f"missing: {roles}")
    elsewhere = page.run(
        "return performance.getEntriesByType('resource').map((one) => one.name)"
        ".filter((name) => !name.startsWith(location.origin) && !name.startsWith('blob:'))")
    expect(elsewhere == [], f"it loads {elsewhere}")
    page.look(DESK, moves=False)
    moving = page.run("return getComputedStyle(document.getElementById('end')).transitionDuration")
    expect(moving == "0s", f"buttons move for {moving}")


def watching(run):
    """live picture and sound are played, silently at first, and give way to pictures when they can’t be"""
    page = run.open("participant", "live")
    def is_playing():
        return page.is_seen("live") and page.run("return live.currentTime > 0 && !live.paused && live.videoWidth > 0")
    page.until(is_playing, "the live picture")
    expect(not page.is_seen("preview"), "the pictures are there as well")
    expect(page.run("return live.muted"), "it is heard without being asked")
    page.click("listen")
    expect(not page.run("return live.muted") and page.attribute("listen", "aria-pressed") == "true", "it is not heard")
    before = page.run("return live.currentTime")
    page.until(lambda: page.run("return live.currentTime") > before + 1, "it goes on")
    run.picture("watching")
    run.ask("POST", "/v1/interrupt")
    page.until_state("Interrupted")
    page.until(lambda: page.is_seen("preview") and not page.is_seen("live"), "the picture of the source")
    run.ask("POST", "/v1/resume")
    page.until(is_playing, "the live picture after the interruption")
    run.ask("POST", "/v1/end")
    page.until(lambda: page.is_seen("preview") and not page.is_seen("live"), "the picture of the preview")
    page.run("MediaSource.isTypeSupported = () => false")
    run.bring_to("live")
    page.until_state("LIVE")
    page.until(lambda: page.is_seen("preview") and not page.is_seen("listening"), "pictures, as it can’t play the codecs")


def portraits(run):
    """pictures of a broadcast that has lasted for a while, for those who have not seen the page"""
    page = run.open("host", "live")
    time.sleep(14)
    page.click("interrupt")
    page.until_state("Interrupted")
    time.sleep(6)
    page.click("resume")
    page.until_state("LIVE")
    time.sleep(20)
    page.look((1280, 800))
    page.until(lambda: page.is_seen("live"), "the picture")
    run.picture("page-live", scale=1.5)
    page.look(PHONE)
    time.sleep(0.5)
    run.picture("page-phone", is_whole=False, scale=2)


# Those that are made where somebody asks for them alone.
ON_DEMAND = [portraits, watching]
ALL = [modules, fields, token_asked, token_in_address, before_live, go_live, muting, interrupting, extending, switching,
       participant, manager, keyboard, ending, restarting, widths, contrast, accessible]
