"""A headless Chromium that is driven over a pipe, by the DevTools protocol: https://chromedevtools.github.io."""

import base64
import contextlib
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import time

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
OPTIONS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--remote-debugging-pipe",
)
PATIENCE = 60
START = """
import os, sys
ends = [os.dup2(int(end), 100 + place) for place, end in enumerate(sys.argv[1:3])]
for place, end in enumerate(ends):
    os.dup2(end, 3 + place)
os.execv(sys.argv[3], sys.argv[3:])
"""
"""Starts what follows with the two ends of pipes as the descriptors 3 and 4, where the browser expects them."""


def find():
    """The program; None where there is none."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


class Chromium:
    """One browser with one page."""

    def __init__(self, program, folder):
        there, self._out = os.pipe()
        self._in, here = os.pipe()
        options = (*OPTIONS, f"--user-data-dir={folder}", "about:blank")
        command = [sys.executable, "-I", "-c", START, str(there), str(here), program, *options]
        quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self._process = subprocess.Popen(command, pass_fds=(there, here), start_new_session=True, **quiet)
        os.close(there)
        os.close(here)
        self._left, self._last, self._session = b"", 0, None
        self.events = []
        target = self("Target.createTarget", url="about:blank")["targetId"]
        self._session = self("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network", "Accessibility"):
            self(f"{domain}.enable")

    def __call__(self, method, **params):
        """Call a method and give its result."""
        self._last += 1
        message = {"id": self._last, "method": method, "params": params}
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        answer = self._until(lambda found: found.get("id") == self._last)
        assert "error" not in answer, (method, answer["error"])
        return answer["result"]

    def open(self, address, width=1280, height=900, scheme="light", media="screen"):
        """Load a page, at that width of the window in CSS pixels."""
        self.events.clear()
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        self("Emulation.setDeviceMetricsOverride", **metrics)
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self("Emulation.setEmulatedMedia", media=media, features=features)
        self("Page.navigate", url=address)
        self._until(lambda found: found.get("method") == "Page.loadEventFired")

    def value(self, expression):
        """What an expression gives in the page."""
        found = self("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")

    def complaints(self):
        """Everything that was logged, to the console or by the browser itself."""
        names = ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded")
        return [found["params"] for found in self.events if found.get("method") in names]

    def requests(self):
        """The addresses that were asked for."""
        sent = [found for found in self.events if found.get("method") == "Network.requestWillBeSent"]
        return [found["params"]["request"]["url"] for found in sent]

    def roles(self):
        """The nodes that assistive technology meets: (role, name) in order."""
        nodes = self("Accessibility.getFullAXTree")["nodes"]
        shown = [node for node in nodes if not node["ignored"]]
        return [(node["role"]["value"], node.get("name", {}).get("value", "")) for node in shown]

    def screenshot(self, path):
        """Write the whole page as a picture."""
        size = self("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}
        made = self("Page.captureScreenshot", captureBeyondViewport=True, clip=clip)
        path.write_bytes(base64.b64decode(made["data"]))

    def pdf(self):
        """The page as it is printed."""
        return base64.b64decode(self("Page.printToPDF", preferCSSPageSize=True)["data"])

    def close(self):
        """End the browser, and all processes that it started."""
        os.close(self._out)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait(PATIENCE)
        os.close(self._in)

    def _until(self, wanted):
        """The next message that is wanted; all messages on the way are kept."""
        ends = time.monotonic() + PATIENCE
        while True:
            message = json.loads(self._message(ends))
            self.events.append(message)
            if wanted(message):
                return message

    def _message(self, ends):
        while b"\0" not in self._left:
            ready, _, _ = select.select([self._in], [], [], max(0.0, ends - time.monotonic()))
            assert ready, "the browser does not answer"
            data = os.read(self._in, 1 << 16)
            assert data, "the browser has ended"
            self._left += data
        whole, self._left = self._left.split(b"\0", 1)
        return whole
