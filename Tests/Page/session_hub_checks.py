"""What each role can do through the page of a session, and cannot: each command is given by the page’s own controls, and its
effect is read from the hub. The hub may be fake or real."""
import re

from hub_client import refusal
from hub_room import NAMES
from page_browser import HERE, expect
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


def count(page, what):
    return page.run("return document.querySelectorAll(arguments[0]).length", what)


def permitted(room):
    """a host, a manager and a participant find exactly the commands of their role in the document"""
    room.begin("Bern", "Guest")
    page = room.join_all()
    room.turn_to("Anna")
    room.command("remove", "Guest")
    room.confirm("Remove Guest")
    room.until_told("removed")
    for role, name in NAMES.items():
        room.turn_to(name)
        room.until(lambda: "Guest" not in page.text("member-list"), "the removal")
        expect(present(page) == MINE[role], f"{role}: {present(page) ^ MINE[role]}")
        room.open_member("Bern")
        expect(set(room.commands()) == OTHERS[role], f"{role}, others: {set(room.commands()) ^ OTHERS[role]}")
        room.close_member()
        room.open_member(name)
        expect(set(room.commands()) == {"rename"}, f"{role}, oneself: {room.commands()}")
        room.close_member()
        expect(count(page, ".quick") == (0 if role == "participant" else 2), f"{role}: buttons to mute")
        expect(count(page, ".readmit") == (1 if role == "host" else 0), f"{role}: readmission")
        room.open_member("Max")
        expect(("revoke" in room.commands()) == (role == "host"), f"{role}, a manager: {room.commands()}")
        room.close_member()


def documented_refusals(room):
    """what the documentation says that a manager and a participant may not do is refused to their leases"""
    rows = re.findall(r"^\| `([\w-]+)`(, oneself|, another)? +\|(.*)\|$", (HERE.parents[1] / "docs/sessions.md").read_text()
                      .split("<!-- commands -->")[1], re.M)
    expect(len(rows) > 30, f"the table has only {len(rows)} rows")
    room.begin("Bern")
    room.join_all()
    bern = room.id_of("Bern")
    fields = {"rename": {"name": "Berne"}, "answer": {"agrees": True}, "password": {"password": "secret"},
              "limit": {"length": 3600}, "extend": {"by": 600}, "event": {"name": "Mark"},
              "live": {"outputs": ["rtmp://one.example/live/key"]}, "take": {"job": "one", "worker": "one"},
              "work": {"lease": "1.1", "state": "live"}}
    targeted = {"host", "manager", "revoke", "remove", "readmit"}
    made = {"manager": 0, "participant": 0}
    for role in made:
        room.turn_to(NAMES[role])
        as_it = room.identity()
        for word, whom, cells in rows:
            wanted = cells.split("|")[2 if role == "manager" else 3].strip()
            if wanted != "*notAllowed*":
                continue
            more = {"target": bern} if word in targeted or whom == ", another" else {}
            found = refusal(lambda: room.observer.command(word, as_it, **fields.get(word, {}), **more))
            expect(found == (403, "notAllowed"), f"{role}, {word}{whom}: {found}")
            made[role] += 1
    expect(made == {"manager": 14, "participant": 21}, f"so many refusals: {made}")
    state = room.state()
    expect(state["members"] and not state["locked"] and not state["hasPassword"] and state["onAir"] is None
           and room.member("Bern")["muted"] == [], "something has changed nevertheless")


def members(room):
    """a host renames, mutes, asks, removes and readmits members, makes managers, and hands its role over"""
    room.begin("Bern", "Press room")
    room.join("participant")
    page = room.join("host")
    box = room.boxes["Bern"]
    room.until_member("Anna", role="host")
    room.open_member("Bern")
    room.fill("new-name", "Ber")
    # Whatever happens meanwhile.
    box.report("previewing")
    room.until(lambda: "Preview" in page.text("member-line"), "the news in the dialog")
    expect(page.focused() == "new-name", "the field has lost the focus")
    page.keys("n", "e")
    page.click("rename")
    room.until_member("Berne", kind="box")
    room.until(lambda: page.text("member-heading") == "Berne", "the new name")
    box.report("live")
    for track in ("audio", "video"):
        room.until(lambda: f"mute-{track}" in room.commands(), "the command")
        room.press(f"mute-{track}")
        room.until_member("Berne", mutedByOthers=[track], muted=[track], reportedMuted=[track])
        room.until(lambda: f"unmute-{track}" in room.commands(), "muted")
        room.press(f"unmute-{track}")
        room.until_member("Berne", muted=[], reportedMuted=[])
    for agrees in (False, True):
        box.command("mute")
        room.until(lambda: "ask-audio" in room.commands(), "the question")
        room.press("ask-audio")
        room.until_member("Berne", mutedBySelf=["audio"], unmuteAsked=["audio"])
        room.until(lambda: box.asked == ["audio"], "the box is asked")
        box.command("answer", agrees=agrees)
        room.until_member("Berne", mutedBySelf=[] if agrees else ["audio"], unmuteAsked=[])
    room.until(lambda: "manager" in room.commands(), "the command")
    room.press("manager")
    room.until_member("Berne", role="manager")
    room.until(lambda: "revoke" in room.commands(), "a manager")
    room.press("revoke")
    room.until_member("Berne", role="participant")
    room.press("host")
    room.confirm("host")
    room.until(lambda: "can't be host" in page.text("member-refusal").lower(), "that it may not be, in words")
    room.press("remove")
    page.click("sure-no")
    expect(not page.is_seen("sure-dialog") and room.member("Berne"), "it is removed without a yes")
    room.press("remove")
    room.confirm("Remove Berne")
    room.until(lambda: room.member("Berne") is None and not page.is_seen("member-dialog"), "the removal")
    expect([one["name"] for one in room.state()["removed"]] == ["Berne"], "it is not kept out")
    expect(refusal(box.join) == (403, "removed"), "it comes in again")
    room.until(lambda: count(page, ".readmit") == 1, "who was removed")
    page.driver.find_element(By.CSS_SELECTOR, ".readmit").click()
    room.until_state(removed=[])
    box.join()
    room.until(lambda: room.member(box.name) is not None, "it is in again")
    page.driver.find_element(By.CSS_SELECTOR, f"[data-id='{room.id_of('Press room')}'] .quick").click()
    room.until_member("Press room", mutedByOthers=["audio"])
    room.open_member("Anna")
    room.fill("new-name", "Anna B.")
    page.click("rename")
    room.until_member("Anna B.", role="host")
    room.until(lambda: "Anna B., host" in page.text("who"), "one's own name")
    hand_over(room, page)


def hand_over(room, page):
    """The role goes to the box with a host's token, back to this page, and to it alone."""
    room.command("host", "Regie")
    room.confirm("host")
    room.until_member("Regie", role="host")
    room.until(lambda: page.text("who") == "Anna B., participant" and present(page) == PARTICIPANT, "the role is gone")
    room.boxes["Regie"].command("host", target=room.id_of("Anna B."))
    room.until(lambda: page.text("who") == "Anna B., host" and present(page) == HOST, "the role is back")


def all_muted(room):
    """all are muted at once but leaders, by host and manager; a manager renames, mutes and removes, too"""
    room.begin("Bern", "Wien")
    room.join_all()
    for name, track, tracks in (("Anna", "audio", ["audio"]), ("Max", "video", ["audio", "video"])):
        room.turn_to(name)
        room.browser.click(f"mute-all-{track}")
        for box in ("Bern", "Wien"):
            room.until_member(box, mutedByOthers=tracks, reportedMuted=tracks)
    expect([room.member(name)["muted"] for name in ("Anna", "Max")] == [[], []], "leaders are muted")
    page = room.browser
    room.command("unmute-audio", "Bern")
    room.until_member("Bern", mutedByOthers=["video"])
    room.boxes["Bern"].command("mute")
    room.until(lambda: "ask-audio" in room.commands(), "the question")
    room.press("ask-audio")
    room.until_member("Bern", unmuteAsked=["audio"])
    room.fill("new-name", "Berne")
    page.click("rename")
    room.until_member("Berne", kind="box")
    room.command("remove", "Wien")
    room.confirm("Remove Wien")
    room.until(lambda: room.member("Wien") is None, "the removal by a manager")
    room.command("remove", "Pia")
    room.confirm("Remove Pia")
    room.turn_to("Pia")
    room.until(lambda: page.is_seen("farewell") and "removed from the session" in page.text("farewell-text"), "the removal")
    page.click("come-back")
    room.enter("Pia")
    room.until(lambda: "Only the host can readmit you" in page.text("join-why"), "that it stays out")
    room.turn_to("Anna")
    room.until(lambda: "Pia" in page.text("removed-list"), "that Anna’s page has heard of the removal")
    page.run("[...document.querySelectorAll('#removed-list li')].find((row) => row.innerText.includes('Pia'))"
             ".querySelector('.readmit').click()")
    room.until(lambda: [one["name"] for one in room.state()["removed"]] == ["Wien"], "the readmission")
    room.turn_to("Pia")
    room.enter("Pia")
    room.until(lambda: page.is_seen("room"), "it is in again")


def participant(room):
    """a participant renames itself, answers when it is asked to unmute, says ready, marks a moment, and leaves"""
    room.begin()
    room.join("host")
    page = room.join("participant")
    room.open_member("Pia")
    room.fill("new-name", "Pia K.")
    page.click("rename")
    room.until_member("Pia K.", role="participant")
    room.close_member()
    page.click("ready")
    room.until_member("Pia K.", ready=True)
    room.until(lambda: page.attribute("ready", "aria-pressed") == "true", "ready")
    room.fill("mark-text", "Opening")
    page.click("send-mark")
    room.until_told("event", name="Opening", member=room.id_of("Pia K."))
    room.until(lambda: "Opening (Pia K.)" in page.text("past-list"), "the mark in the timeline")
    as_pia = room.identity()
    for button, agrees in (("keep-muted", False), ("unmute", True)):
        room.observer.command("mute", as_pia)
        room.turn_to("Anna")
        room.command("ask-audio", "Pia K.")
        room.turn_to("Pia")
        room.until(lambda: page.is_seen("unmute-asked"), "the question")
        page.click(button)
        room.until_member("Pia K.", unmuteAsked=[], muted=[] if agrees else ["audio"])
        room.until(lambda: not page.is_seen("unmute-asked"), "no question any more")
    room.expect_told("unmuteDeclined")
    page.click("leave")
    room.until(lambda: page.is_seen("farewell"), "that it has left")
    expect(room.member("Pia K.") is None, "it is still in")
    expect([one["why"] for one in room.state()["away"]] == ["left"], "it is not said to have left")
    page.click("come-back")
    expect(page.run("return document.getElementById('display-name').value") == "Pia K.", "the former name is offered")
    room.enter("Pia M.")
    room.until(lambda: page.is_seen("room") and room.member("Pia M."), "it is in again by another name")
    room.until(lambda: page.text("who") == "Pia M., participant", "the new name")


def locks(room):
    """the session and its screens are locked and unlocked, which keeps out whom it has to"""
    room.begin("Bern")
    page = room.join("host")
    room.boxes["Bern"].command("share")
    room.until_member("Bern", sharesScreen=True)
    newcomer = room.add_later("Wien")
    for button, field in (("lock", "locked"), ("lock-screens", "screensLocked")):
        page.click(button)
        room.until_state(**{field: True})
        room.until(lambda: page.attribute(button, "aria-pressed") == "true", f"{button} is pressed")
    expect(refusal(newcomer.join) == (403, "locked"), "somebody comes into a locked session")
    room.until_member("Bern", sharesScreen=False)
    expect(refusal(lambda: room.boxes["Bern"].command("share"))[1] == "screensLocked", "a screen can be shared")
    person = room.visit("participant")
    room.enter("Pia")
    room.until(lambda: "is locked. Ask the host to unlock it" in person.text("join-why"), "that it is locked")
    room.turn_to("Anna")
    for button, field in (("lock", "locked"), ("lock-screens", "screensLocked")):
        page.click(button)
        room.until_state(**{field: False})
        room.until(lambda: page.attribute(button, "aria-pressed") == "false", f"{button} is not pressed")
    newcomer.join()
    room.boxes["Bern"].command("share")
    room.turn_to("Pia")
    page.click("join")
    room.until(lambda: page.is_seen("room"), "the room, once it is open")
    expect(page.text("signs") == "", f"it still says {page.text('signs')}")


def password(room):
    """a password is set, asked of who is new, refused when wrong, and lifted"""
    room.begin("Bern")
    page = room.join("host")
    room.fill("new-password", "open sesame")
    page.click("set-password")
    room.until_state(hasPassword=True)
    room.until(lambda: "Password" in page.text("signs"), "the sign")
    room.until(lambda: page.run("return document.getElementById('new-password').value") == "", "the empty field")
    room.visit("participant")
    expect(not page.is_seen("password-entry"), "it asks before it is needed")
    room.enter("Pia")
    room.until(lambda: page.is_seen("password-entry") and "has a password" in page.text("join-why"), "the question")
    expect(page.focused() == "password", "the field does not have the focus")
    room.enter("Pia", password="wrong")
    room.until(lambda: "wrong" in page.text("join-why") and page.is_enabled("join"), "that it was wrong")
    expect(room.member("Pia") is None, "it is in with a wrong password")
    room.enter("Pia", password="open sesame")
    room.until(lambda: page.is_seen("room"), "the room")
    expect(room.member("Pia") is not None, "the hub does not know of it")
    room.turn_to("Anna")
    page.click("lift-password")
    room.until_state(hasPassword=False)
    room.until(lambda: not page.is_seen("lift-password"), "no password")
    room.add("Wien")


def time_limit(room):
    """the session is limited, extended and freed; the last minute is counted down, and only a host extends it"""
    room.begin("Bern")
    room.join("participant")
    page = room.join("host")
    def left():
        return room.state()["timer"]["secondsLeft"]
    for minutes, wanted in ((90, 5400), (61, 3660)):
        room.fill("limit-minutes", str(minutes))
        page.click("limit")
        room.until(lambda: left() and wanted - 60 < left() <= wanted and page.text("time-left-text").startswith("1:"),
                   "the limit")
    ends = room.state()["timer"]["endsAt"]
    page.choose("extend-by", "600")
    page.click("extend")
    room.until(lambda: room.state()["timer"]["endsAt"] != ends, "the extension")
    expect(3660 < left() <= 4260, f"{left()} s are left")
    page.click("lift-limit")
    room.until(lambda: room.state()["timer"]["endsAt"] is None, "no limit")
    room.until(lambda: not page.is_seen("time-left"), "no time left to show")
    room.fill("limit-minutes", "1")
    page.click("limit")
    for name in ("Anna", "Pia"):
        room.turn_to(name)
        room.until(lambda: page.is_seen("last-call") and page.text("last-call-left").startswith("0:"), "the countdown")
        expect((count(page, "#last-call-extend") == 1) == (name == "Anna"), f"{name} may extend it or not")
        first = page.text("last-call-left")
        room.until(lambda: page.is_seen("last-call") and page.text("last-call-left") < first, "it counts down")
    if room.hub.is_real:
        room.until_told("timer", state="alert")
    room.turn_to("Anna")
    page.click("last-call-extend")
    room.until(lambda: left() and left() > 600, "ten minutes more")
    for name in ("Anna", "Pia"):
        room.turn_to(name)
        room.until(lambda: not page.is_seen("last-call"), "no countdown any more")


def on_air(room):
    """the session goes on air at addresses, whose keys nobody is shown, and off air when it is asked"""
    room.begin("Bern")
    page = room.join("host")
    room.fill("addresses", "rtmp://one.example/live/key1\n\n rtmps://two.example/live/key2 \n")
    page.click("go-live")
    room.until(lambda: page.text("air-state") == "Waiting for a worker, 2 addresses", "on air")
    job = room.state()["onAir"]
    expect((job["state"], job["outputs"]) == ("waiting", 2), f"the job is {job}")
    room.until(lambda: page.run("return document.getElementById('addresses').value") == "", "no addresses in their field")
    expect("key1" not in str(room.state()) and "key1" not in str(room.events.told), "the keys are shown to all")
    page.click("off-air")
    room.confirm("Go off air")
    room.until(lambda: room.state()["onAir"]["state"] == "over" and page.is_seen("air-form"), "off air")


def ended(room):
    """the session is ended for all after two questions, and everybody is told"""
    room.begin("Bern")
    room.join("participant")
    page = room.join("host")
    page.click("end")
    page.click("sure-no")
    page.click("end")
    room.confirm("End the session for all")
    room.until(lambda: "Really" in page.text("sure-heading"), "the second question")
    expect(room.member("Pia") is not None, "it has ended after one question")
    room.confirm("Really")
    for name in ("Anna", "Pia"):
        room.turn_to(name)
        room.until(lambda: "ended the session for all" in page.text("farewell"), f"{name} is told of the end")
    expect(refusal(room.state) == (410, "sessionOver"), "the hub has not ended it")
    room.until(lambda: room.boxes["Bern"].refusal == "sessionOver", "the boxes are told")


def waiting(room):
    """a participant who is there first waits for the host, and comes in when the session begins"""
    page = room.visit("participant")
    room.enter("Pia")
    room.until(lambda: "has not begun yet" in page.text("join-why") and page.is_seen("stop-waiting"), "that it waits")
    room.begin()
    room.until(lambda: page.is_seen("room"), "the room, once it is there")
    expect(page.text("who") == "Pia, participant", f"it says {page.text('who')}")


def superseded(room):
    """a second tab with the same member takes the place of the first, which does not come back by itself"""
    room.begin()
    page = room.join("participant")
    kept, me = page.run("return Object.entries(sessionStorage)"), room.id_of("Pia")
    page.open_window()
    room.return_as("Pia", kept)
    room.until(lambda: page.is_seen("room"), "the room")
    room.turn_to("Pia")
    room.until(lambda: page.is_seen("farewell") and "another tab" in page.text("farewell"), "that it was superseded")
    expect(page.focused() == "farewell-text", "the focus is elsewhere")
    expect([one["id"] for one in room.state()["members"] if one["kind"] == "person"] == [me], "it is another member")


def new_token(room):
    """before a token ends the page warns; with a new one the host stays in, and stays host"""
    room.begin("Bern")
    page = room.join("host", lasts=3600)
    expect(not page.is_seen("token-ends"), "it warns too early")
    # Meanwhile the token of somebody else ends.
    room.join("participant", lasts=12)
    page = room.join("host", "Hanna", lasts=50)
    expect(page.text("who") == "Hanna, participant", "a second host's token takes the role")
    room.turn_to("Anna")
    room.command("host", "Hanna")
    room.confirm("host")
    room.turn_to("Hanna")
    room.until(lambda: "Hanna, host" in page.text("who"), "the role")
    room.until(lambda: page.is_seen("token-ends") and "Your token ends at" in page.text("token-ends-text"), "the warning")
    former = room.id_of("Hanna")
    page.click("renew-token")
    page.keys(room.hub.token("host", room.name, "Hanna again"), Keys.ENTER)
    room.until(lambda: not page.is_seen("token-dialog") and "Hanna, host" in page.text("who"), "the role with the new token")
    state = room.state()
    expect(state["host"] not in (former, None) and former not in [one["id"] for one in state["members"]],
           "the hub does not have its host with the new token")
    room.until(lambda: not page.is_seen("token-ends"), "no more warning")
    room.turn_to("Pia")
    room.until(lambda: page.is_seen("token-dialog"), "the question once the token has ended")
    expect("has expired" in page.text("token-why"), f"it says {page.text('token-why')}")
    page.keys(room.hub.token("participant", room.name, "Pia again"), Keys.ENTER)
    room.until(lambda: not page.is_seen("token-dialog") and not page.is_seen("token-ends"), "no more warning")
    room.until(lambda: page.is_seen("room") and not page.is_seen("connection"), "the room")
    expect(room.observer.ask(room.observer.session, headers=room.identity())["members"], "the hub does not let it see")


# What a fake hub does not do. The role passes on half a minute after the host has gone, so others are checked meanwhile.


def host_goes(room):
    """a host whose page is gone without a word is host until half a minute has passed"""
    room.begin("Bern")
    page = room.join("host")
    room.kept = page.run("return Object.entries(sessionStorage)")
    room.me = room.id_of("Anna")
    page.driver.get("about:blank")
    expect(room.state()["host"] == room.me, "it is not host any more")
    room.hub.absence, room.stays = room, True


def host_comes_back(room):
    """a host who was away too long is offered the role back by the page, and reclaims it from its heir"""
    if room.hub.absence is None:
        host_goes(room)
    room, room.hub.absence = room.hub.absence, None
    room.stays = False
    page = room.browser
    room.until(lambda: room.state()["host"] == room.id_of("Regie"), "the heir")
    room.return_as("Anna", room.kept)
    room.until(lambda: page.is_seen("room") and page.is_seen("reclaiming"), "the offer to be host again")
    expect(page.text("who") == "Anna, participant" and present(page) == PARTICIPANT, "it has the role without asking")
    page.click("reclaim")
    room.until_state(host=room.me)
    room.until_told("hostChanged", why="reclaimed")
    room.until(lambda: not page.is_seen("reclaiming") and present(page) == HOST, "a host's commands")
    room.close()


ALL = [permitted, documented_refusals, members, all_muted, participant, locks, password, time_limit, on_air, ended, waiting,
       superseded, new_token]
REAL_FIRST = [host_goes]
REAL_LAST = [host_comes_back]
