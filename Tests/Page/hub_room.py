"""A session of a hub, fake or real, of which the checks know what it answers over HTTP and no more."""
from urllib.parse import quote

from hub_client import Events, HubClient, Member
from page_browser import LOOPBACK, expect
from session_browser import SessionPage

NAMES = {"host": "Anna", "manager": "Max", "participant": "Pia"}


class HubRoom(SessionPage):
    """Boxes are simulated; each person has a window of the browser."""

    def __init__(self, browser, hub, folder):
        super().__init__(browser, hub, folder)
        self.name, self.boxes, self.windows, self.events = hub.unused_name(), {}, {}, None
        # Whether it goes on while other checks are made.
        self.stays = False

    def close(self):
        if self.stays:
            return
        for box in self.boxes.values():
            box.is_over.set()
        for box in self.boxes.values():
            box.stop()
        if self.events:
            self.events.stop()

    def address(self, person):
        """Each person reaches the hub by an address of its own."""
        place = LOOPBACK[list(self.windows).index(person)]
        return f"{self.hub.url.replace(LOOPBACK[0], place)}/{quote(self.name)}"

    def client(self, name, role="participant", **token):
        return HubClient(self.hub.url, self.name, self.hub.token(role, self.name, name, **token))

    def begin(self, *names):
        """A box with a host's token begins the session, and is its host until a person with such a token comes."""
        self.add("Regie", "host")
        for name in names:
            self.add(name)
        self.events = Events(self.client("Observer", "host"))

    def add_later(self, name, role="participant"):
        """A box that has not joined yet."""
        self.boxes[name] = Member(self.client(name, role), name)
        return self.boxes[name]

    def add(self, name, role="participant"):
        return self.add_later(name, role).join()

    # People.

    def visit(self, role="participant", name=None, **token):
        """In the window of this person, a new one unless it is the first."""
        name = name or NAMES[role]
        if name in self.windows:
            self.turn_to(name)
        else:
            self.windows[name] = self.browser.open_window() if self.windows else self.browser.window
        return self.open(f"{self.address(name)}#token={self.hub.token(role, self.name, name, **token)}")

    def join(self, role="participant", name=None, **token):
        page = self.visit(role, name, **token)
        self.enter(name or NAMES[role])
        self.until(lambda: page.is_seen("room"), "the room")
        return page

    def join_all(self):
        """A host; a manager, who came by a participant's token and is made manager by the host; and a participant."""
        self.join("participant", NAMES["manager"])
        self.join("participant")
        page = self.join("host")
        self.command("manager", NAMES["manager"])
        self.until_member(NAMES["manager"], role="manager")
        self.close_member()
        for role, name in NAMES.items():
            self.turn_to(name)
            self.until(lambda: page.text("who") == f"{name}, {role}", f"the role {role}")
        return page

    def return_as(self, person, kept):
        """Opens the page with what this person's tab has kept."""
        address = self.address(person)
        # Another file of the hub's, whose storage is the page's.
        self.browser.driver.get(f"{address.rpartition('/')[0]}/page/icon.svg")
        self.browser.run("for (const [key, value] of arguments[0]) sessionStorage.setItem(key, value)", kept)
        self.browser.driver.get(address)

    def turn_to(self, name):
        self.browser.turn_to(self.windows[name])

    def identity(self):
        """The headers by which this window's member asks the hub."""
        return self.browser.driver.execute_async_script(
            "const done = arguments[0]; import('/page/hub.js').then(({ identity }) => done(identity()))")

    def command(self, command, name):
        """Presses it in the member's dialog, which stays open."""
        self.close_member()
        self.open_member(name)
        self.press(command)

    def confirm(self, text):
        self.until(lambda: text in self.browser.text("sure-heading") and self.browser.is_seen("sure-dialog"), text)
        self.browser.click("sure-yes")

    # What the hub says.

    @property
    def observer(self):
        """Asks by the token of the host that began the session."""
        return self.boxes["Regie"].client

    def state(self):
        return self.observer.state()

    def member(self, name):
        return next((one for one in self.state()["members"] if one["name"] == name), None)

    def id_of(self, name):
        return self.member(name)["id"]

    def until_member(self, name, **fields):
        def is_so():
            member = self.member(name)
            return member is not None and all(member[key] == value for key, value in fields.items())
        self.until(is_so, f"{name} is {fields} at the hub")

    def until_state(self, **fields):
        def is_so():
            state = self.state()
            return all(state[key] == value for key, value in fields.items())
        self.until(is_so, f"the session is {fields} at the hub")

    def until_told(self, event, **fields):
        self.until(lambda: self.events.has(event, **fields), f"the event {event} {fields}")

    def expect_told(self, event, **fields):
        expect(self.events.has(event, **fields), f"no event {event} {fields}: {self.events.told[-5:]}")
