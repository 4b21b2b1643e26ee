"""The machine's USB stick, which the checks mount, pull out and put back, and its images after a power cut."""
import contextlib
import glob
import os
import subprocess

from device_host import ask_monitor
from device_losses import await_condition

MOUNT_POINT = "/mnt/stick"
MAKE = {"vfat": ["mkfs.vfat"], "ext4": ["mkfs.ext4", "-q", "-F"]}


class Stick:
    """One with this file system, mounted while it is plugged in."""

    def __init__(self, system):
        self.system = system

    def __enter__(self):
        os.makedirs(MOUNT_POINT, exist_ok=True)
        await_condition("the stick", devices)
        run(*MAKE[self.system], devices()[0])
        self.mount()
        os.makedirs(f"{MOUNT_POINT}/recordings")
        run("sync")
        return self

    def __exit__(self, *_):
        unmount()
        if not devices():
            plug_in()

    def mount(self):
        run("mount", "-t", self.system, devices()[0], MOUNT_POINT)

    def pull(self):
        """Pulls it out, and unmounts what is left of it, as a desktop or systemd does."""
        ask_monitor("device_del stick")
        await_condition("the stick's end", lambda: not devices())
        unmount()

    def put_back(self):
        """Plugs it in again, which may give it another name, and mounts it at the same place."""
        plug_in()
        self.mount()

    @property
    def recordings(self):
        return sorted(glob.glob(f"{MOUNT_POINT}/recordings/*.mp4"))


@contextlib.contextmanager
def mounted(image, system, *options):
    """Mounts an image in the stick's place."""
    run("mount", "-t", system, "-o", ",".join(["loop", *options]), image, MOUNT_POINT)
    try:
        yield
    finally:
        unmount()


def devices():
    return sorted(glob.glob("/dev/sd?"))


def plug_in():
    ask_monitor("device_add usb-storage,id=stick,drive=stick,bus=usb.0")
    await_condition("the stick's return", devices)


def unmount():
    while os.path.ismount(MOUNT_POINT):
        # Without waiting for those who use it, as it is not there any more.
        run("umount", "-l", MOUNT_POINT)


def run(*command):
    subprocess.run(command, check=True, timeout=60, stdout=subprocess.DEVNULL)
