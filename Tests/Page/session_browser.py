"""A browser on the page of a session, and what the checks ask of it."""
from fake_states import hall
from page_browser import HERE, PATIENCE, Failure, expect
from selenium.webdriver.common.by import By

AXE = HERE.parents[1] / ".build/axe"
NAME = "Hall"


class SessionPage:
    """One run of a check: a browser, and the hub whose page it looks at."""

    def __init__(self, browser, hub, folder):
        self.browser, self.hub, self.folder = browser, hub, folder
        browser.url = hub.url
        hub.prepare()

    def picture(self, name, **how):
        self.browser.picture(self.folder / f"session-{name}.png", **how)

    def open(self, address):
        """Opens the page afresh, without what the last one has kept."""
        page = self.browser
        if page.driver.current_url.startswith("http"):
            page.run("sessionStorage.clear(); localStorage.clear()")
        page.driver.get("about:blank")
        page.driver.get(address)
        page.until(lambda: page.is_seen("lobby"), "the form")
        return page

    def enter(self, person="Anna", password=None):
        page = self.browser
        self.fill("display-name", person)
        if password is not None:
            self.fill("password", password)
        page.click("join")

    def fill(self, name, text):
        field = self.browser.driver.find_element(By.ID, name)
        field.clear()
        field.send_keys(text)

    def until(self, holds, what, limit=PATIENCE):
        self.browser.until(holds, what, limit)

    # Members.

    def open_member(self, name):
        page = self.browser
        page.driver.find_element(By.CSS_SELECTOR, f"#member-list [data-id='{self.id_of(name)}'] .member-button").click()
        self.until(lambda: page.is_seen("member-dialog"), f"the dialog of {name}")

    def close_member(self):
        """In one step, because it closes by itself when the member goes."""
        self.browser.run("if (document.getElementById('member-dialog').open) document.getElementById('member-close').click()")

    def press(self, command):
        self.browser.driver.find_element(By.CSS_SELECTOR, f"#member-commands [data-command='{command}']").click()

    def commands(self):
        return self.browser.run(
            "return [...document.querySelectorAll('#member-commands button')].map((one) => one.dataset.command)"
            ".concat(document.getElementById('new-name') ? ['rename'] : [])")

    def tiles(self):
        """The place of each tile on the screen, by member."""
        return self.browser.run(
            "return Object.fromEntries([...document.querySelectorAll('.tile')].map((tile) => {"
            " const box = tile.getBoundingClientRect();"
            " return [tile.dataset.member, [box.left, box.top, box.width, box.height].map(Math.round)] }))")

    def playing(self):
        """The time of each tile's picture that plays."""
        return self.browser.run(
            "return Object.fromEntries([...document.querySelectorAll('.tile video')]"
            ".filter((video) => !video.paused && video.videoWidth > 0 && video.checkVisibility())"
            ".map((video) => [video.closest('.tile').dataset.member, video.currentTime]))")

    def too_wide(self):
        """What reaches over the window's edge."""
        return self.browser.run(
            "const wide = document.documentElement.scrollWidth;"
            "return [...document.querySelectorAll('body *')].filter((node) => node.checkVisibility()"
            " && !node.closest('svg *, .unseen') && node.getBoundingClientRect().right > innerWidth + 0.5)"
            ".map((node) => node.id || node.className || node.tagName)"
            ".concat(wide > innerWidth ? [`all: ${wide}`] : [])")

    def axe(self, what):
        """What is not accessible."""
        script = next(AXE.glob("lib/*/site-packages/*/axe.min.js"), None)
        if script is None:
            raise Failure("axe-core is missing: .ci/install pypi")
        self.browser.run(script.read_text())
        # A second or two, but for a machine that is busy with something else.
        self.browser.driver.set_script_timeout(5 * PATIENCE)
        found = self.browser.driver.execute_async_script(
            "const done = arguments[arguments.length - 1];"
            "axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => done("
            "violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 120)}"
            " ${node.failureSummary.slice(0, 160)}`))), (error) => done([String(error)]))")
        self.browser.driver.set_script_timeout(PATIENCE)
        expect(found == [], f"{what}: {found[:4]}")


class Room(SessionPage):
    """With a session of the fake hub, which a script has put into some state."""

    def prepare(self, script=hall, name=NAME):
        self.session = self.hub.session(name)
        script(self.session)
        return self.session

    def visit(self, role="host", name=NAME, **token):
        return self.open(self.hub.address(name, role, **token))

    def join(self, role="host", person="Anna", name=NAME, **token):
        """A manager comes by a participant's token, and is made one."""
        page = self.visit("participant" if role == "manager" else role, name, **token)
        self.enter(person)
        page.until(lambda: page.is_seen("room"), "the room")
        if role == "manager":
            with self.session.lock:
                self.session.members[self.me()]["role"] = "manager"
                self.session.tell("managerMade", member=self.me())
            page.until(lambda: "manager" in page.text("who"), "the role")
        return page

    def me(self):
        """The id of the person whose page it is."""
        return next(one for one, member in self.session.members.items() if "_identity" in member)

    def id_of(self, name):
        return next(one for one, member in self.session.members.items() if member["name"] == name)
