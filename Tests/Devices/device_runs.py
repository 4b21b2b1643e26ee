"""Runs of the program, what they recorded, and the devices that they find."""
import array
import json
import os
import subprocess
import tempfile
import time
from datetime import datetime

PROGRAM = ".build/release/holdfast"
#: Every run leaves what it wrote below this folder.
KEPT = "/mnt/out"


class Failure(Exception):
    """Something that a check can't go on after."""


def moment(event):
    """When an event was, in seconds of the wall clock."""
    return datetime.fromisoformat(event["at"].replace("Z", "+00:00")).timestamp()


class Publishing:
    """`holdfast publish` while it runs, and what it left behind."""

    def __init__(self, name, *arguments, rate=10):
        self.rate = rate
        self.folder = tempfile.mkdtemp(prefix=f"{name}-", dir=KEPT)
        self.events_path = f"{self.folder}/events"
        self.errors_path = f"{self.folder}/errors"
        with open(self.errors_path, "w") as errors:
            self.process = subprocess.Popen(
                [PROGRAM, "publish", "--size", "320x180", "--fps", str(rate), "--record", self.folder,
                 "--events", self.events_path, *arguments],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    @property
    def events(self):
        try:
            with open(self.events_path) as file:
                return [json.loads(line) for line in file if line.endswith("\n")]
        except FileNotFoundError:
            return []

    def events_named(self, name, **details):
        return [
            event for event in self.events
            if event["event"] == name and all(event.get(key) == value for key, value in details.items())]

    def await_live(self):
        """Waits until it is live and its devices have given pictures and sound for a while."""
        limit = time.monotonic() + 20
        while time.monotonic() < limit and self.process.poll() is None:
            if self.events_named("live"):
                time.sleep(2)
                return
            time.sleep(0.02)
        raise Failure(f"does not go live: {self.error_lines[-1:]}")

    def stop(self):
        """Has it come to its end, and answers the exit status."""
        self.process.terminate()
        return self.finish()

    @property
    def seconds(self):
        """How long it says that the broadcast was."""
        return self.events_named("ended")[-1]["durationMs"] / 1000

    def finish(self, within=40):
        """Waits for the end and answers the exit status."""
        try:
            return self.process.wait(within)
        except subprocess.TimeoutExpired:
            raise Failure(f"still runs after {within} s") from None

    @property
    def error_lines(self):
        with open(self.errors_path) as file:
            return file.read().splitlines()

    @property
    def complaints(self):
        """The lines that say why it gave up."""
        return [line for line in self.error_lines if line.startswith("holdfast: ")]

    @property
    def recording(self):
        names = [name for name in os.listdir(self.folder) if name.endswith(".mp4")]
        if len(names) != 1:
            raise Failure(f"there are {len(names)} recordings")
        return Recording(f"{self.folder}/{names[0]}")

    @property
    def lost_pictures(self):
        """How many pictures the gap events tell of, by cause."""
        lost = {}
        for gap in self.events_named("gap"):
            pictures = round(gap["lostMs"].get("video", 0) * self.rate / 1000)
            if pictures:
                lost[gap["cause"]] = lost.get(gap["cause"], 0) + pictures
        return lost

    @property
    def lost_sound(self):
        """Seconds of sound that the gap events tell of."""
        return sum(gap["lostMs"].get("audio", 0) for gap in self.events_named("gap")) / 1000


class Recording:
    """A recording as ffprobe and ffmpeg read it."""

    def __init__(self, path):
        self.path = path
        answer = subprocess.run(
            ["ffprobe", "-v", "error", "-of", "json", "-show_entries",
             "stream=index,codec_type,codec_name,width,height:packet=stream_index,pts_time,dts_time,duration_time",
             path], capture_output=True, text=True, timeout=60)
        if answer.returncode or answer.stderr:
            raise Failure(f"ffprobe does not read the recording: {answer.stderr.strip()}")
        read = json.loads(answer.stdout)
        self.streams = {stream["codec_type"]: stream for stream in read["streams"]}
        kinds = {stream["index"]: stream["codec_type"] for stream in read["streams"]}
        self.packets = {kind: [] for kind in kinds.values()}
        for packet in read["packets"]:
            self.packets[kinds[packet["stream_index"]]].append(
                (float(packet["dts_time"]), float(packet["pts_time"]), float(packet.get("duration_time", 0))))

    @property
    def pictures(self):
        return len(self.packets["video"])

    def start(self, kind):
        return min(shown for _, shown, _ in self.packets[kind])

    def end(self, kind):
        return max(shown + duration for _, shown, duration in self.packets[kind])

    def is_monotone(self, kind):
        times = [decoded for decoded, _, _ in self.packets[kind]]
        return all(early < late for early, late in zip(times, times[1:]))

    @property
    def tone(self):
        """The frequency of what is heard, and for how many seconds a tone is heard at all.

        Counted are the periods of the left channel, from one passage of zero upwards to the next; what is no period
        of a tone between 400 and 480 Hz, silence above all, is left out.
        """
        samples = array.array("h", self.decode("0:a", "-af", "pan=mono|c0=c0", "-ar", "48000", "-f", "s16le"))
        crossings, is_below = [], False
        for index, sample in enumerate(samples):
            if sample < -1000:
                is_below = True
            elif sample > 0 and is_below:
                crossings.append(index)
                is_below = False
        periods = [late - early for early, late in zip(crossings, crossings[1:]) if 100 <= late - early <= 120]
        return (48000 * len(periods) / sum(periods), sum(periods) / 48000) if periods else (0, 0)

    def colours(self, second, places):
        """The colours (red, green, blue) at these places of the picture shown at `second`."""
        width = self.streams["video"]["width"]
        picture = self.decode("0:v", "-ss", str(second), "-frames:v", "1", "-pix_fmt", "rgb24", "-f", "rawvideo")
        return [tuple(picture[(y * width + x) * 3:][:3]) for x, y in places]

    def decode(self, stream, *options):
        return subprocess.run(
            ["ffmpeg", "-nostdin", "-v", "error", "-i", self.path, "-map", stream, *options, "-"],
            stdout=subprocess.PIPE, check=True, timeout=60).stdout


def listed_devices():
    return json.loads(subprocess.run(
        [PROGRAM, "devices", "--json"], capture_output=True, text=True, check=True, timeout=20).stdout)


def set_camera(control, value):
    """Sets one of the camera driver's controls."""
    subprocess.run(["v4l2-ctl", "-d", "/dev/video0", "-c", f"{control}={value}"], check=True, timeout=20)
