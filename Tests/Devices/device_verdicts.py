"""What is expected of a run with real devices, and how it is said."""
from device_runs import BARS, moment

AAC_FRAME = 1024 / 48000
#: A device that is pulled out has to be reported within this time, in seconds.
NOTICE_LIMIT = 1.2
#: Seconds of the tone that may be missing: at the beginning and the end, and beside each stretch of silence.
UNHEARD, UNHEARD_AT_GAP = 0.1, 0.005
#: The longest time from one packet of sound to the next: AAC's are 21 ms long, Opus's 20 ms.
SOUND_STEP = 0.032
#: A device that is back has to be reported within this time: it is looked for four times a second, and has to start.
RETURN_LIMIT = 3.0
#: The tone is played again so long after its card is back.
TONE_LIMIT = 5.0
#: The longest time from one picture to the next while a slate takes over, or hands over.
HOLE = 0.6
#: What plays the tone goes with the card, and first: so much is silent already before the microphone is lost.
TONE_LEAD = 0.15
#: How far the tracks' ends may lie apart: a picture, and what a slow machine has not encoded yet.
TAIL = 0.25
#: The same when the machine was too slow for the encoders: then whole queues are lost.
SLOW_TAIL = 1.0


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


def expect_bars(verdicts, run, at=1):
    """The picture at this second is the camera's: its bars have their colours."""
    seen = run.recording.colours(at, [(x, 160) for x in BARS])
    error = max(abs(a - b) for bar, colour in zip(BARS.values(), seen) for a, b in zip(bar, colour))
    verdicts.note(f"colours within {error}")
    verdicts.expect(error <= 24, f"the bars' colours are {seen}")


def expect_sound(verdicts, run, seconds):
    recording = run.recording
    length = recording.end("audio") - recording.start("audio")
    frequency, heard = recording.tone()
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


def expect_absences(verdicts, run, rate=10):
    """What stands in for devices in the recording is what the gaps tell of."""
    recording = run.recording
    frame = 1 / rate
    told = joined(run.absences("video"), frame)
    seen = joined(recording.strange_pictures(rate), frame)
    pictures = sum(whose == "slate" for _, whose in recording.looks)
    verdicts.note(
        f"{pictures} pictures of the slate in {len(seen)} stretches of {length(seen):.2f} s, told {length(told):.2f} s")
    verdicts.expect(
        all(nearest(stretch, told) <= 2 * frame + 0.001 for stretch in seen)
        and all(nearest(stretch, seen) <= 2 * frame + 0.001 for stretch in told if length([stretch]) > 2 * frame),
        f"the camera is not seen in {shown(seen)}, told are {shown(told)}")
    told = [stretch for stretch in joined(run.absences("audio"), 0.05) if length([stretch]) > 0.06]
    silences = recording.silences
    heard = [next(((a, b) for a, b in silences if a <= until and b >= since), (0, 0)) for since, until in told]
    verdicts.note(f"{len(told)} silences of {length(heard):.2f} s, told {length(told):.2f} s")
    verdicts.expect(
        all(since - TONE_LEAD <= a <= since + 0.05 and until - 0.05 <= b <= until + TONE_LIMIT
            for (a, b), (since, until) in zip(heard, told)),
        f"the microphone is not heard in {shown(heard)}, told are {shown(told)}")
    untold = [
        silence for silence in silences
        if silence[0] > UNHEARD and not any(is_told(silence[0], gap) for gap in run.events_named("gap"))]
    verdicts.expect(not untold, f"silence is untold: {shown(untold)}")


def expect_whole(verdicts, run):
    """One recording, whose tracks have neither a hole nor a step back, and end together."""
    recording = run.recording
    for kind in ("video", "audio"):
        verdicts.expect(recording.is_monotone(kind), f"the times of {kind} do not rise")
        verdicts.expect(abs(recording.start(kind)) <= 0.15, f"{kind} begins at {recording.start(kind):.3f}")
    step = recording.longest_step("video")
    apart = abs(recording.end("video") - recording.end("audio"))
    verdicts.note(f"a picture each {step * 1000:.0f} ms at the latest, the tracks end {apart * 1000:.0f} ms apart")
    is_slow = run.events_named("gap", cause="encoderTooSlow")
    verdicts.expect(step <= (SLOW_TAIL if is_slow else HOLE), "a picture is shown for long")
    verdicts.expect(recording.longest_step("audio") <= SOUND_STEP, "the sound has a hole")
    verdicts.expect(apart <= (SLOW_TAIL if is_slow else TAIL), "one track ends long before the other")


def expect_return(verdicts, run):
    """At its end the recording shows the camera's bars, and the tone is heard."""
    recording = run.recording
    expect_bars(verdicts, run, at=recording.end("video") - 0.5)
    frequency, heard = recording.tone(recording.end("audio") - 0.5)
    verdicts.note(f"at the end {heard:.2f} s of {frequency:.2f} Hz")
    told = run.lost_sound_since(recording.end("audio") - 0.5)
    verdicts.expect(abs(frequency - 440) < 3 and heard + told > 0.4, "the tone is not heard at the end")


def expect_one_broadcast(verdicts, run):
    """All that is told is told of one broadcast, from its start to its end."""
    names = {event["broadcast"] for event in run.events}
    verdicts.expect(len(names) == 1, f"the events are of {len(names)} broadcasts")


def expect_no_interruption(verdicts, run):
    verdicts.expect(not run.events_named("interrupted"), "it is interrupted")
    verdicts.expect(len(run.events_named("live")) == 1, f"it went live {len(run.events_named('live'))} times")


def expect_time_stood_still(verdicts, run):
    """The recording is as long as the broadcast, without the interruptions; their gaps lose the same of each track."""
    interrupted, resumed = run.events_named("interrupted"), run.events_named("resumed")
    gaps = run.interruptions
    verdicts.expect(all(event["cause"] == "device" for event in interrupted), "an interruption has another cause")
    verdicts.expect(all(event["publishType"] == "append" for event in resumed), "it does not append")
    verdicts.expect(len(interrupted) == len(resumed) == len(gaps),
                    f"{len(interrupted)} interruptions, {len(resumed)} returns, {len(gaps)} gaps of both tracks")
    missing = [gap["lostMs"]["video"] / 1000 for gap in gaps]
    stood = [moment(back) - moment(gone) for gone, back in zip(interrupted, resumed)]
    lived = run.stopped - moment(run.events_named("live")[0])
    recorded = run.recording.end("video")
    verdicts.note(
        f"{recorded:.2f} s recorded of {lived:.2f} s, interrupted for {sum(stood):.2f} s, told {sum(missing):.2f} s")
    verdicts.expect(all(abs(lost - wall) <= 0.3 for lost, wall in zip(missing, stood)),
                    f"the interruptions took {seconds(stood)}, their gaps tell of {seconds(missing)}")
    verdicts.expect(all(abs(lost - event["gapMs"] / 1000) <= 0.002 for lost, event in zip(missing, resumed)),
                    "the returns and the gaps tell of different times")
    slack = 0.6 + 0.05 * len(gaps)
    verdicts.expect(
        abs(lived - sum(missing) - recorded) <= slack, "media time did not stand still, or stood for too long")


def joined(stretches, distance):
    """Stretches of time that are no further apart than `distance` as one."""
    found = []
    for since, until in sorted(stretches):
        if found and since <= found[-1][1] + distance:
            found[-1] = (found[-1][0], max(until, found[-1][1]))
        else:
            found.append((since, until))
    return found


def length(stretches):
    return sum(until - since for since, until in stretches)


def seconds(times):
    return ", ".join(f"{time:.2f}" for time in times) + " s"


def nearest(stretch, others):
    """How far the ends of the most similar one lie from its."""
    return min((max(abs(a - b) for a, b in zip(stretch, other)) for other in others), default=float("inf"))


def shown(stretches):
    return ", ".join(f"{since:.2f} to {until:.2f}" for since, until in stretches) or "none"


def is_told(silence, gap):
    """Whether what is not heard from `silence` on is what this gap tells of; an interruption's takes no media time."""
    since = gap["mediaAt"] / 1000
    return since - TONE_LEAD <= silence <= since + gap["lostMs"].get("audio", 0) / 1000 + 0.05
