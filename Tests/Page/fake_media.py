"""Pictures and sound of boxes, as a hub sends them live: a few seconds of film, made once, over and over with times that
grow."""
import math
import struct
import subprocess
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

RATE = 15
GROUP = 15
TIMESCALE = 15000
SAMPLES, SAMPLE_RATE = 1024, 48000
SMALL = "160:90"
SCENES = ("testsrc2=size=320x180:rate=15", "smptehdbars=size=320x180:rate=15,drawbox=x=mod(t*60\\,320):w=6:h=180:t=fill",
          "gradients=size=320x180:rate=15:speed=0.05:seed=4", "gradients=size=320x180:rate=15:speed=0.06:seed=11:c0=navy",
          "gradients=size=320x180:rate=15:speed=0.03:seed=23:c0=darkgreen", "mandelbrot=size=320x180:rate=15")
KINDS = {"head": 0, "media": 1, "lost": 2, "padding": 3}


def frame(kind, track, member, payload, rendition=0):
    name = member.encode()
    body = bytes([KINDS[kind], track, rendition, len(name)]) + name + payload
    return struct.pack(">I", len(body)) + body


def box(name, *content):
    body = b"".join(content)
    return struct.pack(">I", len(body) + 8) + name + body


def boxes(data):
    at, found = 0, []
    while at + 8 <= len(data):
        size, name = struct.unpack_from(">I4s", data, at)
        found.append((name, data[at:at + size]))
        at += size
    return found


class Film:
    """One track: its head, and its samples."""

    def __init__(self, arguments, keyframes):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "film.mp4")
            subprocess.run(["ffmpeg", "-v", "error", *arguments, "-movflags",
                            "empty_moov+default_base_moof+frag_every_frame", str(path)], check=True, timeout=60)
            parts = boxes(path.read_bytes())
        self.head = b"".join(data for name, data in parts if name in (b"ftyp", b"moov"))
        self.samples = [data[8:] for name, data in parts if name == b"mdat"]
        self.keyframes = keyframes

    def fragment(self, number, duration):
        """The sample of this number since the beginning of time."""
        sample = self.samples[number % len(self.samples)]
        is_key = number % self.keyframes == 0
        flags = 0x02000000 if is_key else 0x01010000
        def movie(offset):
            return box(b"moof", box(b"mfhd", struct.pack(">II", 0, number & 0xffffffff)), box(
                b"traf", box(b"tfhd", struct.pack(">IIII", 0x020028, 1, duration, 0x01010000)),
                box(b"tfdt", struct.pack(">IQ", 0x01000000, number * duration)),
                box(b"trun", struct.pack(">IIiII", 0x000205, 1, offset, flags, len(sample)))))
        return movie(len(movie(0)) + 8) + box(b"mdat", sample)


class Media:
    def __init__(self):
        def picture(scene):
            return Film(["-f", "lavfi", "-i", scene, "-frames:v", str(4 * GROUP), "-pix_fmt", "yuv420p", "-c:v", "libx264",
                         "-profile:v", "baseline", "-preset", "veryfast", "-threads", "1", "-g", str(GROUP), "-bf", "0",
                         "-sc_threshold", "0", "-video_track_timescale", str(TIMESCALE)], GROUP)
        with ThreadPoolExecutor(2) as pool:
            self.pictures = list(pool.map(picture, SCENES))
            self.small = list(pool.map(picture, [f"{scene},scale={SMALL}" for scene in SCENES]))
            self.stills = list(pool.map(still, SCENES))
        self.sound = Film(["-f", "lavfi", "-i", f"sine=frequency=300:sample_rate={SAMPLE_RATE}:duration=4", "-ac", "1",
                           "-c:a", "aac", "-b:a", "48k"], 1)
        self.begun = time.time()
        self.stopped = None

    def now(self):
        """The media time of what a camera sees now, in seconds."""
        return (self.stopped or time.time()) - self.begun

    @contextmanager
    def still(self):
        """Nothing moves meanwhile, and a browser has time for something else than pictures. Who begins to look now sees
        the last one of a group."""
        last = self.begun + math.floor(self.now()) + (GROUP - 0.5) / RATE
        time.sleep(max(0, last - time.time()))
        self.stopped = last
        try:
            yield
        finally:
            self.begun += time.time() - last
            self.stopped = None

    @staticmethod
    def type_of(film):
        if b"avcC" in film.head:
            at = film.head.index(b"avcC") + 5
            return f'video/mp4; codecs="avc1.{film.head[at:at + 3].hex()}"'
        return 'audio/mp4; codecs="mp4a.40.2"'

    def head(self, member, film, track, rendition):
        kind = self.type_of(film).encode()
        return frame("head", track, member, bytes([len(kind)]) + kind + film.head, rendition)


def still(scene):
    made = subprocess.run(["ffmpeg", "-v", "error", "-f", "lavfi", "-i", scene, "-frames:v", "1", "-f", "mjpeg", "-"],
                          check=True, timeout=60, capture_output=True)
    return made.stdout


class Sending:
    """What one response has sent of its members' tracks."""

    def __init__(self, media, pictures, small, sounds, film_of):
        self.media, self.film_of = media, film_of
        self.tracks = ([(member, 0, 0) for member in pictures] + [(member, 0, 1) for member in small]
                       + [(member, 1, 0) for member in sounds])
        # By member and track: the number of the next sample, or why there is none.
        self.next = {}

    def news(self):
        """All that is to be sent by now."""
        pieces = []
        for member, track, rendition in self.tracks:
            film = self.film_of(member, track, rendition)
            state = self.next.get((member, track))
            if isinstance(film, str):
                if state != film:
                    pieces.append(frame("lost", track, member, b'{"why":"%s"}' % film.encode(), rendition))
                    self.next[member, track] = film
                continue
            rate = RATE if track == 0 else SAMPLE_RATE / SAMPLES
            newest = math.floor(self.media.now() * rate)
            if not isinstance(state, int):
                state = newest - newest % film.keyframes
                pieces.append(self.media.head(member, film, track, rendition))
            duration = TIMESCALE // RATE if track == 0 else SAMPLES
            pieces += [frame("media", track, member, film.fragment(number, duration), rendition)
                       for number in range(state, newest)]
            self.next[member, track] = max(state, newest)
        return b"".join(pieces)
