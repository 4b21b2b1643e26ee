"""What the page shows in each state of the fake broadcaster, checked and photographed at four sizes."""
import time

from fake_broadcaster import Refused, instant
from page_browser import DESK, PHONE, SIDEWAYS, expect
from selenium.webdriver.common.keys import Keys

SIZES = {"1920": (1920, 1080), "800": (800, 1100), "360": PHONE, "sideways": SIDEWAYS}
# Of an element: whether all of it is inside the window, without scrolling.
IS_INSIDE = (
    "return arguments[0].filter((id) => { const box = document.getElementById(id).getBoundingClientRect();"
    " return !(box.width > 0 && box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight"
    " && box.right <= innerWidth) })")
# The colours of banners.
COLOURS = {"rgb(179, 32, 29)": "red", "rgb(255, 196, 77)": "amber"}


def put(fake, **fields):
    with fake.broadcaster.lock:
        fake.broadcaster._move()
        for name, value in fields.items():
            setattr(fake.broadcaster, name, value)


def down(fake, index, state="waiting", cause="unreachable", **more):
    with fake.broadcaster.lock:
        fake.broadcaster.outputs[index] |= {"state": state, "cause": cause, "retryInMs": 2700, **more}


def loss(output, ms, cause="network", number=7, member=None):
    return {"id": str(number), "cause": cause, "output": output, "wallFrom": instant(time.time() - ms / 1000),
            "mediaAtMs": 1200, "lostMs": ms, "member": member}


def banners(page):
    """The banners in their order: colour, role, words, and whether each has a sign."""
    found = page.run(
        "return [...document.querySelectorAll('#problems > *')].map((item) => [getComputedStyle(item).backgroundColor,"
        " item.getAttribute('role'), item.innerText.replaceAll('\\n', ' '),"
        " item.querySelector('svg')?.getClientRects().length > 0])")
    return [(COLOURS.get(colour, colour), *rest) for colour, *rest in found]


def colour(page, name, what="color"):
    text = page.run("return getComputedStyle(document.getElementById(arguments[0]))[arguments[1]]", name, what)
    return [int(part) for part in text[text.index("(") + 1:-1].split(",")[:3]]


def is_red(rgb):
    return rgb[0] > 150 and max(rgb[1:]) < 80


def is_green(rgb):
    return rgb[1] > 80 and rgb[1] > 1.5 * max(rgb[0], rgb[2])


def tally(run, fake):
    """live is a red lamp, green is said only while nothing is wrong, and live without an output is no live"""
    page = run.open("host", "live")
    expect(is_red(colour(page, "state", "backgroundColor")), f"live is {colour(page, 'state', 'backgroundColor')}")
    page.until(lambda: is_green(colour(page, "sentence")), "all is well")
    expect(page.text("sentence") == "On air at main and backup.", f"it says {page.text('sentence')}")
    down(fake, 1)
    page.until(lambda: "not at backup" in page.text("sentence"), "the output that is down, by its name")
    expect(not is_green(colour(page, "sentence")), "an output down is green")
    expect(is_red(colour(page, "state", "backgroundColor")), "it still is on air elsewhere")
    down(fake, 0)
    page.until_state("Not on air")
    expect(not is_red(colour(page, "state", "backgroundColor")), "the lamp is lit")
    expect(page.driver.title.startswith("⚠ Not on air"), f"the title is {page.driver.title}")
    expect(page.text("not-sent") == "Not on air", f"the picture says {page.text('not-sent')}")
    put(fake, outputs=[])
    page.until_state("Recording")
    expect("without outputs" in page.text("sentence"), f"it says {page.text('sentence')}")


def muted(run, fake):
    """what is muted stands on the picture, on its button and beside the state, which is not green"""
    page = run.open("host", "live")
    page.until(lambda: page.is_seen("preview"), "the picture")
    put(fake, muted={"audio": True, "video": True})
    page.until(lambda: page.is_seen("muted-video") and page.is_seen("muted-audio"), "both on the picture")
    inside = page.run(
        "const [frame, ...marks] = ['frame', 'muted-video', 'muted-audio']"
        ".map((id) => document.getElementById(id).getBoundingClientRect());"
        "return marks.every((mark) => mark.top >= frame.top && mark.bottom <= frame.bottom && mark.left >= frame.left)")
    expect(inside, "they are not on the picture")
    said = [page.text("mute-audio"), page.text("mute-video")]
    expect(said == ["Sound muted", "Picture muted"], f"the buttons say {said}")
    expect("Sound and picture are muted." in page.text("sentence"), f"it says {page.text('sentence')}")
    expect(not is_green(colour(page, "sentence")), "muted and black is green")
    expect(page.text("level-text") == "muted", f"the meter says {page.text('level-text')}")
    put(fake, muted={"audio": False, "video": False})
    page.until(lambda: not page.is_seen("muted-video") and page.text("mute-audio") == "Mute sound", "not muted")


def programme(run, fake):
    """the layout and the large tile of a programme change with one press, tiles are muted, and who may not is told"""
    page = run.open("host", "live")
    expect(not page.is_seen("programme"), "a programme is shown where there is none")

    def tile(name, device="open"):
        return {"name": name, "source": "rtmp://media/live/***", "muted": False, "device": device}

    def pressed():
        return page.run("return [...document.querySelectorAll('#programme [aria-pressed=true]')].map((button) => "
                        "button.dataset.layout ?? button.ariaLabel)")

    def press(label):
        page.run("document.querySelector(`#programme [aria-label='${arguments[0]}']`).click()", label)

    put(fake, programme={"layout": "grid", "spotlight": None, "tiles": [
        tile("Hall"), tile("Slides, left/right 50 %"), tile("Anna", "lost")]})
    page.until(lambda: page.is_seen("programme") and pressed() == ["grid"], "the programme")
    expect("Away" in page.text("tile-list"), f"the tiles say {page.text('tile-list')}")
    run.picture("programme")
    page.run("document.querySelector('#layouts [data-layout=side-by-side]').click()")
    page.until(lambda: pressed() == ["side-by-side"], "side by side")
    press("Hall large")
    page.until(lambda: pressed() == ["spotlight", "Hall large"], f"the hall is large, not {pressed()}")
    press("Mute Slides, left/right 50 %")
    page.until(lambda: fake.broadcaster.programme["tiles"][1]["muted"], "the slides are muted")
    page.until(lambda: "Slides, left/right 50 % muted" in pressed(), "the button says so")
    press("Hall large")
    page.until(lambda: "Hall large" not in pressed(), "no tile is large any more")
    with fake.broadcaster.lock:
        del fake.broadcaster.programme["tiles"][0]
    page.until(lambda: "Hall" not in page.text("tile-list"), "the hall has gone")
    for scheme in ("light", "dark"):
        page.look(PHONE, scheme)
        found = page.script("contrast.js")
        expect(not found["problems"], f"{scheme}: {found['problems']}")
        fits = page.run("return document.documentElement.scrollWidth <= innerWidth")
        expect(fits, f"{scheme}: it scrolls sideways")
    run.picture("programme-phone")
    page = run.open("participant", "live")
    page.until(lambda: page.text("layout-in-use") == "Layout: Spotlight", "what a participant reads")
    expect(not page.is_seen("layouts") and "Muted." in page.text("tile-list"), "a participant has buttons")


def problems(run, fake):
    """each problem has one banner with a sign, amber, or red and first where the broadcast is in danger"""
    page = run.open("host", "live")
    expect(banners(page) == [], f"there are {banners(page)}")
    down(fake, 1, "waiting", "nameTaken")
    put(fake, losses=[loss("backup", 12300)], devices={"video": "lost", "audio": "open"}, disk="low",
        disk_seconds=1500)
    page.until(lambda: len(banners(page)) == 3, "three problems")
    found = banners(page)
    expect(all(sign and kind == "amber" and role == "status" for kind, role, _, sign in found), f"they are {found}")
    of_output = next((words for _, _, words, _ in found if words.startswith("Output backup: waiting")), "")
    for part in ("another publisher is using this name", "Lost 12.3 s so far", "Next attempt in 2.7 s",
                 "Stop the other"):
        expect(part in of_output, f"no {part} in {of_output}")
    page.run("window.first = document.querySelector('#problems > *')")
    put(fake, losses=[loss("backup", 15000)])
    page.until(lambda: "Lost 15.0 s so far" in page.text("problems"), "the loss while it grows")
    expect(page.run("return first === document.querySelector('#problems > *')"), "it is announced again")
    expect(page.run("return document.querySelectorAll('#problems .figure:not([aria-live=off])').length") == 0,
           "a figure that changes all the time is announced")
    down(fake, 0)
    page.until(lambda: len(banners(page)) == 5, "two more")
    first = banners(page)[0]
    expect(first[:2] == ("red", "alert") and "Not on air" in first[2] and "The recording continues" in first[2],
           f"the first is {first}")
    put(fake, devices={"video": "open", "audio": "open"}, disk="writing", disk_seconds=36000)
    page.until(lambda: len(banners(page)) == 3, "that two are over")
    fake.broadcaster.post("interrupt", None)
    put(fake, window_ends=time.time() + 20)
    page.until(lambda: "can’t be resumed for much longer" in page.text("problems"), "that the window closes")
    put(fake, off_air={"since": instant(time.time() - 300), "cause": "user"})
    page.until(lambda: "Off air since" in page.text("problems"), "that it came back off air")
    expect(banners(page)[0][0] == "red", "being off air is no danger")


def lost(run, fake):
    """a lost connection is said in the place of the state, with the time of what is known"""
    page = run.open("host", "live")
    page.until(lambda: page.is_seen("preview"), "the picture")
    fake.server.is_silent = True
    page.until_state("No connection")
    expect(page.run("return /^Last known: live at \\d\\d:\\d\\d:\\d\\d\\.$/.test(sentence.textContent)"),
           f"it says {page.text('sentence')}")
    for name, what in (("state", "backgroundColor"), ("state", "color"), ("sentence", "color")):
        found = colour(page, name, what)
        expect(not is_red(found) and not is_green(found), f"the {what} of the {name} is {found}")
    expect("No connection" in page.driver.title, f"the title is {page.driver.title}")
    expect(page.text("level-text") == "–", f"the meter says {page.text('level-text')}")
    expect(page.text("not-sent").startswith("Picture of"), f"the picture says {page.text('not-sent')}")
    fake.server.is_silent = False
    page.until_state("LIVE")


def meter(run, fake):
    """the meter has a scale, three zones and a clip light, also while the gate is asked and while interrupted"""
    page = run.open("host", "live")
    marks = page.run("return [...document.querySelectorAll('#scale text')].map((mark) => mark.textContent)")
    expect(marks[0] == "−60" and marks[-1] == "0" and len(marks) >= 5, f"the scale is {marks}")
    zones = page.run("return new Set([...document.querySelectorAll('#meter rect')]"
                     ".map((one) => getComputedStyle(one).fill)).size")
    expect(zones >= 5, f"{zones} colours")

    def shown():
        return page.run(
            "const [bar, rest] = ['meter-bar', 'meter-rest']"
            ".map((id) => document.getElementById(id).getBoundingClientRect());"
            "return Math.round((rest.left - bar.left) / bar.width * 100)")
    for level, share in ((-30, 50), (-6, 90)):
        put(fake, level=level)
        page.until(lambda: abs(shown() - share) <= 1, f"{level} dB at {share} %, it is at {shown()} %")
    # The fake's peaks are 11 dB above its level.
    put(fake, level=-20)
    page.until(lambda: page.attribute("clip", "class") != "lit", "the light goes out")
    put(fake, level=-2)
    page.until(lambda: page.attribute("clip", "class") == "lit", "the clip light")
    put(fake, level=-40)
    page.until(lambda: page.text("level-text") == "−40 dB", "the level after it")
    expect(page.attribute("clip", "class") == "lit", "the clip light does not hold")
    page.until(lambda: page.attribute("clip", "class") != "lit", "it goes out")
    for state in ("interrupted", "gate"):
        if state == "gate":
            fake.stop()
            fake.start(gate=True)
            page.open(run.tokens.host)
            page.until_state("Preview")
            page.click("start")
            page.until(lambda: page.is_seen("ready"), "the question")
        else:
            page.click("interrupt")
            page.until_state("Interrupted")
        put(fake, level=-12)
        page.until(lambda: abs(shown() - 80) <= 1 and page.text("level-text") == "−12 dB", f"the level: {state}")
        put(fake, level=None)
        page.until(lambda: page.text("level-text") == "no level", "an unknown level is not called silent")


def sideways(run, _):
    """state, Interrupt and the picture are there without scrolling, on a phone held either way and at every width"""
    for state, button in (("live", "interrupt"), ("interrupted", "resume"), ("previewing", "start")):
        page = run.open("host", state)
        page.until(lambda: page.is_seen("preview"), "the picture")
        for name, size in SIZES.items():
            page.look(size)
            page.run("scrollTo(0, 0)")
            time.sleep(0.2)
            outside = page.run(IS_INSIDE, ["state", "sentence", button])
            expect(outside == [], f"{name}, {state}: to reach {outside} one has to scroll")
            seen = page.run("return innerHeight - preview.getBoundingClientRect().top")
            expect(seen > 90, f"{name}, {state}: {seen} points of the picture are seen")
        page.run("scrollTo(0, 600)")
        time.sleep(0.2)
        expect(page.run(IS_INSIDE, ["state", button]) == [], "they scroll away")


def at_once(run, fake):
    """the timeline follows an event before the next status, and its end with each status"""
    page = run.open("host", "live")
    page.until(lambda: "Live" in page.text("past-list"), "the list")
    width = ("return Math.max(...[...document.querySelectorAll('#time-line rect.live')]"
             ".map((bar) => bar.width.baseVal.value))")
    before = page.run(width)
    time.sleep(1.2)
    expect(page.run(width) - before > 5, f"it was {before} and is {page.run(width)} points long")
    fake.server.holds_status = True
    time.sleep(0.5)
    fake.broadcaster.post("interrupt", None)
    page.until(lambda: "Interrupted" in page.text("past-list"), "the interruption")
    drawn = page.run("return document.querySelectorAll('#time-line rect.interrupted').length")
    expect(drawn == 1, f"{drawn} interruptions are drawn")
    fake.broadcaster.post("resume", None)
    with fake.broadcaster.lock:
        fake.broadcaster.tell("losing", **loss("backup", 1000))
    page.until(lambda: "Missing at backup" in page.text("past-list"), "a loss that lasts")
    fake.server.holds_status = False


def alert(run, fake):
    """the alert is a dialog that says when it ends, extends, and comes again for the last ten seconds"""
    page = run.open("manager", "live")
    put(fake, ends=time.time() + 50)
    page.until(lambda: page.is_seen("alert-dialog"), "the dialog")
    expect(page.run("return document.getElementById('alert-dialog').matches(':modal')"), "it can be missed")
    said, left = page.text("alert-text"), page.text("alert-left")
    page.until(lambda: page.text("alert-left") != left, "the countdown goes on")
    expect(page.text("alert-text") == said, "the announcement changes each second")
    for size in SIZES.values():
        page.look(size)
        time.sleep(0.1)
        outside = page.run(IS_INSIDE, ["alert-heading", "alert-left", "alert-extend", "alert-dismiss"])
        expect(outside == [], f"{size}: {outside} are outside of the window")
    for _ in range(6):
        page.keys(Keys.TAB)
        inside = page.run("return document.activeElement.matches('body, dialog *')")
        expect(inside, "the focus leaves the dialog")
    before = fake.broadcaster.ends
    page.click("alert-extend")
    page.until(lambda: round(fake.broadcaster.ends - before) == 600, "ten minutes more")
    page.until(lambda: not page.is_seen("alert-dialog") and page.text("problems") == "", "it is over")
    put(fake, ends=time.time() + 14)
    page.until(lambda: page.is_seen("alert-dialog"), "the dialog of the next alert")
    page.click("alert-dismiss")
    expect(not page.is_seen("alert-dialog"), "it stays")
    page.until(lambda: "The broadcast ends at" in page.text("problems"), "the banner that remains")
    page.until(lambda: page.is_seen("alert-dialog"), "the last call")
    page.keys(Keys.ESCAPE)
    page.until(lambda: not page.is_seen("alert-dialog"), "Escape dismisses it")
    put(fake, ends=time.time() + 50)
    page.open(run.tokens.participant)
    page.until(lambda: page.is_seen("alert-dialog") and page.is_seen("alert-dismiss"), "a participant is told")
    expect(not page.is_seen("alert-extend"), "a participant may extend")


def figures(run, fake):
    """bitrates, target, codec, size and free disk are told; the bitrate can be set, the background be gone to"""
    page = run.open("host", "live")
    page.until(lambda: "H.264" in page.text("facts"), "the codec")
    said = page.text("facts").replace("\n", " ")
    for part in ("Bitrate 2.48 Mbit/s", "Target rate 2.50 Mbit/s", "Size 1280 × 720", "30.0 of 30",
                 "Free disk 10 hours", "AAC, 48 kHz, stereo"):
        expect(part in said, f"no {part} in {said}")
    page.choose("bitrate", "1800")
    page.click("set-bitrate")
    page.until(lambda: fake.broadcaster.target == 1_800_000, "the rate")
    page.until(lambda: "1.80 Mbit/s" in page.text("facts"), "the rate is shown")
    put(fake, gate="passed", gate_by="Anna")
    page.until(lambda: "Anna" in page.text("facts"), "who said ready")
    page.click("background")
    page.until(lambda: page.is_seen("background-dialog"), "the question")
    page.click("background-no")
    expect(run.ask("GET", "/v1/status")["state"] == "live", "it has gone")
    page.click("background")
    page.click("background-yes")
    page.until_state("In the background")


def upload(run, fake):
    """a check compares the upload with what the broadcast needs, in figures"""
    page = run.open("host", "previewing")
    page.click("check")
    page.until(lambda: "Upload 8.20 Mbit/s, required 2.70 Mbit/s: enough" in page.text("output-list"), "the figures")
    with fake.broadcaster.lock:
        fake.broadcaster.outputs[0]["check"]["uploadBps"] = 2_100_000
    page.until(lambda: "required 2.70 Mbit/s: too slow" in page.text("output-list"), "that it is too slow")
    found = [words for _, _, words, _ in banners(page) if words.startswith("Output main: the upload is too slow")]
    expect(found and "2.10 Mbit/s of 2.70 Mbit/s" in found[0], f"the banners are {banners(page)}")


def optional(run, fake):
    """what an older broadcaster does not tell is not shown, and on air is what its outputs say"""
    whole = fake.broadcaster.status

    def older():
        status = whole()
        for name in ("onAir", "losses", "offAir", "diskSecondsLeft"):
            status.pop(name, None)
        for track in status["tracks"].values():
            for name in set(track) - {"source", "muted", "device", "levelDb", "peakDb"}:
                del track[name]
        status["gate"].pop("by", None)
        for output in status["outputs"]:
            output["check"] = {"state": output["check"]["state"], "what": None}
        return status
    fake.broadcaster.status = older
    page = run.open("host", "live")
    page.until(lambda: "Bitrate" in page.text("facts"), "the figures")
    shown = page.text("facts") + page.text("output-list")
    for word in ("undefined", "NaN", "null", "Target", "Size", "Free disk", "codec"):
        expect(word not in shown, f"{word} in {shown}")
    down(fake, 0)
    down(fake, 1)
    page.until_state("Not on air")


def tile_away(run, fake):
    """a tile that is away is told once, by its name, and is no loss of the broadcast"""
    page = run.open("host", "live")
    put(fake, losses=[loss(None, 4200, "source", member="Hall"), loss(None, 4200, "source", 8, member="Hall")])
    page.until(lambda: "Tile Hall is away" in page.text("problems"), "that the tile is away")
    found = [words for _, _, words, _ in banners(page) if "Hall" in words or "losing data" in words]
    expect(len(found) == 1 and "losing data" not in found[0], f"the banners are {banners(page)}")
    put(fake, losses=[])
    page.until(lambda: "Hall" not in page.text("problems"), "that the tile is back")


def _states(run, fake):
    """Brings the broadcaster to each state to be seen, one after the other, and names it."""
    broadcaster = fake.broadcaster
    put(fake, state="idle")
    yield "idle", "Idle"
    put(fake, state="previewing")
    yield "previewing", "Preview"
    broadcaster.post("check", None)
    with broadcaster.lock:
        broadcaster.outputs[0]["check"]["uploadBps"] = 2_100_000
    yield "checked", "Preview"
    put(fake, gate="refused", gate_reason="the stage is too dark", gate_by="Max")
    yield "refused", "Preview"
    put(fake, state="starting", since=time.time() + 1e6, gate="none", gate_reason=None, gate_by=None)
    yield "starting", "Starting"
    put(fake, gate="waiting")
    yield "gate", "Starting"
    with broadcaster.lock:
        broadcaster.gate = "passed"
        broadcaster._go_live(time.time() - 60)
    yield "live", "LIVE"
    put(fake, muted={"audio": True, "video": True})
    yield "muted", "LIVE"
    put(fake, muted={"audio": False, "video": False}, level=-2)
    down(fake, 1, "waiting", "nameTaken")
    put(fake, losses=[loss("backup", 12300)])
    yield "some-on-air", "LIVE"
    down(fake, 0, "stalled", "noProgress", retryInMs=None)
    put(fake, losses=[loss("backup", 15300), loss("main", 1200, number=8)], level=-18)
    yield "none-on-air", "Not on air"
    with broadcaster.lock:
        for output in broadcaster.outputs:
            output |= {"state": "publishing", "cause": None, "retryInMs": None}
    put(fake, devices={"video": "lost", "audio": "open"}, disk_seconds=1500,
        losses=[loss(None, 4200, "device"), loss(None, 700, "encoderTooSlow", 9)])
    yield "devices", "LIVE"
    put(fake, devices={"video": "open", "audio": "open"}, disk="full", losses=[], disk_seconds=0)
    yield "disk-full", "LIVE"
    put(fake, disk="writing", disk_seconds=36000)
    outputs, broadcaster.outputs = broadcaster.outputs, []
    yield "recording-only", "Recording"
    put(fake, outputs=outputs)
    broadcaster.post("interrupt", None)
    yield "interrupted", "Interrupted"
    put(fake, window_ends=time.time() + 25, off_air={"since": instant(time.time() - 300), "cause": "user"})
    yield "off-air", "Interrupted"
    put(fake, off_air=None)
    broadcaster.post("background", None)
    yield "backgrounded", "In the background"
    put(fake, state="ending")
    yield "ending", "Ending"
    put(fake, state="ended")
    yield "ended", "Ended"
    with broadcaster.lock:
        broadcaster._go_live(time.time() - 60)
        broadcaster.ends = time.time() + 55
    yield "alert", "LIVE"
    put(fake, ends=time.time() + 7000)
    fake.server.is_silent = True
    yield "lost", "No connection"


def states(run, fake):
    """every state can be read at every size, with its buttons in the window, and is photographed"""
    page = run.open("host", "previewing")
    page.until(lambda: page.is_seen("preview"), "the picture")
    for name, word in _states(run, fake):
        page.until_state(word)
        if name == "alert":
            page.until(lambda: page.is_seen("alert-dialog"), "the dialog")
        time.sleep(0.6)
        for width, size in SIZES.items():
            for scheme in ("light", "dark") if width in ("1920", "360") else ("light",):
                page.look(size, scheme)
                time.sleep(0.3)
                found = page.script("contrast.js")
                expect(not found["problems"], f"{name}, {width}, {scheme}: {found['problems']}")
                run.picture(f"state-{name}-{width}{'-dark' if scheme == 'dark' else ''}", is_whole=width != "sideways")
            page.run("scrollTo(0, 0)")
            expect(page.run("return document.documentElement.scrollWidth <= innerWidth"), f"{name}, {width}: too wide")
            shown = page.run("return [...document.querySelectorAll('#state, #sentence, #steps button')]"
                             ".filter((node) => node.checkVisibility() && node.textContent).map((node) => node.id)")
            outside = page.run(IS_INSIDE, shown)
            expect(outside == [], f"{name}, {width}: {outside} are outside of the window")
        page.look(DESK)


def _message(name, data):
    """A message between the fragments of the live stream, to the page."""
    body = (b"\1\0\0\0" + (1000).to_bytes(4, "big") + bytes(12) + (1).to_bytes(4, "big")
            + f"urn:holdfast:live\0{name}\0{data}".encode())
    return (len(body) + 8).to_bytes(4, "big") + b"emsg" + body


def choosing(run, fake):
    """the live picture can be chosen where there are several, and gets smaller by itself where it can’t be kept up"""
    refused = Refused(503, "noRoom", "tiny can't be encoded for viewers now: the machine is overloaded", "try later")
    fake.server.live = {"": [], "low": [], "tiny": refused}
    page = run.open("host", "live")
    page.until(lambda: page.is_seen("listening"), "the live stream")
    expect(not page.is_seen("choosing"), "there is a choice of one")
    put(fake, live_renditions=[{"name": "low", "width": 640, "height": 360, "targetBps": 800000},
                               {"name": "tiny", "width": 320, "height": 180, "targetBps": 300000}])
    page.until(lambda: page.is_seen("choosing"), "the choice")
    options = page.run("return [...rendition.options].map((option) => option.textContent)")
    expect(options == ["Full picture", "low, 640 × 360", "tiny, 320 × 180"], f"the options are {options}")
    run.picture("choosing")
    found = page.script("contrast.js")
    expect(not found["problems"], f"{found['problems']}")
    def choose(name):
        page.run("rendition.value = arguments[0]; rendition.dispatchEvent(new Event('change'))", name)
    choose("low")
    page.until(lambda: fake.server.watched[-1:] == ["low"], "the rendition that was chosen")
    choose("tiny")
    page.until(lambda: "overloaded" in page.text("live-note"), "why it can’t be had")
    page.until(lambda: fake.server.watched[-2:] == ["tiny", ""], "the full picture again")
    expect(page.run("return rendition.value") == "", "the choice shows what is not watched")
    # It was refused, so it is not taken by itself; the pictures of the preview are what is left.
    fake.server.live[""] = [_message("skipped", '{"pictures":30,"ms":1000}')] * 4
    choose("low")
    choose("")
    page.until(lambda: "single pictures" in page.text("live-note"), "that it is too slow")
    run.bring_to("previewing")
    fake.server.live |= {"tiny": []}
    page = run.open("host", "live")
    page.until(lambda: fake.server.watched[-1:] == ["tiny"], "the smallest one by itself")
    page.until(lambda: "It is tiny from now on" in page.text("live-note"), "that it is smaller now")
    expect(page.run("return rendition.value") == "tiny", "the choice does not show what is watched")
    put(fake, live_renditions=[])
    page.until(lambda: not page.is_seen("choosing") and fake.server.watched[-1:] == [""], "no choice any more")


ALL = [choosing, tally, muted, programme, problems, lost, meter, sideways, at_once, alert, figures, upload, optional,
       tile_away, states]
