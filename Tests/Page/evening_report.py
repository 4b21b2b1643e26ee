"""What happened in an evening, on one page."""
import time


def clock(seconds):
    return f"{int(seconds) // 60}:{seconds % 60:04.1f}"


def told(event, names):
    """An event of the session in words, or None for what nobody asks about afterwards."""
    name, said = event
    who = names.get(said.get("member"), "")
    if name == "joined":
        return f"{said['name']} {'is back' if said['returned'] else 'has joined'} ({said['kind']})"
    if name == "reported" and "state" in said:
        return f"{who} is {said['state']}"
    if name == "onAir":
        reason = f" ({said['reason']})" if said["reason"] else ""
        return f"on air: {said['state']}{reason}"
    if name == "hostChanged":
        return f"{who} is host ({said['why']})"
    if name == "timer":
        return f"time: {said['state']}" + (f", {said['secondsLeft']} s left" if said["secondsLeft"] else "")
    words = {"left": "has left", "ready": "is ready", "ended": "the session is over"}
    return f"{who} {words[name]}".strip() + (f" ({said['why']})" if "why" in said else "") if name in words else None


class Report:
    def __init__(self):
        self.begun, self.steps, self.happened, self.recordings, self.faults = time.time(), [], [], [], []
        # Of members, from the programme's recording.
        self.absences = []

    @property
    def is_good(self):
        return not self.faults

    def step(self, what):
        self.steps.append((time.time() - self.begun, what))
        print(f"{clock(self.steps[-1][0])}  {what}", flush=True)

    def fail(self, what):
        self.faults.append(what)
        print(f"FAILED: {what}", flush=True)

    def hear(self, events, names):
        """The events of the session, in the order in which they came. `names` are those of who was there before."""
        for at, event in zip(events.times, events.told):
            if event[0] in ("joined", "renamed"):
                names[event[1]["member"]] = event[1]["name"]
            words = told(event, names)
            if words is not None and words not in (said for _, said in self.happened[-1:]):
                self.happened.append((at - self.begun, words))

    def check(self, whose, found):
        """One recording, by what verify says."""
        self.recordings.append((whose, found))
        if not found["ok"]:
            self.fail(f"the recording of {whose}: {[one['text'] for one in found['defects']]}")

    @property
    def rows(self):
        for whose, found in self.recordings:
            length = max(track["end"] for track in found["tracks"])
            missing = [f"{one['cause']} at {clock(one['at'])}, {one['wall']:.1f} s" for one in found["interruptions"]]
            missing += [f"{one['cause']} at {clock(one['at'])}" for one in found["gaps"]]
            marks = found["marks"]["pictures"] if found["marks"] else "—"
            yield whose, clock(length), "whole" if found["ok"] else "DAMAGED", marks, "; ".join(missing) or "nothing"

    def write(self, path, picture, served, aligned):
        lines = ["# An evening", "", f"![The host’s page, on air]({picture})", "", "## What was done", "",
                 "| at | |", "|---|---|"]
        lines += [f"| {clock(at)} | {what} |" for at, what in self.steps]
        lines += ["", "## What the session told", "", "| at | |", "|---|---|"]
        lines += [f"| {clock(at)} | {what} |" for at, what in self.happened]
        lines += ["", "## Recordings", "", "| of | length | `verify` | test pictures | missing |", "|---|---|---|---|---|"]
        lines += [f"| {' | '.join(str(cell) for cell in row)} |" for row in self.rows]
        lines += [""] + [f"{absence}." for absence in self.absences]
        lines += ["", f"At the server: {served}.", "", "Side by side (`holdfast export --align`):", "", "```", aligned.rstrip(), "```"]
        if self.faults:
            lines += ["", "## What went wrong", ""] + [f"- {fault}" for fault in self.faults]
        path.write_text("\n".join(lines) + "\n")

    def summary(self):
        whole = sum(found["ok"] for _, found in self.recordings)
        return (f"{len(self.steps)} steps, {whole} of {len(self.recordings)} recordings whole"
                + ("" if self.is_good else f", {len(self.faults)} faults"))
