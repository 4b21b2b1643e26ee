"""Hubs and boxes of one session, as programs of their own."""
import json
import os
import subprocess
import urllib.error
import urllib.request

from live_bench import RELEASE, await_port, free_port

# They take turns of so many seconds; the others have no sound, whose encoding would cost more than all else.
SPEAKERS = 3
TURN = 4


def start(folder, *command):
    folder.mkdir(exist_ok=True)
    places = {"XDG_RUNTIME_DIR": str(folder), "XDG_STATE_HOME": str(folder / "state")}
    with open(folder / "log", "a") as log:
        return subprocess.Popen([RELEASE / "holdfast", *command], env=os.environ | places, cwd=folder, stdout=log, stderr=log)


def stop(*processes):
    for process in processes:
        process.terminate()
    for process in processes:
        process.wait(20)


class Service:
    """What boxes and pages reach at one address."""
    token = None

    def __init__(self, port):
        self.port, self.origin = port, f"http://127.0.0.1:{port}"
        self.address = f"{self.origin}/hall"

    def ask(self, path="", body=None):
        data = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {self.token}"} if self.token else {})
        request = urllib.request.Request(f"{self.origin}/v1/sessions/hall{path}", data, headers)
        with urllib.request.urlopen(request, timeout=5) as answer:
            return json.load(answer)

    def members(self):
        try:
            return {member["name"]: member for member in self.ask()["members"]}
        except urllib.error.HTTPError:
            # The first member makes the session.
            return {}


class Hub(Service):
    """One hub, with the media server inside."""

    def __init__(self, folder):
        super().__init__(free_port())
        self.process = start(folder, "hub", "--listen", f"127.0.0.1:{self.port}", "--media-port", "0")
        await_port(self.port)

    def stop(self):
        stop(self.process)


class Hubs(Service):
    """Two hubs behind nginx, with a Redis and a media server of their own."""

    def __init__(self, folder):
        super().__init__(free_port())
        self.folder, self.ports = folder, [free_port(), free_port()]
        redis, media = free_port(), free_port()
        folder.mkdir()
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        redis_server = subprocess.Popen(
            ["redis-server", "--port", str(redis), "--bind", "127.0.0.1", "--save", "", "--dir", folder], **quiet)
        await_port(redis)
        self.others = [redis_server, start(folder / "media", "serve", "--port", str(media), "--dir", folder / "media/files")]
        await_port(media)
        secret = folder / "secret"
        subprocess.run([RELEASE / "holdfast", "token", "--new-secret", secret], check=True, capture_output=True)
        self.token = subprocess.run(
            [RELEASE / "holdfast", "token", "--secret", secret, "--name", "Wanda", "--role", "host", "--session", "hall"],
            check=True, capture_output=True, text=True).stdout.strip()
        stream = f"rtmp://127.0.0.1:{media}/live/{{session}}.{{member}}"
        self.command = ["hub", "--store", f"redis://127.0.0.1:{redis}/0", "--token-secret", secret, "--trusted-proxy",
                        "127.0.0.1/32", "--ingest", stream + "?key={key}", "--play", stream]
        self.hubs = [None, None]
        for number in (0, 1):
            self.start(number)
        servers = "".join(f"server 127.0.0.1:{port} max_fails=1 fail_timeout=2s;" for port in self.ports)
        (folder / "proxy.conf").write_text(f"""
            pid {folder}/proxy.pid; daemon off; master_process off;
            events {{ worker_connections 1024; }}
            http {{
              access_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/temp;
              upstream hubs {{ {servers} }}
              server {{
                listen 127.0.0.1:{self.port};
                location / {{
                  proxy_pass http://hubs; proxy_http_version 1.1; proxy_set_header Connection "";
                  proxy_set_header Host $http_host; proxy_set_header X-Forwarded-For $remote_addr;
                  proxy_buffering off; proxy_connect_timeout 2s; proxy_next_upstream error timeout non_idempotent;
                }}
              }}
            }}
            """)
        self.others.append(subprocess.Popen(
            ["/usr/sbin/nginx", "-p", folder, "-c", folder / "proxy.conf", "-e", folder / "proxy.log"], **quiet))
        await_port(self.port)

    def start(self, number):
        port = self.ports[number]
        self.hubs[number] = start(self.folder / f"hub{number}", *self.command, "--listen", f"127.0.0.1:{port}")
        await_port(port)

    def kill(self, number):
        self.hubs[number].kill()
        self.hubs[number].wait(20)

    def stop(self):
        stop(*self.hubs, *self.others)


class Box:
    def __init__(self, folder, name, hub, *options):
        self.name, self.folder = name, folder / name.replace(" ", "-")
        self.command = ["publish", "--session", hub.address, "--as", name, "--name", name.replace(" ", "-"),
                        "--adaptive=false", *options]
        self.folder.mkdir()
        if hub.token:
            path = self.folder / "token"
            path.touch(0o600)
            path.write_text(hub.token)
            self.command += ["--session-token", f"@{path}"]
        self.start()

    def start(self):
        self.process = start(self.folder, *self.command)

    def leave(self):
        stop(self.process)


def make_film(folder, number):
    """A picture of its own colour, and for three of them a voice: noise in syllables."""
    path = folder / f"{number}.mp4"
    begin = number * TURN
    voice = (f"aevalsrc='if(between(mod(t,{SPEAKERS * TURN}),{begin},{begin + TURN}),0.4*(random(0)*2-1)*pow(sin(PI*4*t),2),"
             "0.0005*(random(1)*2-1))':s=48000")
    sound = ["-f", "lavfi", "-i", voice, "-c:a", "aac"] if number < SPEAKERS else []
    subprocess.run(
        ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", f"testsrc2=size=320x180:rate=15,hue=h={number * 36}", *sound, "-t", "60",
         "-c:v", "libx264", "-preset", "veryfast", "-tune", "zerolatency", "-g", "15", "-b:v", "300k", "-pix_fmt", "yuv420p", path],
        check=True)
    return path
