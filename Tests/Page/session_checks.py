"""What is checked of the page of a session: joining, the grid, the connection, and the end."""
import time

import fake_states
from fake_commands import live
from fake_hub import make_token
from page_browser import expect
from selenium.webdriver.common.keys import Keys
from session_browser import NAME


def session_modules(room):
    """the page's pure modules read frames, states, rights and tokens rightly"""
    room.prepare()
    page = room.visit()
    found = page.script_later("session_unit_checks.js")
    expect(found["count"] > 60 and not found["wrong"], f"{found['count']} checks, wrong: {found['wrong'][:20]}")


def joining(room):
    """who joins says a name, which is kept, and sees the session; a reload is the same member"""
    room.prepare()
    page = room.visit()
    expect(page.text("name") == NAME and page.focused() == "display-name", "it does not begin with the name")
    room.until(lambda: "13 members are in" in page.text("join-facts"), "who is in")
    room.until(lambda: page.is_seen("lobby-picture") and page.run(
        "return document.getElementById('lobby-picture').naturalWidth") > 0, "the picture of the session")
    fit = page.run("return getComputedStyle(document.getElementById('lobby-picture')).objectFit")
    expect(fit == "contain", "the picture is cropped")
    page.click("join")
    expect(page.is_seen("lobby"), "it joins without a name")
    room.hub.answers.clear()
    room.enter("Anna Berg")
    room.until(lambda: not page.is_enabled("join") and page.text("join") == "Joining…", "the button while joining")
    room.hub.answers.set()
    room.until(lambda: page.is_seen("room"), "the room")
    expect(page.text("who") == "Anna Berg, host", f"it says {page.text('who')}")
    me = room.me()
    page.driver.refresh()
    room.until(lambda: page.is_seen("room"), "the room after a reload")
    expect(room.me() == me and len(room.session.members) == 14, "it is another member after a reload")
    page.click("leave")
    room.until(lambda: page.is_seen("farewell"), "that it has left")
    page.click("come-back")
    expect(page.run("return document.getElementById('display-name').value") == "Anna Berg", "the name is not kept")


def passwords(room):
    """a password is asked for when it is needed, again when it was wrong, and slowed down"""
    room.prepare(fake_states.password)
    page = room.visit("participant")
    expect(not page.is_seen("password-entry"), "it asks before it is needed")
    expect("member" not in page.text("join-facts"), "a participant sees the session before joining")
    room.enter()
    room.until(lambda: page.is_seen("password-entry") and "has a password" in page.text("join-why"), "the question")
    expect(page.focused() == "password", "the field does not have the focus")
    for _ in range(5):
        room.enter(password="wrong")
        room.until(lambda: "wrong" in page.text("join-why") and page.is_enabled("join"), "that it was wrong")
    room.enter(password="wrong")
    room.until(lambda: "Try again in 6 s" in page.text("join-why"), "that it is slowed down")
    room.session.wrong_passwords = 0
    room.enter(password="secret")
    room.until(lambda: page.is_seen("room"), "the room")


def kept_out(room):
    """who is not let in is told why in words, and what to do"""
    room.prepare(fake_states.locked)
    page = room.visit("participant")
    room.enter()
    room.until(lambda: "is locked. Ask the host to unlock it" in page.text("join-why"), "that it is locked")
    expect(page.is_enabled("join"), "it can't be tried again")
    room.session.locked, room.session.exists = False, False
    room.enter()
    room.until(lambda: "has not begun yet" in page.text("join-why") and page.is_seen("stop-waiting"), "that it waits")
    room.session.exists = True
    room.until(lambda: page.is_seen("room"), "the room, once it is there")
    room.prepare(fake_states.over)
    page = room.visit("participant")
    room.enter()
    room.until(lambda: "ended the session for all" in page.text("join-why"), "that it is over")
    room.prepare(fake_states.panel)
    room.hub.is_store_away = True
    page = room.visit("participant")
    room.enter()
    room.until(lambda: "store is away" in page.text("join-why"), "that the store is away")
    room.hub.is_store_away = False
    room.until(lambda: page.is_seen("room"), "the room, once the store is back")


def no_token(room):
    """a token that is missing or refused is asked for, and the new one is used"""
    room.prepare(fake_states.panel)
    page = room.browser
    page.driver.get("about:blank")
    page.driver.get(f"{room.hub.url}/{NAME}")
    page.run("sessionStorage.clear()")
    page.driver.refresh()
    room.until(lambda: page.is_seen("lobby"), "the form")
    room.enter()
    room.until(lambda: page.is_seen("token-dialog"), "the question for a token")
    expect(page.focused() == "token-text", "its field does not have the focus")
    page.keys(make_token("participant", name="x"), Keys.ENTER)
    room.until(lambda: not page.is_seen("token-dialog"), "the form again")
    room.enter()
    room.until(lambda: page.is_seen("room"), "the room")
    expect("token" not in page.driver.current_url, "the token stays in the address")
    # The user of the hub's own machine needs none.
    room.hub.needs_token = False
    page.run("sessionStorage.clear()")
    page.driver.refresh()
    room.until(lambda: page.is_seen("lobby"), "the form")
    room.enter("Local")
    room.until(lambda: page.is_seen("room") and page.is_seen("end"), "the rights of the local user")


def twelve(room):
    """twelve tiles play and nobody moves while two leave and come back, and speakers change"""
    room.prepare()
    page = room.join()
    page.look((1600, 1000))
    room.until(lambda: len(room.playing()) == 12, "twelve pictures")
    first = room.tiles()
    boxes = [place["id"] for place in room.session.grids[12]]
    nodes = page.run("window.nodes = [...document.querySelectorAll('.tile')]; return nodes.length")
    expect(nodes == 12, f"there are {nodes} tiles")
    page.run(
        "window.gaps = []; const watch = () => { for (const tile of document.querySelectorAll('.tile'))"
        " if (!tile.querySelector('video')) gaps.push(tile.dataset.member); window.watching = requestAnimationFrame(watch) };"
        "watch()")
    leavers = boxes[3], boxes[8]
    for step in range(12):
        if step == 2:
            for one in leavers:
                room.session.drop(one, "expired")
        if step == 7:
            said = page.run("return [...document.querySelectorAll('.hole')].map((one) => one.dataset.gone)")
            expect(said == ["Gallery is gone", "Bern is gone"], f"the places of who left say {said}")
            for one in leavers:
                room.session.come_back(one)
        room.session.speak(boxes[[0, 1, 5, 11][step % 4]])
        time.sleep(0.4)
        now = room.tiles()
        expect(all(now[one] == first[one] for one in now), f"somebody has moved in step {step}")
    room.until(lambda: set(room.tiles()) == set(boxes) and room.tiles() == first, "all twelve at their places again")
    room.until(lambda: len(room.playing()) == 12, "twelve pictures again")
    gaps = set(page.run("cancelAnimationFrame(watching); return gaps"))
    expect(gaps <= set(leavers), f"pictures were missing of {[room.session.members[one]['name'] for one in gaps]}")
    same = page.run("return nodes.filter((tile) => tile.isConnected).length")
    expect(same == 12, f"only {same} have their own tile still")
    speaking = page.run("return [...document.querySelectorAll('.tile.speaker .tile-name')].map((one) => one.innerText)")
    expect(speaking == ["Replay"] and page.run(
        "return document.querySelector('.tile.speaker .speaking').checkVisibility()"), f"speaking: {speaking}")
    room.picture("twelve")


def other_pictures(room):
    """when others are wanted, those who stay go on without a flicker, and only the new response stays open"""
    room.prepare()
    page = room.join()
    room.until(lambda: len(room.playing()) == 12, "twelve pictures")
    page.run(
        "window.gaps = []; const stay = [...document.querySelectorAll('.tile')].slice(0, 9);"
        "const watch = () => { for (const tile of stay) { const video = tile.querySelector('video');"
        " if (!video || video.videoWidth === 0 || tile.querySelector('.cover').checkVisibility())"
        " gaps.push(tile.dataset.member) } window.watching = requestAnimationFrame(watch) }; watch()")
    for count in (9, 12, 9, 12):
        asked = len(room.hub.watched)
        page.choose("capacity", str(count))
        room.until(lambda: len(room.hub.watched) > asked and len(room.playing()) == count, f"{count} pictures")
        room.until(lambda: room.hub.open["live"] == 1, "one response alone")
    gaps = page.run("cancelAnimationFrame(watching); return gaps")
    expect(gaps == [], f"pictures were missing {len(gaps)} times")
    expect(room.hub.open["stream"] == 1, f"{room.hub.open['stream']} event streams are open")


def close_behind(room):
    """pictures follow the camera closely"""
    room.prepare()
    room.join()
    room.until(lambda: len(room.playing()) == 12, "twelve pictures")
    time.sleep(4)
    lags = []
    for _ in range(15):
        now = room.hub.media.now()
        lags += [now - at for at in room.playing().values()]
        time.sleep(0.2)
    median = sorted(lags)[len(lags) // 2]
    print(f"        the median picture is {median:.2f} s old, the oldest {max(lags):.2f} s", flush=True)
    # Half a second, but for a machine that is busy.
    expect(median <= 2, f"the median picture is {median:.2f} s old")


def capacities(room):
    """how many pictures there are follows the window, and can be chosen; the speaker is always one of them"""
    room.prepare(fake_states.crowd)
    page = room.join()
    for size, count in (((1280, 800), 12), ((1000, 800), 9), ((800, 1100), 6), ((360, 740), 4)):
        page.look(size)
        room.until(lambda: len(room.tiles()) == count, f"{count} at {size}")
    page.look((1280, 800))
    for count in (1, 4, 6, 9, 12):
        page.choose("capacity", str(count))
        room.until(lambda: len(room.tiles()) == count and len(room.playing()) == count, f"{count} by choice")
    page.choose("capacity", "4")
    page.driver.refresh()
    room.until(lambda: page.is_seen("room") and len(room.tiles()) == 4, "the choice is kept")


def large(room):
    """a tile is made large by a click and by Enter; the newest shared screen is large by itself"""
    room.prepare(fake_states.panel)
    page = room.join()
    room.until(lambda: len(room.playing()) == 4, "four pictures")
    def is_large(name):
        boxes = room.tiles()
        sizes = {one: box[2] * box[3] for one, box in boxes.items()}
        mine = sizes.pop(room.id_of(name))
        return all(mine > 2 * other for other in sizes.values())
    expect(not is_large("Wien"), "one is large")
    page.driver.execute_script("document.querySelector('.tile[data-member=\"' + arguments[0] + '\"]').dispatchEvent("
                               "new PointerEvent('click', { bubbles: true, pointerType: 'mouse' }))", room.id_of("Wien"))
    room.until(lambda: is_large("Wien"), "Wien is large")
    page.run("document.querySelector('.tile.large .enlarge').focus()")
    page.keys(Keys.ENTER)
    room.until(lambda: not is_large("Wien"), "Wien is small again")
    page.driver.refresh()
    room.until(lambda: page.is_seen("room") and len(room.playing()) == 4, "the room again")
    room.session.report(room.id_of("Bern"), sharesScreen=True)
    room.until(lambda: is_large("Bern"), "the shared screen is large")
    room.session.report(room.id_of("Studio"), sharesScreen=True)
    room.until(lambda: is_large("Studio"), "the newer one is")
    room.session.report(room.id_of("Studio"), sharesScreen=False)
    room.until(lambda: is_large("Bern"), "the older one is again")
    page.run("document.querySelector('.tile.large .enlarge').click()")
    room.until(lambda: not is_large("Bern"), "a screen is made small")
    room.session.report(room.id_of("Wien"), sharesScreen=True)
    room.until(lambda: is_large("Wien"), "the next one is large")
    room.picture("screen")


def fake_small_pictures(room):
    """small tiles have the small stream of who gives one, large ones the main one, and a picture is there all the time"""
    room.prepare(fake_states.panel)
    with room.session.lock:
        for name in ("Bern", "Wien"):
            room.session.members[room.id_of(name)]["small"] = True
    page = room.join()
    bern, wien, zurich, studio = (room.id_of(name) for name in ("Bern", "Wien", "Zürich", "Studio"))

    def widths():
        return page.run("return Object.fromEntries([...document.querySelectorAll('.tile video')]"
                        ".map((video) => [video.closest('.tile').dataset.member, video.videoWidth]))")

    def until_shown(small, what):
        wanted = {one: 160 if one in small else 320 for one in (bern, wien, zurich, studio)}
        room.until(lambda: widths() == wanted, f"{what}: {widths()}")
        asked = [set(ids) for ids in room.hub.watched[-1][:2]]
        expect(asked == [set(wanted) - set(small), set(small)], f"{what}: the page has asked for {asked}")

    page.look((1600, 1000))
    until_shown([], "four large tiles")
    page.run(
        "window.gaps = []; const watch = () => { for (const tile of document.querySelectorAll('.tile')) {"
        " const video = tile.querySelector('video');"
        " if (!video || video.videoWidth === 0 || tile.querySelector('.cover').checkVisibility())"
        " gaps.push(tile.dataset.member) } window.watching = requestAnimationFrame(watch) }; watch()")
    page.look((700, 600))
    until_shown([bern, wien], "four small tiles")
    room.until(lambda: room.hub.open["live"] == 1, "one response alone")
    # What is a little larger stays as it is.
    asked = len(room.hub.watched)
    for width in (850, 870, 860):
        page.look((width, 1000))
        room.until(lambda: 400 < room.tiles()[bern][2] < 480, f"tiles that are a little larger at {width}")
        time.sleep(0.3)
    expect(len(room.hub.watched) == asked, "a tile that is hardly larger has the large picture")
    page.look((700, 600))
    page.run("document.querySelector(`.tile[data-member='${arguments[0]}'] .enlarge`).click()", bern)
    until_shown([wien], "one large tile")
    room.session.report(wien, small=False)
    until_shown([], "a small stream that ends")
    room.session.report(wien, small=True)
    until_shown([wien], "a small stream that is back")
    page.run("document.querySelector(`.tile[data-member='${arguments[0]}'] .enlarge`).click()", bern)
    until_shown([bern, wien], "all small again")
    gaps = page.run("cancelAnimationFrame(watching); return gaps")
    expect(gaps == [], f"pictures were missing {len(gaps)} times")
    room.picture("small")


def fallbacks(room):
    """what has no picture says why; what can’t be played is shown as pictures one by one"""
    room.prepare(fake_states.trouble)
    page = room.join()
    def says(name):
        return page.run("return document.querySelector('.tile[data-member=\"' + arguments[0] + '\"]').innerText",
                        room.id_of(name)).replace("\n", " ")
    wanted = {"Interrupted": "Interrupted", "Picture muted": "Picture muted", "Lost": "does not receive it",
              "Silent": "No contact", "Disk": "Disk low", "Gap": "Losing media", "Network": "Output waiting", "Preview": "not live"}
    for name, words in wanted.items():
        room.until(lambda: words in says(name).replace(name, "", 1), f"{words} of {name}: {says(name)}")
    time.sleep(1)
    room.picture("trouble")
    room.prepare(fake_states.panel)
    page = room.visit()
    page.run("MediaSource.isTypeSupported = () => false")
    room.enter()
    room.until(lambda: page.run("return document.querySelectorAll('.tile img.picture').length") == 4, "single pictures")
    expect(len(room.playing()) == 0, "they play as well")
    room.hub.live_refusal = "notLive"
    room.join()
    room.until(lambda: page.run("return document.querySelectorAll('.tile img.picture').length") == 4, "single pictures")


def away_and_back(room):
    """a hub that is away is told of and waited for; the member is the same then, and its pictures go on"""
    room.prepare(fake_states.panel)
    page = room.join()
    room.until(lambda: len(room.playing()) == 4, "four pictures")
    me = room.me()
    room.hub.stop()
    room.until(lambda: page.is_seen("connection") and "has not answered since" in page.text("connection"), "the loss")
    expect("Next attempt in" in page.text("connection") or "Trying" in page.text("connection"), "no next attempt")
    expect(page.is_seen("room"), "the session is not shown any more")
    room.picture("away")
    time.sleep(2)
    room.hub.start()
    room.until(lambda: "Reconnected" in page.text("connection-text"), "the return")
    room.until(lambda: len(room.playing()) == 4, "four pictures again")
    before = room.playing()
    room.until(lambda: all(room.playing().get(one, 0) > at + 1 for one, at in before.items()), "the pictures go on")
    expect(room.me() == me and len(room.session.members) == 6, "it is another member")
    room.hub.end_streams()
    room.session.tell("event", member=me, name="After the end of the stream", data=None)
    room.until(lambda: "After the end of the stream" in page.text("past-list"), "the stream goes on after its end")
    room.session.drop(me, "expired")
    room.until(lambda: me in room.session.members, "it joins again when its lease is over")
    expect(len(room.session.members) == 6, "it is another member")
    room.hub.is_store_away = True
    room.until(lambda: "store is away" in page.text("connection"), "that the store is away")
    room.hub.is_store_away = False
    room.until(lambda: not page.is_seen("connection"), "the return of the store")


def out_for_good(room):
    """who is superseded, removed, or in a session that ends is told so, and does not come back by itself"""
    def begin():
        room.prepare(fake_states.panel)
        return room.join("participant")
    page = begin()
    room.session.members[room.me()]["_lease"] = "7.1-another-tab"
    room.until(lambda: page.is_seen("farewell") and "another tab" in page.text("farewell"), "that it was superseded")
    page = begin()
    me = room.me()
    room.session.tell("removed", member=me)
    room.until(lambda: "removed from the session" in page.text("farewell-text"), "the removal")
    page.click("come-back")
    room.session.removed[me] = (me, None)
    room.session.drop(me, "removed")
    # Two beats would be refused, if it still sent them.
    time.sleep(2.5)
    expect(page.is_seen("lobby"), "it is taken out of the lobby again")
    page = begin()
    room.session.ended = "time"
    room.session.tell("ended", why="time")
    room.until(lambda: "time is over" in page.text("farewell-text"), "the end")
    time.sleep(2.5)
    expect(page.is_seen("farewell") and not page.is_seen("room"), "it has come back by itself")
    expect(page.focused() == "farewell-text", "the focus is elsewhere")


def token_ends(room):
    """a token’s end is told a minute before, and a new one is taken without leaving the page"""
    room.prepare(fake_states.panel)
    page = room.join("host", lasts=3600)
    expect(not page.is_seen("token-ends"), "it warns too early")
    room.prepare(fake_states.panel)
    room.session.lease = 3
    page = room.join("host", lasts=20)
    room.until(lambda: page.is_seen("token-ends") and "Your token ends at" in page.text("token-ends-text"), "the warning")
    page.click("renew-token")
    page.keys(make_token("host", name="second", lasts=12), Keys.ENTER)
    room.until(lambda: not page.is_seen("token-dialog"), "that the new token is taken")
    room.until(lambda: "host" in page.text("who") and page.is_seen("room"), "the room with the new token")
    room.until(lambda: page.is_seen("token-dialog"), "the question once it has ended")
    expect("has expired" in page.text("token-why"), f"it says {page.text('token-why')}")
    page.keys(make_token("host", name="third"), Keys.ENTER)
    room.until(lambda: not page.is_seen("token-dialog") and not page.is_seen("token-ends"), "no more warning")
    room.until(lambda: len(room.playing()) == 4, "the pictures again")
    room.until(lambda: "host" in page.text("who"), "the role")


def listening(room):
    """sound comes after a click alone, of all who are visible; hidden pages pull no pictures but sound"""
    room.prepare(fake_states.panel)
    page = room.join()
    room.until(lambda: len(room.playing()) == 4, "four pictures")
    expect(all(sounds == [] for _, _, sounds in room.hub.watched), "it has asked for sound")
    page.run("window.heard = []; const make = document.createElement.bind(document);"
             "document.createElement = (tag) => { const node = make(tag); if (tag === 'audio') heard.push(node); return node }")
    page.click("listen")
    room.until(lambda: len(room.hub.watched[-1][2]) == 4, "the request with sound")
    room.until(lambda: page.run("return heard.filter((one) => !one.paused && one.currentTime > 0).length") == 4, "sound")
    expect(page.attribute("listen", "aria-pressed") == "true", "it does not say so")
    page.run("document.activeElement.blur()")
    room.until(lambda: page.run("return stage.classList.contains('calm')"), "the bar goes")
    page.click("sound")
    page.run("const volume = document.getElementById('volume'); volume.value = 30;"
             "volume.dispatchEvent(new Event('input'))")
    expect(page.run("return heard.at(-1).volume") == 0.3 and page.text("volume-text") == "30 %", "the volume")
    page.click("sound-close")
    page.run("Object.defineProperty(document, 'hidden', { value: true, configurable: true });"
             "document.dispatchEvent(new Event('visibilitychange'))")
    room.until(lambda: room.hub.watched[-1][:2] == ([], []) and len(room.hub.watched[-1][2]) == 4, "sound alone")
    page.run("Object.defineProperty(document, 'hidden', { value: false, configurable: true });"
             "document.dispatchEvent(new Event('visibilitychange'))")
    room.until(lambda: len(room.hub.watched[-1][0]) == 4, "pictures again")
    page.click("listen")
    room.until(lambda: room.hub.watched[-1][2] == [], "no sound")


def past(room):
    """the timeline has a lane for each member, with what has happened since the page was opened"""
    room.prepare(fake_states.panel)
    page = room.join()
    room.until(lambda: page.run("return document.querySelectorAll('#time-line rect.live').length") == 4, "who is live")
    bern, wien = room.id_of("Bern"), room.id_of("Wien")
    room.session.report(bern, state="interrupted")
    room.session.report(wien, silent=True)
    room.session.drop(room.id_of("Studio"), "expired")
    for kind in ("interrupted", "gap", "away"):
        room.until(lambda: page.run(f"return document.querySelector('#time-line rect.{kind}') !== null"), kind)
    for words in ("Bern: interrupted", "Wien: nothing heard", "Studio was not heard of any more"):
        room.until(lambda: words in page.text("past-list"), words)
    room.session.set_host(room.session.add("Hanna", kind="person", state="idle"))
    room.until(lambda: "Hanna is host" in page.text("past-list"), "the name of a host who has just come")
    expect("Since this page was opened" in page.text("past-summary"), "it does not say since when")
    live(room.session, None, None, {"outputs": ["rtmp://a"]})
    room.until(lambda: "Waiting for a worker" in page.text("past-list"), "on air")


ALL = [session_modules, joining, passwords, kept_out, no_token, twelve, close_behind, other_pictures, capacities, large, fake_small_pictures,
       fallbacks,
       away_and_back, out_for_good, token_ends, listening, past]
