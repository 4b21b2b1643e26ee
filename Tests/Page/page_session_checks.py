"""What the page shows of the session of several boxes that the fake broadcaster is in, and what can be done there."""
import time

from fake_broadcaster import MEMBER, PASSWORD, FakeBroadcaster, instant
from page_browser import DESK, PHONE, expect
from page_state_checks import IS_INSIDE, SIZES, banners, colour, down, is_green, put
from selenium.webdriver.common.keys import Keys

PLACE = "Session Stage left ü: "
# Each state: the line of the section and its tone, and the beginning of the banner, if there is one.
STATES = {
    "joining": ("Joining…", "wait", None, None),
    "joined": ("In the session", "good", None, None),
    "absent": ("Waiting for the session", "wait", "there is no such session", "there is no such session."),
    "passwordNeeded": ("Password needed", "wait", "the session has a password", None),
    "refused": ("Refused by the hub", "bad", "the token has expired", "the hub refuses this box: the token has expired."),
    "removed": ("Removed from the session", "bad", "the member was removed from the session", "this box was removed"),
    "hubAway": ("The hub does not answer", "wait", "the hub can't be reached: connection refused",
                "the hub can't be reached: connection refused. Recording and outputs continue."),
    "leaving": ("Leaving…", "none", None, None),
    "superseded": ("Replaced by another box", "bad", "another one has joined with the same key",
                   "another box has joined with the same key"),
    "over": ("The session is over", "none", "the session was ended for all", None),
    "left": ("Left the session", "none", None, None),
    "later": ("later", "none", None, None),
}


def enter(fake, state="joined", silent=0, **fields):
    """In this state, with a hub that has not answered for so many seconds."""
    why, is_in = STATES[state][2], state in ("joined", "hubAway")
    put(fake, heard=time.time() - silent if silent else None)
    fake.broadcaster.join(**{"state": state, "why": why, "member": MEMBER["member"] if is_in else None} | fields)


def open_in_session(run, fake, role="host", state="joined", **fields):
    page = run.open(role, "live")
    with fake.broadcaster.lock:
        output = FakeBroadcaster._output("session", "rtmps://hub.example:1935/live/***")
        fake.broadcaster.outputs.append(output | {"state": "publishing", "roundTripMs": 9})
    enter(fake, state, **fields)
    page.until(lambda: page.is_seen("session") and page.text("session-state") == STATES[state][0], "the session")
    return page


def membership(run, fake):
    """the section Session is there for a member alone, and says name, hub, role, end and the state in words"""
    page = run.open("host", "live")
    time.sleep(0.6)
    for name in ("session", "unmute-asked", "password-form", "prompts", "mute-note"):
        expect(not page.is_seen(name), f"{name} is there without a session")
    page = open_in_session(run, fake, role="host", othersReady=3, endsAt=instant(time.time() + 3905))
    expect([page.text("session-name"), page.text("session-hub")] == ["Stage left ü", "hub.example:8787"],
           f"it is called {page.text('session-name')} at {page.text('session-hub')}")
    said = page.text("session-facts").replace("\n", " ")
    for part in ("Role Participant", "Ends at", "Time left 1 h 5 min", "Others ready 3"):
        expect(part in said, f"no {part} in {said}")
    expect("On air at main, backup and session." in page.text("sentence"), f"it says {page.text('sentence')}")
    expect(is_green(colour(page, "sentence")), "all is well, and not green")
    for state, (line, tone, _, banner) in STATES.items():
        enter(fake, state, silent=65 if state == "hubAway" else 0)
        page.until(lambda: page.text("session-state") == line, line)
        kinds = page.attribute("session-state", "class").split()
        expect(tone in kinds, f"{state} is {kinds}")
        found = [words for _, _, words, _ in banners(page)]
        expect([words.startswith(PLACE + banner) for words in found] == ([True] if banner else []),
               f"{state}: the banners are {found}")
        expect(all(sign and amber == "amber" for amber, _, _, sign in banners(page)), f"{state}: {banners(page)}")
        is_fine = banner is None and state != "passwordNeeded"
        expect(is_green(colour(page, "sentence")) == is_fine, f"{state}: the sentence is green or not")
        leaves = state not in ("leaving", "superseded", "over", "left", "later")
        expect(page.is_seen("leave") == leaves, f"{state}: Leave is there or not")
    enter(fake, "over", mutedByOthers=[])
    put(fake, muted={"audio": True, "video": False})
    page.until(lambda: "The sound is still muted, and may be unmuted here." in page.text("session-why"), "what stays")
    put(fake, session=None)
    page.until(lambda: not page.is_seen("session"), "the section goes")


def hub_away(run, fake):
    """a hub that misses one request is not away; one that is says since when, and that the broadcast goes on"""
    page = open_in_session(run, fake)
    enter(fake, "hubAway", silent=4)
    time.sleep(1)
    expect(page.text("session-state") == "In the session" and banners(page) == [], "one lost request is told")
    enter(fake, "hubAway", silent=65, mutedByOthers=["audio"])
    page.until(lambda: len(banners(page)) == 1, "the banner")
    kind, role, words, _ = banners(page)[0]
    expect((kind, role) == ("amber", "status"), f"it is {kind}, {role}")
    for part in ("Recording and outputs continue.", "No answer for 1 min", "tried again by itself",
                 "What the session has muted may be unmuted here."):
        expect(part in words, f"no {part} in {words}")
    page.run("window.first = document.querySelector('#problems > *')")
    before = page.text("problems")
    page.until(lambda: page.text("problems") != before, "the time goes on")
    expect(page.run("return first === document.querySelector('#problems > *')"), "it is announced again")
    expect("NO ANSWER SINCE" in page.text("session-facts").upper(), "since when is not in the section")
    expect("you may unmute it here" in page.text("mute-note"), f"it says {page.text('mute-note')}")
    page.click("mute-audio")
    page.until(lambda: page.text("mute-audio") == "Mute sound" and not page.is_seen("mute-note"), "the sound")
    expect("MUTED BY" not in page.text("session-facts").upper(), "it still is muted by the session")
    put(fake, session=MEMBER | {"state": "hubAway", "member": None, "why": "the hub can't be reached"},
        heard=time.time() - 2)
    page.until(lambda: "hub can't be reached" in page.text("problems"), "who is not in is told at once")


def held(run, fake):
    """what others mute is named by the session, on its button with a reason, and a refusal is told"""
    page = open_in_session(run, fake, mutedByOthers=["video"])
    page.until(lambda: page.text("mute-video") == "Picture muted by the session", "the button")
    expect("The picture is muted by the session." in page.text("sentence"), f"it says {page.text('sentence')}")
    said = page.text("session-facts").replace("\n", " ")
    expect("Muted by others Picture" in said, f"the facts are {said}")
    expect("only they can unmute it" in page.text("mute-note"), f"the note is {page.text('mute-note')}")
    expect([page.attribute(f"mute-{track}", "aria-describedby") for track in ("audio", "video")]
           == [None, "mute-note"], "the note belongs to no button, or to both")
    page.click("mute-video")
    page.until(lambda: page.is_seen("notice"), "the refusal")
    expect("Ask them to unmute it" in page.text("notice-text"), f"it says {page.text('notice-text')}")
    expect(page.text("mute-video") == "Picture muted by the session", "it looks unmuted")
    page.click("mute-audio")
    page.until(lambda: "muted by the session, the sound here" in page.text("sentence").replace("The picture is ", ""),
               "who mutes what")
    expect(not page.is_seen("notice"), "the refusal stays after another action")
    with fake.broadcaster.lock:
        fake.broadcaster._order("unmute", "mutedByOthers", "the host or a manager has muted the member")
    time.sleep(0.5)
    expect(not page.is_seen("notice"), "what somebody else was refused is told")
    enter(fake, mutedByOthers=["audio", "video"], role="host")
    page.until(lambda: "Sound and picture are muted by the session." in page.text("sentence"), "both")
    expect(not page.is_seen("mute-note"), "a host is told to ask")
    page.click("mute-video")
    page.until(lambda: page.text("mute-video") == "Mute picture", "a host unmutes itself")


def unmute_asked(run, fake):
    """asked to unmute, the operator agrees or not, once; who may not mute sees it without buttons"""
    for button, is_muted in (("unmute", False), ("keep-muted", True)):
        page = open_in_session(run, fake, unmuteAsked=["audio"])
        page.until(lambda: page.is_seen("unmute-asked"), "the question")
        expect(page.text("unmute-text") == "The session asks you to unmute the sound.",
               f"it says {page.text('unmute-text')}")
        page.run("scrollTo(0, 0)")
        expect(page.run(IS_INSIDE, ["unmute", "keep-muted"]) == [], "one has to scroll to answer")
        before = len(fake.broadcaster.asked)
        page.run("const b = document.getElementById(arguments[0]); b.focus(); b.click(); b.click()", button)
        page.until(lambda: not page.is_seen("unmute-asked"), "the question goes")
        expect(page.focused() == "state", f"the focus is at {page.focused()}")
        expect(fake.broadcaster.asked[before:] == ["session/answer"], f"it asked {fake.broadcaster.asked[before:]}")
        expect(fake.broadcaster.muted["audio"] == is_muted, "the sound")
        expect(not page.is_seen("notice"), f"it says {page.text('notice-text')}")
        fake.stop()
        fake.start()
    # The box has taken the answer, and the hub has not yet.
    page = open_in_session(run, fake, unmuteAsked=["audio", "video"])
    page.until(lambda: "sound and picture" in page.text("unmute-text"), "both")
    fake.broadcaster._session_answer = lambda body: {"ok": True}
    page.click("unmute")
    page.until(lambda: not page.is_seen("unmute-asked"), "it is answered")
    time.sleep(1.2)
    expect(not page.is_seen("unmute-asked"), "it asks again by itself")
    with fake.broadcaster.lock:
        fake.broadcaster.tell("unmuteAsked", tracks=["audio", "video"])
    page.until(lambda: page.is_seen("unmute-asked"), "the next question")
    page.open(run.tokens.participant)
    page.until(lambda: page.is_seen("unmute-asked"), "a participant is told")
    expect(not page.is_seen("unmute") and not page.is_seen("keep-muted"), "a participant may answer")
    expect("Anyone who may mute here can answer." in page.text("unmute-text"), f"it says {page.text('unmute-text')}")


def password(run, fake):
    """the session's password is asked for, again if it is wrong, with the reason, and leaves the page at once"""
    page = open_in_session(run, fake, state="passwordNeeded")
    page.until(lambda: page.is_seen("password-form"), "the form")
    expect(page.text("password-why") == "The session has a password.", f"it says {page.text('password-why')}")
    expect(page.attribute("session-password", "type") == "password", "it can be read over the shoulder")
    page.tab_to("session-password")
    page.keys("wrong", Keys.ENTER)
    page.until(lambda: page.text("password-why") == "The password is wrong.", "that it is wrong")
    expect(page.focused() == "session-password" and page.run("return document.activeElement.value") == "",
           "the next can’t be written at once")
    page.until(lambda: page.attribute("send-password", "aria-busy") == "false", "it can be sent")
    page.keys("wrong", Keys.ENTER)
    page.until(lambda: page.text("password-why").startswith("Sent."), "that it was sent")
    page.until(lambda: page.text("password-why") == "The password is wrong.", "that it is wrong again")
    page.keys(PASSWORD, Keys.ENTER)
    page.until(lambda: page.text("session-state") == "In the session", "it is in")
    expect(not page.is_seen("password-form") and page.focused() == "state", f"the focus is at {page.focused()}")
    expect(PASSWORD not in page.run("return document.documentElement.outerHTML"), "the password stays in the page")
    expect(page.run("return document.getElementById('session-password').value") == "", "it stays in the field")
    enter(fake, "passwordNeeded")
    page.open(run.tokens.manager)
    page.until(lambda: page.is_seen("password-form"), "a manager is told")
    expect(not page.is_seen("password-entry") and "Anyone who may end" in page.text("password-todo"), "who enters it")


def leaving(run, fake):
    """leaving is asked for in the page, with what goes on, and can be taken back"""
    page = open_in_session(run, fake)
    page.tab_to("leave")
    page.keys(Keys.ENTER)
    page.until(lambda: page.is_seen("leave-dialog"), "the question")
    expect(page.focused() == "leave-no", "the question does not begin with the harmless answer")
    for part in ("The broadcast goes on", "the output at the session closes"):
        expect(part in page.text("leave-text").replace("\n", " "), f"it says {page.text('leave-text')}")
    for scheme in ("light", "dark"):
        page.look(DESK, scheme)
        run.picture(f"session-leave-{scheme}", is_whole=False)
        found = page.script("contrast.js")
        expect(not found["problems"], f"{scheme}: {found['problems']}")
    page.keys(Keys.ESCAPE)
    page.until(lambda: not page.is_seen("leave-dialog"), "Escape takes it back")
    expect(page.focused() == "leave", "the focus does not come back")
    page.click("leave")
    page.click("leave-yes")
    page.until(lambda: page.text("session-state") == "Left the session", "it has left")
    expect(not page.is_seen("leave") and page.focused() == "state", f"the focus is at {page.focused()}")
    expect(run.ask("GET", "/v1/status")["state"] == "live", "the broadcast has ended")
    put(fake, session=None)
    enter(fake)
    page.click("leave")
    enter(fake, "over")
    page.until(lambda: not page.is_seen("leave-dialog"), "a question that is over closes")
    enter(fake)
    page.click("leave")
    put(fake, session=None)
    page.until(lambda: not page.is_seen("leave-dialog"), "it closes without a session")
    page = open_in_session(run, fake, role="manager")
    expect(not page.is_seen("leave"), "a manager may leave")


def session_ends(run, fake):
    """the last minute of the session is told apart from that of the broadcast"""
    page = open_in_session(run, fake, endsAt=instant(time.time() + 50))
    put(fake, ends=time.time() + 55)
    page.click("alert-dismiss")
    page.until(lambda: len(banners(page)) == 2, "both")
    said = [words for _, _, words, _ in banners(page)]
    expect([words.split(" ends at")[0] for words in said] == ["The session", "The broadcast"], f"they are {said}")
    expect("0:4" in said[0] and "Its host can extend it" in said[0], f"it says {said[0]}")


def _portraits(fake):
    yield "joined", {"othersReady": 3, "endsAt": instant(time.time() + 3905), "role": "manager"}
    yield "held", {"mutedByOthers": ["video"], "endsAt": instant(time.time() + 200_000)}
    yield "held-both", {"mutedByOthers": ["audio", "video"]}
    yield "asked", {"unmuteAsked": ["audio"], "role": "participant"}
    for state in STATES:
        if state not in ("joined", "later"):
            yield state, {"state": state, "silent": 65 if state == "hubAway" else 0, "role": None}
    yield "wrong-password", {"state": "passwordNeeded", "why": "the password is wrong", "role": None}
    yield "hub-away-held", {"state": "hubAway", "silent": 65, "mutedByOthers": ["audio", "video"],
                            "role": "participant"}
    yield "long", {"url": "https://a-rather-long-name-of-a-hub.media.example:18787/" + "Annual%20general%20meeting" * 5,
                   "state": "hubAway", "silent": 4000, "mutedByOthers": ["video"], "unmuteAsked": ["audio"],
                   "why": "the hub can't be reached: the name a-rather-long-name-of-a-hub.media.example is not known"}


def session_states(run, fake):
    """each state of the session can be read at every size, light and dark, and is photographed"""
    page = open_in_session(run, fake)
    page.until(lambda: page.is_seen("preview"), "the picture")
    down(fake, 1)
    for name, fields in _portraits(fake):
        put(fake, muted={"audio": False, "video": False})
        enter(fake, **fields)
        line = STATES[fields.get("state", "joined")][0]
        page.until(lambda: page.text("session-state") == line, line)
        time.sleep(0.6)
        for width, size in (SIZES | {"1280": DESK}).items():
            for scheme in ("light", "dark") if width in ("1280", "360") else ("light",):
                page.look(size, scheme)
                time.sleep(0.2)
                found = page.script("contrast.js")
                expect(not found["problems"], f"{name}, {width}, {scheme}: {found['problems']}")
                expect(page.run("return document.documentElement.scrollWidth <= innerWidth"),
                       f"{name}, {width}: too wide")
                if width in ("1280", "360", "sideways"):
                    run.picture(f"session-{name}-{width}{'-dark' if scheme == 'dark' else ''}",
                                is_whole=width != "sideways")
        for width in (320, 412, 960):
            page.look((width, 740))
            time.sleep(0.1)
            expect(page.run("return document.documentElement.scrollWidth <= innerWidth"), f"{name}, {width}: too wide")
        unnamed = page.run(
            "return [...document.querySelectorAll('#prompts :is(button, input), #session button')]"
            ".filter((node) => node.checkVisibility() && !(node.innerText?.trim() || node.labels?.length))"
            ".map((node) => node.id)")
        expect(unnamed == [], f"{name}: without a name: {unnamed}")
        page.look(PHONE)


ALL = [membership, hub_away, held, unmute_asked, password, leaving, session_ends, session_states]
