"""A visit to the try-it page in a real Chromium."""

import base64
import re
import shutil
import sys
from pathlib import Path

BROWSERS = ["chromium", "chromium-browser", "google-chrome"]
PATIENCE_MS = 30_000
AXE = Path(sys.prefix, "clients", "node_modules", "axe-core", "axe.min.js")
DESKTOP = {"viewport": {"width": 1280, "height": 900}}
DARK = {**DESKTOP, "color_scheme": "dark"}
PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True, "device_scale_factor": 2}
# A picture of 1 × 1 px, in place of ninety hands where a test is about something else.
BLANK = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABpfZFQAAAAABJRU5ErkJggg=="
)

DROP = """([bytes, name]) => {
    const data = new DataTransfer();
    data.items.add(new File([Uint8Array.from(atob(bytes), (character) => character.charCodeAt(0))], name));
    document.body.dispatchEvent(new DragEvent("dragover", { dataTransfer: data, bubbles: true, cancelable: true }));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
}"""


def launch(playwright):
    path = next(filter(None, map(shutil.which, BROWSERS)))
    return playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])


class Visit:
    """One window on the page."""

    def __init__(self, browser, job, fragment=None, has_specimens=True, **options):
        self.context = browser.new_context(accept_downloads=True, **(options or DESKTOP))
        self.page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE_MS)
        self.complaints = []
        self.page.on("console", lambda message: self.note(message))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        if not has_specimens:
            self.leave_out_specimens()
        self.page.goto(f"{job['address']}/#{fragment or ''}key={job['key']}")
        self.page.wait_for_selector("#preview:not([hidden])")

    def note(self, message):
        # A refusal that the page shows is also an error of the console, and so is one of a service that is busy, or that has
        # drawn enough for this key on a busy machine: the page asks it again.
        if message.type == "error" and not re.search("status of (422|429|503)", message.text):
            self.complaints.append(message.text)

    def leave_out_specimens(self):
        """From now on the picture of all hands is blank and costs nothing."""
        self.page.route("**/specimens.png*", lambda route: route.fulfill(content_type="image/png", body=BLANK))

    def picture(self):
        return self.page.get_attribute("#preview", "src")

    def after(self, act):
        """Does something, and waits until the picture is another and up to date."""
        before = self.picture()
        act()
        self.page.wait_for_function("before => document.getElementById('preview').src !== before", arg=before)
        self.page.wait_for_selector("#sheet:not(.stale)[aria-busy=false]")

    def tab(self, name):
        self.page.click(f"#tab-{name}")

    def open(self, group):
        """Opens a group of «More»."""
        self.tab("more")
        details = self.page.locator(f"details[data-group='{group}']")
        if details.get_attribute("open") is None:
            details.locator("summary").click()

    def choose(self, name, value):
        """Chooses one of the radio buttons of this name."""
        self.page.check(f"input[name='{name}'][value='{value}']")

    def paper(self, name):
        """Chooses a paper or a mail piece."""
        self.page.click("#paper-button")
        self.page.click(f"#papers .paper:has(input[value='{name}'])")

    def drop(self, content, name):
        """Drops a file on the page."""
        self.page.evaluate(DROP, [base64.b64encode(content).decode(), name])

    def download(self, kind, path):
        self.tab("files")
        self.choose("kind", kind)
        with self.page.expect_download() as download:
            self.page.click("#download")
        download.value.save_as(path)
        return download.value.suggested_filename

    def violations(self):
        """What axe-core finds on the page as it is."""
        self.page.evaluate(AXE.read_text())
        found = self.page.evaluate("() => axe.run(document, {resultTypes: ['violations']})")["violations"]
        return [f"{rule['id']}: {node['html'][:120]}" for rule in found for node in rule["nodes"]]
