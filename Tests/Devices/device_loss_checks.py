"""The checks of devices that go away while the program records, and come back."""
import time

import device_runs
from device_host import Failure
from device_losses import AWAY, Rival, camera, cameras, card, held, microphone
from device_runs import Publishing, moment
from device_verdicts import (
    NOTICE_LIMIT, RETURN_LIMIT, expect_absences, expect_bars, expect_no_interruption, expect_one_broadcast,
    expect_return, expect_time_stood_still, expect_whole, joined, length)

CAMERA = "/dev/video0"
# AAC takes an emulated machine four times as long as Opus does, and this is about devices.
OPUS = ["--audio-codec", "opus", "--audio-bitrate", "32k"]
BOTH = ["--video", f"camera:{CAMERA}", "--audio", "mic:hw:Loop,1", *OPUS]


def go_away(verdicts, run, device):
    """While it records, a device is pulled out and put back: it goes on without it, and then with it again."""
    run.await_live()
    lost = device.lose(verdicts, run)
    time.sleep(AWAY)
    back = device.come_back(verdicts, run)
    time.sleep(AWAY)
    verdicts.note(f"loss told after {lost * 1000:.0f} ms, return after {back * 1000:.0f} ms")
    expect_end(verdicts, run)
    expect_no_interruption(verdicts, run)
    expect_once(verdicts, run, device.track)


def expect_end(verdicts, run):
    verdicts.expect(run.process.poll() is None, "it has ended by itself")
    verdicts.expect(run.stop() == 0, "its status is not 0")
    verdicts.expect(len(run.events_named("ended", reason="stopped")) == 1, "it does not say that it was stopped")
    expect_one_broadcast(verdicts, run)
    expect_whole(verdicts, run)


def expect_recorded(verdicts, run):
    """The recording shows what the gaps tell of, and both devices at its end."""
    expect_absences(verdicts, run)
    expect_return(verdicts, run)


def expect_once(verdicts, run, track):
    """Only this track's device went, once."""
    states = [(event["track"], event["state"]) for event in run.events_named("device") if event["state"] != "open"]
    verdicts.expect(states == [(track, "lost"), (track, "back")], f"the devices' events are {states}")
    other = {"video": "audio", "audio": "video"}[track]
    verdicts.expect(not run.absences(other), f"gaps tell that the device of {other} was away")
    lost, back = (moment(run.events_named("device", track=track, state=state)[0]) for state in ("lost", "back"))
    told = joined(run.absences(track), 0.05)
    verdicts.expect(
        len(told) == 1 and abs(length(told) - (back - lost)) <= 0.3,
        f"gaps tell of {length(told):.2f} s, it was away for {back - lost:.2f} s")


def camera_fails(verdicts):
    """a camera that fails for good is taken anew, and a slate stands in meanwhile"""
    with Publishing("camera-fails", *BOTH) as run:
        run.await_live()
        device_runs.set_camera("inject_fatal_streaming_error", 1)
        began = time.time()
        lost = moment(run.await_event("device", track="video", state="lost")) - began
        back = moment(run.await_event("device", track="video", state="back")) - began
        verdicts.note(f"told {lost * 1000:.0f} ms after the command's end, taken anew after {back * 1000:.0f} ms")
        verdicts.expect(lost <= NOTICE_LIMIT and back <= RETURN_LIMIT, "that is late")
        time.sleep(AWAY)
        expect_end(verdicts, run)
        expect_no_interruption(verdicts, run)
        expect_once(verdicts, run, "video")
        expect_recorded(verdicts, run)


def camera_lost(verdicts):
    """a slate stands in for a camera that is pulled out, until it is back"""
    with Publishing("camera-lost", *BOTH) as run:
        go_away(verdicts, run, camera)
        expect_recorded(verdicts, run)


def microphone_lost(verdicts):
    """silence stands in for a microphone that is pulled out, until it is back"""
    with Publishing("microphone-lost", *BOTH) as run:
        go_away(verdicts, run, microphone)
        expect_recorded(verdicts, run)


def card_lost(verdicts):
    """silence stands in for a sound card that is pulled out of its slot, until it is back"""
    with Publishing("card-lost", "--video", f"camera:{CAMERA}", "--audio", "mic:hw:AudioPCI,0", *OPUS) as run:
        go_away(verdicts, run, card)
        # It captures silence only, so nothing but the events tells when it was away.
        verdicts.note(f"told {length(run.absences('audio')):.2f} s")
        expect_bars(verdicts, run)


def both_lost(verdicts):
    """without camera and microphone it is interrupted, and the first that is back ends that"""
    with Publishing("both-lost", *BOTH) as run:
        run.await_live()
        for count, (first, second) in enumerate([(camera, microphone), (microphone, camera)], start=1):
            delays = [camera.lose(verdicts, run), microphone.lose(verdicts, run)]
            began = run.await_event("interrupted", count)
            time.sleep(AWAY)
            back = moment(run.events_named("interrupted")[-1])
            delays.append(first.come_back(verdicts, run))
            run.await_event("resumed", count)
            time.sleep(AWAY)
            delays.append(second.come_back(verdicts, run))
            time.sleep(AWAY)
            verdicts.expect(began["cause"] == "device" and back == moment(began), "it is interrupted otherwise")
            verdicts.note("told after " + ", ".join(f"{delay * 1000:.0f}" for delay in delays) + " ms")
        expect_end(verdicts, run)
        verdicts.expect(len(run.events_named("interrupted")) == 2, "there are not two interruptions")
        expect_time_stood_still(verdicts, run)
        expect_recorded(verdicts, run)


def twenty_times(verdicts):
    """twenty times out and back, each of them or both, is one broadcast and one recording"""
    with Publishing("twenty-times", *BOTH) as run:
        run.await_live()
        lost, back, counts = [], [], []
        for turn in range(20):
            devices = [[camera], [microphone], [camera, microphone], [microphone, camera]][turn % 4]
            lost += [device.lose(verdicts, run) for device in devices]
            time.sleep(0.6)
            back += [device.come_back(verdicts, run) for device in devices]
            time.sleep(1)
            counts.append((len(run.open_files), run.threads))
        (files, threads), (last_files, last_threads) = counts[3], counts[-1]
        verdicts.note(
            f"losses told after {min(lost) * 1000:.0f} to {max(lost) * 1000:.0f} ms, "
            f"returns after {min(back) * 1000:.0f} to {max(back) * 1000:.0f} ms, "
            f"{len(last_threads)} threads, {last_files} descriptors")
        verdicts.expect(last_files <= files, f"descriptors: {[count for count, _ in counts]}")
        verdicts.expect(last_threads == threads, f"threads were {threads}, are {last_threads}")
        expect_end(verdicts, run)
        states = [event["state"] for event in run.events_named("device")]
        verdicts.expect(states.count("lost") == states.count("back") == 30, f"the devices' events are {states}")
        gaps = run.events_named("ended")[0]["gaps"]
        verdicts.expect(gaps == len(run.events_named("gap")), f"{gaps} gaps are counted at the end")
        expect_time_stood_still(verdicts, run)
        expect_recorded(verdicts, run)


def another_number(verdicts):
    """a camera that comes back as another /dev/videoN is found"""
    with Publishing("another-number", *BOTH) as run:
        run.await_live()
        with held(CAMERA):
            camera.lose(verdicts, run)
            time.sleep(AWAY)
            back = camera.come_back(verdicts, run)
            now = cameras()
            verdicts.note(f"{CAMERA} is {', '.join(now)} now, told after {back * 1000:.0f} ms")
            verdicts.expect(len(now) == 1 and now != [CAMERA], "its number is the same")
            verdicts.expect(now[0] in run.open_files, f"it uses {run.open_files}")
            time.sleep(AWAY)
            expect_end(verdicts, run)
        expect_no_interruption(verdicts, run)
        expect_once(verdicts, run, "video")
        expect_recorded(verdicts, run)


def busy_again(verdicts):
    """a camera that another program takes first is told to be busy, and taken when it is free"""
    with Publishing("busy-again", *BOTH) as run:
        run.await_live()
        for attempt in range(1, 6):
            camera.lose(verdicts, run)
            time.sleep(0.5)
            rival = Rival(camera)
            if rival.has_it:
                break
            rival.leave()
            run.await_event("device", attempt, track="video", state="back")
        else:
            raise Failure("the other program is always too late")
        asked = time.time()
        busy = run.await_event("device", track="video", state="busy")
        time.sleep(AWAY)
        free = time.time()
        rival.leave()
        back = moment(run.await_event("device", attempt, track="video", state="back"))
        time.sleep(AWAY)
        verdicts.note(
            f"told busy after {(moment(busy) - asked) * 1000:.0f} ms ({busy['cause']}), "
            f"back {(back - free) * 1000:.0f} ms after it was free")
        verdicts.expect(free <= back <= free + RETURN_LIMIT, "it is taken too early or too late")
        verdicts.expect(
            len(run.events_named("device", state="busy")) == 1, "busy is not told exactly once")
        expect_end(verdicts, run)
        expect_no_interruption(verdicts, run)
        expect_recorded(verdicts, run)


CHECKS = [
    camera_fails, camera_lost, microphone_lost, card_lost, both_lost, twenty_times, another_number, busy_again]
