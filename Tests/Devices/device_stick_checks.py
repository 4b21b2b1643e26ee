"""The checks of a recording on a USB stick: pulled out, put back, and after power cuts."""
import glob
import os
import shutil
import time

from device_host import cut_stick, stick_writes
from device_losses import AWAY
from device_runs import Publishing, Server, moment
from device_sticks import MOUNT_POINT, Stick, mounted

RECORDINGS = f"{MOUNT_POINT}/recordings"
SOURCES = ["--video", "test", "--audio", "tone", "--audio-codec", "opus", "--disk-reserve", "4M"]
#: A stick that is gone is told within this time, in seconds: what is written is synced once a second, and checked.
NOTICE_LIMIT = 3.0
#: The same for its return: it is tried again each 5 s at most.
RETURN_LIMIT = 7.0
#: What the recorder may lose of a stick: what was not synced, and the pictures up to the next keyframe.
LOSS_LIMIT = 2.5
#: How many power cuts are tried at most, and how many of them are followed by a start.
CUTS, STARTS = 120, 10


def pulled(verdicts, system):
    with Stick(system) as stick, Server("stick") as server, Publishing(
            f"stick-{system}", *SOURCES, "--gop", "1s", record=RECORDINGS, server=server) as run:
        lost = lose(verdicts, run, stick)
        time.sleep(AWAY)
        count = len(run.events_named("disk", state="writing"))
        stick.put_back()
        began = time.time()
        back = moment(run.await_event("disk", count + 1, state="writing")) - began
        verdicts.note(f"loss told after {lost:.1f} s, return after {back:.1f} s")
        verdicts.expect(back <= RETURN_LIMIT, f"the return is told after {back:.2f} s")
        time.sleep(AWAY)
        verdicts.expect(run.stop() == 0, "its status is not 0")
        expect_server_untouched(verdicts, run, server)
        expect_recordings(verdicts, run, stick)
        verdicts.expect(lost_at_recording(run, "video") <= LOSS_LIMIT, "more is lost than was not synced")


def lose(verdicts, run, stick):
    """Pulls the stick out of a broadcast that has recorded for a while; answers how long it takes to be told."""
    run.await_live()
    began = time.time()
    stick.pull()
    event = run.await_event("disk", state="failed")
    verdicts.expect(event["cause"], "the event of the loss has no cause")
    lost = moment(event) - began
    verdicts.expect(lost <= NOTICE_LIMIT, f"the loss is told after {lost:.2f} s")
    return lost


def stick_pulled(verdicts):
    """a stick that is pulled out and put back costs the recording what was not synced, and the server nothing"""
    pulled(verdicts, "vfat")


def stick_pulled_ext4(verdicts):
    """the same with ext4"""
    pulled(verdicts, "ext4")


def stick_gone(verdicts):
    """of a stick that does not return, what is missing is told, and the server lacks nothing"""
    with Stick("vfat") as stick, Server("stick") as server, Publishing(
            "stick-gone", *SOURCES, "--gop", "1s", record=RECORDINGS, server=server) as run:
        lose(verdicts, run, stick)
        time.sleep(2 * AWAY)
        verdicts.expect(run.stop() == 74, "its status is not 74")
        expect_server_untouched(verdicts, run, server)
        stick.put_back()
        expect_recordings(verdicts, run, stick)


def expect_server_untouched(verdicts, run, server):
    states = [event["state"] for event in run.events_named("output")]
    verdicts.expect(states == ["connecting", "publishing", "closed"], f"the output's states are {states}")
    told = sum(gap["lostMs"].get("video", 0) for gap in run.events_named("gap") if gap["output"] != "recording")
    pictures, wanted = server.recording.pictures, round(run.seconds * run.rate)
    verdicts.note(f"the server has {pictures} pictures + {told * run.rate / 1000:.0f} lost before of {wanted}")
    verdicts.expect(abs(pictures + told * run.rate / 1000 - wanted) <= 2, "pictures are missing at the server")


def expect_recordings(verdicts, run, stick):
    """What is on the stick is whole, and the gaps tell of what is missing there."""
    pictures = 0
    for path in stick.recordings:
        found = run.verify(path)
        verdicts.expect(found["ok"], f"verify finds fault with {os.path.basename(path)}: {found['defects']}")
        pictures += readable(found)
        shutil.copy(path, run.folder)
    told = sum(gap["lostMs"].get("video", 0) for gap in run.events_named("gap")
               if gap["output"] in (None, "recording")) * run.rate / 1000
    wanted = round(run.seconds * run.rate)
    verdicts.note(f"{len(stick.recordings)} files of {pictures} pictures + {told:.0f} told of {wanted}")
    verdicts.expect(abs(pictures + told - wanted) <= 2, "pictures are missing untold")


def readable(found):
    """The pictures whose marks can be read."""
    marks = found["marks"]
    return marks["pictures"] - marks["unreadable"] if marks else 0


def lost_at_recording(run, track):
    return sum(gap["lostMs"].get(track, 0) for gap in run.events_named("gap", output="recording")) / 1000


def power_cuts(verdicts):
    """after a power cut a FAT stick can be read to its end, and the next start records on"""
    # FAT has no sockets.
    environment = {"XDG_STATE_HOME": f"{MOUNT_POINT}/state", "XDG_RUNTIME_DIR": "/run"}
    with Stick("vfat"):
        first = stick_writes()
        with Publishing("power-cuts", *SOURCES, "--gop", "500ms", "--segment", "3s", "--duration", "8s",
                        record=RECORDINGS, environment=environment) as run:
            verdicts.expect(run.finish() == 0, "it fails")
        last = stick_writes()
    counts = range(first, last, (last - first) // CUTS + 1)
    unreadable = [count for count in counts if not is_readable(cut_stick(count, "cut"))]
    verdicts.note(f"{len(counts)} power cuts, {len(unreadable)} of them leave something unreadable, {STARTS} starts")
    verdicts.expect(len(counts) >= CUTS // 3, "too few writes to cut after")
    verdicts.expect(not unreadable, f"unreadable after writes {unreadable[:10]}")
    for number in range(1, STARTS + 1):
        count = first + (last - first) * number // (STARTS + 1)
        with mounted(cut_stick(count, f"start-{number}"), "vfat"):
            start(verdicts, count, environment)


def is_readable(image):
    """Whether the files on the image can be read from end to end."""
    with mounted(image, "vfat", "ro"):
        for path in glob.glob(f"{MOUNT_POINT}/**", recursive=True):
            if os.path.isfile(path):
                try:
                    with open(path, "rb") as file:
                        file.read()
                except OSError:
                    return False
    return True


def start(verdicts, count, environment):
    """The next start after a power cut."""
    with Publishing("power-cuts", *SOURCES, "--gop", "500ms", "--after-crash", "resume", record=RECORDINGS,
                    environment=environment) as run:
        run.await_event("recording", state="open")
        time.sleep(AWAY)
        verdicts.expect(run.stop() == 0, f"the start after write {count} fails: {run.complaints[-1:]}")
    for path in glob.glob(f"{RECORDINGS}/*.mp4"):
        # One of a broadcast whose journal was not on the disk yet may be left empty.
        if os.path.getsize(path):
            # What had not been synced may be garbled.
            defects = [defect for defect in run.verify(path)["defects"] if defect["kind"] != "garbled"]
            verdicts.expect(not defects, f"verify finds fault after write {count}: {defects}")


CHECKS = [stick_pulled, stick_pulled_ext4, stick_gone, power_cuts]
