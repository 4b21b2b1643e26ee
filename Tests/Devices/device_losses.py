"""What the checks pull out of the machine and put back, while the program uses it."""
import contextlib
import fcntl
import glob
import os
import struct
import threading
import time

from device_host import Failure, ask_monitor
from device_runs import moment
from device_verdicts import NOTICE_LIMIT, RETURN_LIMIT

#: How long something stands in, and how long a device runs after its return, where a check says nothing else.
AWAY = 2.0


class Device:
    """One that can be lost and given back, as the check sees it."""

    def __init__(self, track, lose, give_back, is_there, is_used=lambda: True):
        self.track, self.is_there, self.is_used = track, is_there, is_used
        self.losing, self.giving_back = lose, give_back

    def lose(self, verdicts, run):
        """Pulls it out, and waits until that is told."""
        count = len(run.events_named("device", track=self.track, state="lost"))
        began = time.time()
        # It may wait until the users of the device have closed it.
        losing = self.losing()
        event = run.await_event("device", count + 1, track=self.track, state="lost")
        delay = moment(event) - began
        verdicts.expect(delay <= NOTICE_LIMIT, f"the loss of {self.track} is told after {delay:.2f} s")
        verdicts.expect(event["cause"], "the event of the loss has no cause")
        wait(losing, "lose")
        await_condition(f"{self.track} goes", lambda: not self.is_there())
        return delay

    def give_back(self):
        """Plugs it in again, and answers when it was there."""
        wait(self.giving_back(), "return")
        await_condition(f"{self.track} returns", self.is_there)
        return time.time()

    def come_back(self, verdicts, run):
        """Plugs it in again, and waits until that is told."""
        count = len(run.events_named("device", track=self.track, state="back"))
        there = self.give_back()
        event = run.await_event("device", count + 1, track=self.track, state="back")
        delay = moment(event) - there
        verdicts.expect(delay <= RETURN_LIMIT, f"the return of {self.track} is told after {delay:.2f} s")
        await_condition(f"{self.track} gives something", self.is_used)
        return delay


class Rival:
    """Another program that takes the camera as soon as it is there."""

    # VIDIOC_REQBUFS for two mapped buffers of a capturing device: who has them is the camera's user.
    REQUEST = 0xC0145608

    def __init__(self, device):
        giving_back = device.giving_back()
        limit = time.monotonic() + 20
        self.file = None
        while self.file is None:
            if time.monotonic() > limit:
                raise Failure("the camera does not return")
            try:
                self.file = os.open("/dev/video0", os.O_RDWR)
            except OSError:
                continue
        try:
            fcntl.ioctl(self.file, self.REQUEST, struct.pack("5I", 2, 1, 1, 0, 0))
            self.has_it = True
        except OSError:
            self.has_it = False
        wait(giving_back, "return")

    def leave(self):
        os.close(self.file)


@contextlib.contextmanager
def held(path):
    """Keeps a device's file open, so that its number stays taken when it goes; at the end it gets it again."""
    file = os.open(path, os.O_RDWR)
    try:
        yield
    finally:
        os.close(file)
        wait(camera.losing(), "lose")
        camera.give_back()


def restore():
    """Every device is there for the next check, however this one ended."""
    for device in (camera, microphone, card):
        if not device.is_there():
            device.give_back()
            time.sleep(0.5)


def wait(action, what):
    """Waits for the end of an action of the kernel's, which takes as long as it takes."""
    action.join(20)
    if action.is_alive():
        raise Failure(f"{what} does not come back")


def await_condition(name, holds):
    limit = time.monotonic() + 15
    while not holds():
        if time.monotonic() > limit:
            raise Failure(f"{name}: nothing comes of it")
        time.sleep(0.02)


def sound_cards():
    with open("/proc/asound/cards") as file:
        return file.read()


def is_played():
    """Whether the tone that the microphone hears is played again."""
    for path in glob.glob("/proc/asound/Loop/pcm0p/sub*/status"):
        with open(path) as file:
            if "RUNNING" in file.read():
                return True
    return False


def cameras():
    """The files that the camera has now; the loopback camera is another one."""
    names = map(os.path.basename, glob.glob("/sys/devices/platform/vivid.0/video4linux/video*"))
    return sorted(path for path in map("/dev/{}".format, names) if os.path.exists(path))


def driver(name, device, action):
    """Binds a device to its driver, or takes it away from it, which may wait until its users have closed it."""
    return lambda: done(lambda: write(f"/sys/bus/platform/drivers/{name}/{action}", device))


def write(path, text):
    with open(path, "w") as file:
        file.write(text)


def plug(words):
    return lambda: done(lambda: ask_monitor(words))


def done(action):
    thread = threading.Thread(target=action, daemon=True)
    thread.start()
    return thread


camera = Device(
    "video", driver("vivid", "vivid.0", "unbind"), driver("vivid", "vivid.0", "bind"), lambda: bool(cameras()))
microphone = Device(
    "audio", driver("snd_aloop", "snd_aloop.0", "unbind"), driver("snd_aloop", "snd_aloop.0", "bind"),
    lambda: "Loop" in sound_cards(), is_played)
card = Device(
    "audio", plug("device_del es0"), plug("device_add ES1370,id=es0,bus=rp0,audiodev=a0"),
    lambda: "AudioPCI" in sound_cards())
