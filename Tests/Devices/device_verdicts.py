"""What is expected of a run with real devices, and how it is said."""
import contextlib
import subprocess
import time

from device_runs import Failure, moment

AAC_FRAME = 1024 / 48000
#: A device that is pulled out has to be reported within this time, in seconds.
NOTICE_LIMIT = 1.2
#: Seconds of the tone that may be missing: at the beginning and the end, and beside each stretch of silence.
UNHEARD, UNHEARD_AT_GAP = 0.1, 0.005
#: How far the tracks' ends may lie apart when one device is pulled out: what was in its buffers is lost with it.
TAIL = 0.15
#: The same when the machine was too slow for the encoders: then whole queues are lost.
SLOW_TAIL = 1.0
#: Where the camera shows which colour: the bars, below the driver's text.
BARS = {20: (191, 191, 191), 60: (191, 191, 0), 100: (0, 191, 191), 140: (0, 191, 0), 180: (191, 0, 191),
        220: (191, 0, 0), 260: (0, 0, 191), 300: (0, 0, 0)}


class Verdicts:
    """Collects what a check finds, and says it on one line."""

    def __init__(self, name):
        self.name = name
        self.figures = []
        self.complaints = []

    def note(self, figure):
        self.figures.append(figure)

    def expect(self, holds, complaint):
        """`holds` has to be true; the complaint tells what was found instead."""
        if not holds:
            self.complaints.append(complaint)

    def say(self):
        if self.complaints:
            print(f"FAIL {self.name}: {'; '.join(self.complaints)} ({', '.join(self.figures)})", flush=True)
        else:
            print(f"ok   {self.name}: {', '.join(self.figures)}", flush=True)


def expect_pictures(verdicts, run, seconds):
    """The driver's pictures are in the file, or a gap event tells of them."""
    recording, lost = run.recording, run.lost_pictures
    wanted = round(seconds * run.rate)
    causes = "".join(f" + {count} {cause}" for cause, count in lost.items())
    verdicts.note(f"{recording.pictures} pictures{causes} of {wanted}")
    verdicts.expect(abs(recording.pictures + sum(lost.values()) - wanted) <= 2, "pictures are missing untold")
    verdicts.expect(recording.is_monotone("video"), "the pictures' times do not rise")


def expect_bars(verdicts, run):
    """The picture is the camera's: its bars have their colours."""
    seen = run.recording.colours(1, [(x, 160) for x in BARS])
    error = max(abs(a - b) for bar, colour in zip(BARS.values(), seen) for a, b in zip(bar, colour))
    verdicts.note(f"colours within {error}")
    verdicts.expect(error <= 24, f"the bars' colours are {seen}")


def expect_sound(verdicts, run, seconds):
    recording = run.recording
    length = recording.end("audio") - recording.start("audio")
    frequency, heard = recording.tone
    silence = f" + {run.lost_sound:.3f} s of silence" if run.lost_sound else ""
    verdicts.note(f"{length:.3f} s of sound: {heard:.3f} s of {frequency:.2f} Hz{silence}")
    verdicts.expect(abs(length - seconds) <= AAC_FRAME, f"the sound is not {seconds} s long")
    verdicts.expect(abs(frequency - 440) < 1, "it is not the tone of 440 Hz")
    unheard = UNHEARD + UNHEARD_AT_GAP * len(run.events_named("gap"))
    # More may be told: a stretch that is missing at the end is told to its own end, not to the recording's.
    verdicts.expect(heard + run.lost_sound >= seconds - unheard, "the tone breaks off untold")
    verdicts.expect(recording.is_monotone("audio"), "the sound's times do not rise")
    verdicts.expect(abs(recording.start("audio")) <= AAC_FRAME, "the sound does not begin at 0")


def expect_refusal(verdicts, run, device, *words):
    """It ends with status 66 and one line that names the device and says these words."""
    status = run.finish()
    verdicts.note(f"status {status}, {run.complaints[-1] if run.complaints else 'no complaint'}")
    verdicts.expect(status == 66, "the status is not 66")
    verdicts.expect(len(run.complaints) == 1, f"{len(run.complaints)} lines say why")
    for word in (device, *words):
        verdicts.expect(any(word in line for line in run.complaints), f"nothing is said of {word}")


def expect_loss(verdicts, run, track, device, pull):
    """While it records, the device is pulled out: it says so at once, ends, and keeps all it had."""
    run.await_live()
    pulled = time.time()
    with background(pull):
        expect_refusal(verdicts, run, device)
    lost = run.events_named("device", track=track, state="lost")
    verdicts.expect(len(lost) == 1, f"{len(lost)} events tell of the loss")
    for event in lost:
        delay = moment(event) - pulled
        verdicts.note(f"told after {delay * 1000:.0f} ms")
        verdicts.expect(delay <= NOTICE_LIMIT, "that is late")
    recording = run.recording
    live = pulled - moment(run.events_named("live")[0])
    ends = {kind: recording.end(kind) for kind in recording.packets}
    verdicts.note(f"pulled out {live:.2f} s after live, recorded " + " and ".join(
        f"{end:.2f} s of {kind}" for kind, end in sorted(ends.items())))
    # Media time 0 lies a little before the broadcast is live.
    verdicts.expect(min(ends.values()) >= live - AAC_FRAME, "the recording ends before the loss")
    tail = SLOW_TAIL if run.events_named("gap", cause="encoderTooSlow") else TAIL
    verdicts.expect(max(ends.values()) - min(ends.values()) <= tail, "one track ends long before the other")


@contextlib.contextmanager
def background(command):
    """Runs a command while the block runs; one that takes a device away may wait until its users have closed it."""
    process = subprocess.Popen(command)
    try:
        yield
        process.wait(20)
    except subprocess.TimeoutExpired:
        raise Failure(f"{' '.join(command)} does not come back") from None
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
