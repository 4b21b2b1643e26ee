"""Runs of the program, what they recorded, and the devices that they find."""
import array
import functools
import glob
import json
import os
import subprocess
import tempfile
import time
from datetime import datetime

import device_host
from device_host import KEPT, Failure

PROGRAM = ".build/release/holdfast"
#: Where the camera shows which colour: the bars, below the driver's text.
BARS = {20: (191, 191, 191), 60: (191, 191, 0), 100: (0, 191, 191), 140: (0, 191, 0), 180: (191, 0, 191),
        220: (191, 0, 0), 260: (0, 0, 191), 300: (0, 0, 0)}
#: How bright the slate is that stands in for a camera.
SLATE = 40


def moment(event):
    """When an event was, in seconds of the wall clock."""
    return datetime.fromisoformat(event["at"].replace("Z", "+00:00")).timestamp()


class Publishing:
    """`holdfast publish` while it runs, and what it left behind."""

    def __init__(self, name, *arguments, rate=10, record=None, server=None, environment=None):
        self.rate = rate
        self.environment = {**os.environ, **(environment or {})}
        self.stopped = None
        self.seen = []
        self.read_to = 0
        self.folder = tempfile.mkdtemp(prefix=f"{name}-", dir=KEPT)
        self.events_path = f"{self.folder}/events"
        self.errors_path = f"{self.folder}/errors"
        with open(self.errors_path, "w") as errors:
            self.process = subprocess.Popen(
                [PROGRAM, "publish", "--name", name, "--size", "320x180", "--fps", str(rate),
                 "--record", record or self.folder, "--events", self.events_path, *arguments,
                 *(["--to", f"{server.url}/{name}"] if server else [])],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors, env=self.environment)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    @property
    def events(self):
        """Those that it has told by now; each line is read once, because the machine is slow."""
        try:
            with open(self.events_path, "rb") as file:
                file.seek(self.read_to)
                whole, end, _ = file.read().rpartition(b"\n")
        except FileNotFoundError:
            return []
        self.read_to += len(whole + end)
        self.seen += [json.loads(line) for line in whole.splitlines()]
        return self.seen

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

    def await_event(self, name, count=1, within=30, **details):
        """Waits for that many events and answers the last of them."""
        limit = time.monotonic() + within
        while time.monotonic() < limit and self.process.poll() is None:
            found = self.events_named(name, **details)
            if len(found) >= count:
                return found[count - 1]
            time.sleep(0.05)
        wanted = " ".join([name, *(str(value) for value in details.values())])
        raise Failure(f"{wanted} is not told ({count}); {self.error_lines[-1:]}")

    def verify(self, path):
        """What `holdfast verify` finds in a recording of it."""
        return json.loads(subprocess.run(
            [PROGRAM, "verify", "--json", path], stdout=subprocess.PIPE, timeout=60, env=self.environment).stdout)

    def stop(self):
        """Has it come to its end, and answers the exit status."""
        self.stopped = time.time()
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
        """Without their timestamps."""
        with open(self.errors_path) as file:
            return [line.partition(" ")[2] for line in file.read().splitlines()]

    @property
    def complaints(self):
        """The lines that say why it gave up."""
        return [line for line in self.error_lines if line.startswith("holdfast: ")]

    @functools.cached_property
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
    def interruptions(self):
        """The gaps of interruptions because of devices: every track is missing, for the same time."""
        return [
            gap for gap in self.events_named("gap", cause="device")
            if gap["lostMs"].get("video") == gap["lostMs"].get("audio")]

    def absences(self, track):
        """Where in the recording something is told to stand in for this track's device, in seconds."""
        return [
            (gap["mediaAt"] / 1000, (gap["mediaAt"] + gap["lostMs"][track]) / 1000)
            for gap in self.events_named("gap", cause="device")
            if track in gap["lostMs"] and gap not in self.interruptions]

    @property
    def open_files(self):
        """What its descriptors lead to."""
        folder = f"/proc/{self.process.pid}/fd"
        files = []
        for descriptor in os.listdir(folder):
            try:
                files.append(os.readlink(f"{folder}/{descriptor}"))
            except FileNotFoundError:
                continue
        return files

    @property
    def threads(self):
        """The names of its threads, without those that the system's queues start and end as they like."""
        names = []
        for path in glob.glob(f"/proc/{self.process.pid}/task/*/comm"):
            try:
                with open(path) as file:
                    names.append(file.read().strip())
            except (FileNotFoundError, ProcessLookupError):
                continue
        return sorted(name for name in names if "qos" not in name)

    @property
    def lost_sound(self):
        """Seconds of sound that the gap events tell of."""
        return self.lost_sound_since(0)

    def lost_sound_since(self, second):
        """The same, from that second of the recording on."""
        told = [(gap["mediaAt"] / 1000, gap["lostMs"].get("audio", 0) / 1000) for gap in self.events_named("gap")]
        return sum(max(0, at + lost - max(at, second)) for at, lost in told)


class Server:
    """`holdfast serve` while it runs, and the file that it writes."""

    def __init__(self, name):
        self.folder = tempfile.mkdtemp(prefix=f"{name}-server-", dir=KEPT)
        self.process = subprocess.Popen(
            [PROGRAM, "serve", "--port", "0", "--json", "--dir", self.folder],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.url = json.loads(self.process.stdout.readline())["url"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()

    @functools.cached_property
    def recording(self):
        return Recording(glob.glob(f"{self.folder}/*.flv")[0])


class Recording:
    """A recording as ffprobe and ffmpeg read it."""

    def __init__(self, path):
        self.path = path
        read = json.loads(device_host.read(
            ["ffprobe", "-v", "error", "-of", "json", "-show_entries",
             "stream=index,codec_type,codec_name,width,height:packet=stream_index,pts_time,dts_time,duration_time",
             os.path.relpath(path, KEPT)]))
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

    def longest_step(self, kind):
        """The longest time from the beginning of a packet to that of the next."""
        times = sorted(shown for _, shown, _ in self.packets[kind])
        return max(late - early for early, late in zip(times, times[1:]))

    def tone(self, since=0, until=None):
        """The frequency of what is heard, and for how many seconds a tone is heard at all.

        Counted are the periods of the left channel, from one passage of zero upwards to the next; what is no period
        of a tone between 400 and 480 Hz, silence above all, is left out.
        """
        start = self.start("audio")
        cut = slice(*(None if at is None else max(0, round((at - start) * 48000)) for at in (since, until)))
        samples = self.samples(48000)[cut]
        crossings, is_below = [], False
        for index, sample in enumerate(samples):
            if sample < -1000:
                is_below = True
            elif sample > 0 and is_below:
                crossings.append(index)
                is_below = False
        periods = [late - early for early, late in zip(crossings, crossings[1:]) if 100 <= late - early <= 120]
        return (48000 * len(periods) / sum(periods), sum(periods) / 48000) if periods else (0, 0)

    @functools.cached_property
    def silences(self):
        """From when to when nothing is heard, in seconds; what is shorter than 50 ms is left out."""
        samples, window = self.samples(8000), 40
        loud = [-window] + [
            start for start in range(0, len(samples) - window + 1, window) if max(samples[start:start + window]) > 1000
        ] + [len(samples)]
        start = self.start("audio")
        return [
            (start + (early + window) / 8000, start + late / 8000) for early, late in zip(loud, loud[1:])
            if late - early - window >= 400]

    def samples(self, rate):
        """The left channel's."""
        return array.array("h", self.decode("0:a", "-af", "pan=mono|c0=c0", "-ar", str(rate), "-f", "s16le"))

    @functools.cached_property
    def looks(self):
        """For each picture, when it is shown, and whether it is the "camera"'s, the "slate", or neither (None)."""
        width = self.streams["video"]["width"]
        size = width * 3
        rows = self.decode(
            "0:v", "-vf", f"crop={width}:2:0:160,setpts=N/25/TB", "-r", "25", "-pix_fmt", "yuv420p", "-f", "rawvideo")
        times = sorted(shown for _, shown, _ in self.packets["video"])
        if len(rows) != size * len(times):
            raise Failure(f"of {len(times)} pictures {len(rows) / size:.1f} can be decoded")
        return [(time, look(rows[index * size:][:width])) for index, time in enumerate(times)]

    def strange_pictures(self, rate):
        """From when to when the pictures are not the camera's, in seconds: to the end where it does not come back."""
        found, since, end = [], None, self.looks[0][0]
        for shown, whose in self.looks:
            if whose == "camera" and since is not None:
                found.append((since, shown))
                since = None
            if whose != "camera" and since is None:
                since = end
            end = shown + 1 / rate
        return found + ([(since, end)] if since is not None else [])

    def colours(self, second, places):
        """The colours (red, green, blue) at these places of the picture shown at `second`."""
        width = self.streams["video"]["width"]
        picture = self.decode("0:v", "-ss", str(second), "-frames:v", "1", "-pix_fmt", "rgb24", "-f", "rawvideo")
        return [tuple(picture[(y * width + x) * 3:][:3]) for x, y in places]

    def decode(self, stream, *options):
        return device_host.read(
            ["ffmpeg", "-nostdin", "-v", "error", "-i", os.path.relpath(self.path, KEPT), "-map", stream, *options,
             "-"])


def look(row):
    """Whose picture it is, by the brightness of a row of it."""
    if max(row) - min(row) <= 16 and abs(row[len(row) // 2] - SLATE) <= 8:
        return "slate"
    if all(abs(row[x] - brightness(*colour)) <= 20 for x, colour in BARS.items()):
        return "camera"
    return None


def brightness(red, green, blue):
    return 16 + (65.481 * red + 128.553 * green + 24.966 * blue) / 255


def listed_devices():
    return json.loads(subprocess.run(
        [PROGRAM, "devices", "--json"], capture_output=True, text=True, check=True, timeout=20).stdout)


def set_camera(control, value):
    """Sets one of the camera driver's controls."""
    subprocess.run(["v4l2-ctl", "-d", "/dev/video0", "-c", f"{control}={value}"], check=True, timeout=20)
