"""A browser on the page, and what can be asked of it."""
import time
from pathlib import Path

from selenium import webdriver
from selenium.common.exceptions import ElementClickInterceptedException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

HERE = Path(__file__).resolve().parent
# Checks wait for what is to happen. This is for what never does, on the busiest machine.
PATIENCE = 60
PHONE = (360, 740)
SIDEWAYS = (740, 360)
PHONES = (PHONE, SIDEWAYS)
DESK = (1280, 800)
# Addresses that all lead to the first.
LOOPBACK = [f"127.0.0.{number}" for number in range(1, 5)]
# Runs before the page does, and keeps what it must not do.
WATCH = """
window.complaints = [];
addEventListener("securitypolicyviolation", (event) => complaints.push(`policy: ${event.violatedDirective}`));
addEventListener("error", (event) => complaints.push(`error: ${event.message}`));
addEventListener("unhandledrejection", (event) => complaints.push(`rejection: ${event.reason}`));
for (const name of ["alert", "confirm", "prompt"]) window[name] = () => complaints.push(`window.${name}`);
"""


class Failure(Exception):
    """What a check has found to be wrong."""


def expect(holds, what):
    if not holds:
        raise Failure(what)


class Browser:
    def __init__(self, url):
        self.url = url
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--hide-scrollbars",
                         "--window-size=1300,900",
                         # Windows at one address share six connections, which are three pages of a session.
                         "--host-resolver-rules=" + ",".join(f"MAP {name} 127.0.0.1" for name in LOOPBACK[1:])):
            options.add_argument(argument)
        if url.startswith("https:"):
            # Nobody but the check itself has signed for it.
            options.add_argument("--ignore-certificate-errors")
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
        self.driver.set_script_timeout(PATIENCE)
        # Of windows that are closed.
        self.found = []
        self.begin_window()

    def quit(self):
        self.driver.quit()

    # Windows: what is said of the page is said of the one that was last turned to.

    def begin_window(self):
        self.devtools("Page.enable")
        self.devtools("Page.addScriptToEvaluateOnNewDocument", source=WATCH)
        self.look()

    def open_window(self):
        self.driver.switch_to.new_window("window")
        self.begin_window()
        return self.window

    @property
    def window(self):
        return self.driver.current_window_handle

    def turn_to(self, window):
        self.driver.switch_to.window(window)

    def close_others(self):
        """All windows but the first."""
        first, *others = self.driver.window_handles
        for other in others:
            self.turn_to(other)
            self.found += self.run("return window.complaints?.splice(0) ?? []")
            self.driver.close()
        self.turn_to(first)

    def devtools(self, command, **arguments):
        return self.driver.execute_cdp_cmd(command, arguments)

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    # How it is looked at.

    def look(self, size=DESK, scheme="light", moves=True):
        width, height = size
        self.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                      mobile=size in PHONES)
        self.devtools("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": scheme},
            {"name": "prefers-reduced-motion", "value": "no-preference" if moves else "reduce"}])

    def open(self, token=None):
        """Opens the page afresh, without what the last one has kept."""
        if self.driver.current_url.startswith(self.url):
            self.run("sessionStorage.clear()")
        self.driver.get("about:blank")
        self.driver.get(self.url + "/" + (f"#token={token}" if token else ""))

    def picture(self, path, is_whole=True, scale=1):
        """The whole page, however long, or what of it is seen."""
        height = self.run("return document.documentElement.scrollHeight") if is_whole else 0
        size = self.run("return [innerWidth, innerHeight]")
        self.devtools("Emulation.setDeviceMetricsOverride", width=size[0], height=max(size[1], height),
                      deviceScaleFactor=scale, mobile=tuple(size) in PHONES)
        time.sleep(0.3)
        self.driver.save_screenshot(str(path))
        self.devtools("Emulation.setDeviceMetricsOverride", width=size[0], height=size[1], deviceScaleFactor=1,
                      mobile=tuple(size) in PHONES)

    # What is on it.

    def text(self, name):
        return self.run("return document.getElementById(arguments[0]).innerText", name)

    def is_seen(self, name):
        return self.run(
            "const node = document.getElementById(arguments[0]);"
            "return node !== null && node.checkVisibility() && node.getClientRects().length > 0", name)

    def is_enabled(self, name):
        return self.run("return !document.getElementById(arguments[0]).disabled", name)

    def attribute(self, name, attribute):
        return self.run("return document.getElementById(arguments[0]).getAttribute(arguments[1])", name, attribute)

    def focused(self):
        return self.run("return document.activeElement.id")

    def click(self, name):
        self.until(lambda: self.is_seen(name) and self.is_enabled(name)
                   and self.attribute(name, "aria-busy") != "true", f"{name} can be pressed")
        node = self.driver.find_element(By.ID, name)
        try:
            node.click()
        except ElementClickInterceptedException:
            # The bar over the pictures has gone meanwhile. Movement brings it back.
            ActionChains(self.driver, duration=0).move_to_element(node).move_by_offset(1, 1).perform()
            node.click()

    def choose(self, name, value):
        self.run(
            "const node = document.getElementById(arguments[0]); node.value = arguments[1];"
            "node.dispatchEvent(new Event('change', { bubbles: true }))", name, value)

    def keys(self, *keys):
        for key in keys:
            ActionChains(self.driver, duration=0).send_keys(key).perform()

    def tab_to(self, name, most=40):
        """Goes there by Tab alone, and says whether the focus can be seen."""
        for _ in range(most):
            self.keys(Keys.TAB)
            if self.focused() == name:
                outline = self.run(
                    "const style = getComputedStyle(document.activeElement);"
                    "return style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2")
                expect(outline, f"the focus on {name} can’t be seen")
                return
        raise Failure(f"Tab does not lead to {name}")

    def until(self, holds, what, limit=PATIENCE):
        end = time.monotonic() + limit
        while time.monotonic() < end:
            if holds():
                return
            time.sleep(0.05)
        shown = self.run("return document.body.innerText")
        raise Failure(f"not within {limit} s: {what}; the page says: {' | '.join(shown.split(chr(10)))[:700]}")

    def until_state(self, *words):
        self.until(lambda: self.text("state") in words, " or ".join(words))

    def complaints(self):
        """What the page has done wrong since the last look. That a request was refused is no fault of its own."""
        found, self.found = self.found, []
        found += self.run("return window.complaints?.splice(0) ?? []")
        for entry in self.driver.get_log("browser"):
            if entry["level"] in ("SEVERE", "WARNING") and entry["source"] != "network":
                found.append(f"{entry['source']}: {entry['message']}")
        return found

    def script(self, name):
        return self.run((HERE / name).read_text())

    def script_later(self, name):
        return self.driver.execute_async_script((HERE / name).read_text())
