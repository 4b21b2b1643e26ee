"""What the checks have the host do: it is not emulated, and it holds the machine's plugs."""
import json
import os
import time

#: Every run leaves what it wrote below this folder, which the host sees too.
KEPT = "/mnt/out"


class Failure(Exception):
    """Something that a check can't go on after."""


def ask_monitor(command):
    """Has the host say a command to the machine's monitor."""
    request({"monitor": command})


def read(command):
    """Has the host run ffmpeg or ffprobe, in the folder that both see, and answers what comes of it."""
    ended = ask({"read": command})
    if ended["status"] or ended["errors"]:
        raise Failure(f"{command[0]} does not read the recording: {ended['errors'].strip()}")
    with open(f"{KEPT}/host-output", "rb") as file:
        return file.read()


def stick_writes():
    """How many writes of the USB stick the host has seen."""
    return ask({"stick": None})


def cut_stick(count, name):
    """Has the host make the stick's image as it was after so many writes, and answers its path."""
    ask({"stick": {"count": count, "name": name}})
    return f"{KEPT}/{name}"


def ask(content):
    """Has the host do something, and waits for its answer."""
    request(content)
    answer = f"{KEPT}/host-answer"
    limit = time.monotonic() + 90
    while not os.path.exists(answer):
        if time.monotonic() > limit:
            raise Failure("the host does not answer")
        time.sleep(0.02)
    with open(answer) as file:
        answered = json.load(file)
    os.remove(answer)
    return answered


def request(content):
    with open(f"{KEPT}/host-request.new", "w") as file:
        json.dump(content, file)
    os.rename(file.name, f"{KEPT}/host-request")
