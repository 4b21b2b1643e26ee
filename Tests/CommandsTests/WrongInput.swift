/// What people get wrong, and what they are told.
enum WrongInput {
  /// Arguments, separated by spaces.
  static let flags: [(String, String)] = [
    ("--bitrat 1M", "--bitrat: no such option; did you mean --bitrate?"),
    ("--bitrat=1M", "--bitrat: no such option; did you mean --bitrate?"),
    ("--hepl", "--hepl: no such option; did you mean --help?"),
    (
      "--to rtmp://x",
      "--to: an address without an application and a key; "
        + "write rtmp://HOST/APP/KEY, rtsp://HOST/PATH or srt://HOST:PORT"
    ),
    (
      "--to http://host/secret-key",
      "--to: not an address that can be published to; "
        + "write rtmp://HOST/APP/KEY, rtsp://HOST/PATH or srt://HOST:PORT"
    ),
    (
      "--to env:NO_SUCH_VARIABLE",
      "--to env:NO_SUCH_VARIABLE: there is no such variable; set it to an address"
    ),
    (
      "--to rtmp://host/app/key --publish-type append",
      "--publish-type append: none of record and live; choose one of them"
    ),
    ("--interrupt-on locked", "--interrupt-on locked: neither lock nor inactive; did you mean lock?"),
    (
      "--interrupt-on lock,sleeping",
      "--interrupt-on lock,sleeping: neither lock nor inactive; write lock, inactive, lock,inactive or none"
    ),
    ("--Name x", "--Name: no such option; did you mean --name?"),
    ("-x", "-x: no such option; see holdfast help publish"),
    ("--", "--: no such option; see holdfast help publish"),
    ("x", "x: it does not belong to any option; see holdfast help publish"),
    ("--name", "--name: its value is missing; write --name NAME"),
    ("--name --loop", "--name: its value is missing; write --name NAME"),
    ("--name a --fps 25 --name=b", "--name: given twice; keep one of them"),
    ("--loop --loop", "--loop: given twice; keep one of them"),
    ("--duration soon", "--duration soon: not a duration; write 90, 1.5s, 250ms, 10m or 2h, at most 8784h"),
    ("--duration -5", "--duration -5: not a duration; write 90, 1.5s, 250ms, 10m or 2h, at most 8784h"),
    ("--duration 0", "--duration 0: the broadcast would end before it begins; write more than 0"),
    ("--gop=", #"--gop "": not a duration; write 90, 1.5s, 250ms, 10m or 2h, at most 8784h"#),
    ("--gop 61", "--gop 61: out of range; it may be more than 0 and at most 60s"),
    ("--segment often", "--segment often: neither a duration nor a size; write 30m, 1h, 500M or 2G"),
    ("--segment 999ms", "--segment 999ms: a file would hold next to nothing; it may be 1s or 1M, or more"),
    ("--segment 1023k", "--segment 1023k: a file would hold next to nothing; it may be 1s or 1M, or more"),
    ("--on-segment-wait 2h", "--on-segment-wait 2h: out of range; it may be 0 to 1h"),
    ("--keep-age 0", "--keep-age 0: nothing would be kept; it may be 1s or more"),
    ("--keep-size 1", "--keep-size 1: nothing would be kept; it may be 1M or more"),
    ("--keep-size 50GB", "--keep-size 50GB: not a size; write 500M, 50G, 1.5T or a number of bytes"),
    ("--disk-reserve 2T", "--disk-reserve 2T: out of range; it may be 0, which turns it off, to 1T"),
    ("--sync-every 0", "--sync-every 0: out of range; it may be 250ms to 60s"),
    ("--record-queue 500ms", "--record-queue 500ms: out of range; it may be 1s to 2m"),
    ("--bitrate fast", "--bitrate fast: not a bitrate; write 2500k, 2.5M or 128000"),
    ("--bitrate 1", "--bitrate 1: out of range; it may be 50k to 200M"),
    ("--audio-bitrate 1M", "--audio-bitrate 1M: out of range; it may be 16k to 510k"),
    ("--size big", "--size big: not a size; write WIDTHxHEIGHT, as 1280x720"),
    ("--size 641x361", "--size 641x361: encoders take even sides only; try 640x360"),
    ("--size 9x9", "--size 9x9: the picture is too small or too large; each side may be 64 to 7680"),
    ("--fps many", "--fps many: not a frame rate; write 30, 29.97 or 30000/1001"),
    ("--fps 500", "--fps 500: out of range; it may be 1 to 240 frames a second"),
    (
      "--encoder x265",
      "--encoder x265: none of auto, x264, vaapi, qsv, nvenc, v4l2m2m and copy; did you mean x264?"
    ),
    ("--video-codec vp9", "--video-codec vp9: none of h264, hevc and av1; choose one of them"),
    ("--video-codec aac", "--video-codec aac: none of h264, hevc and av1; choose one of them"),
    ("--audio-codec ops", "--audio-codec ops: none of aac and opus; did you mean opus?"),
    (
      "--video cam",
      "--video cam: none of camera, camera:DEVICE, test, file:PATH, off and auto; did you mean camera?"
    ),
    (
      "--video camera:",
      "--video camera:: none of camera, camera:DEVICE, test, file:PATH, off and auto; choose one of them"
    ),
    (
      "--audio mik:hw:1",
      "--audio mik:hw:1: none of mic, mic:DEVICE, tone, file:PATH, off and auto; did you mean mic?"
    ),
    ("--events=", #"--events "": no file name; name a file or write -"#),
    ("--config=", #"--config "": no file name; name a file or leave it out"#),
    ("--loop=maybe", "--loop=maybe: neither yes nor no; write true or false"),
    ("--loop", "--loop: only files begin again; leave it out or choose a source file:PATH"),
    (
      "--video off --audio=off",
      "--video off and --audio off: there is neither picture nor sound; leave one of them on"
    ),
    (
      "--video-codec av1 --encoder v4l2m2m",
      "--encoder v4l2m2m and --video-codec av1: v4l2m2m makes H.264 only; "
        + "choose the encoder auto, vaapi, qsv, nvenc or copy"
    ),
  ]

  /// Arguments with spaces and line ends, or nothing, in them.
  static let oddFlags: [([String], String)] = [
    ([""], #""": it does not belong to any option; see holdfast help publish"#),
    (
      ["--name", "a\nb"],
      #"--name "a\nb": not a name that can stand in file names; "#
        + #"write 1 to 64 of a-z, A-Z, 0-9 and . _ -, a letter or digit first"#
    ),
    (["--on-segment", " "], #"--on-segment " ": no command; write what the shell is to run"#),
    (["--record", ""], #"--record "": no folder; name a folder or write off"#),
  ]

  static let variables: [(String, String)] = [
    ("HOLDFAST_BITRAT=1M", "HOLDFAST_BITRAT: no such variable; did you mean HOLDFAST_BITRATE?"),
    (
      "HOLDFAST_TO=x",
      "HOLDFAST_TO: not an address that can be published to; "
        + "write rtmp://HOST/APP/KEY, rtsp://HOST/PATH or srt://HOST:PORT"
    ),
    ("HOLDFAST_=x", "HOLDFAST_: no such variable; see holdfast help publish"),
    ("HOLDFAST_FPS=many", "HOLDFAST_FPS=many: not a frame rate; write 30, 29.97 or 30000/1001"),
    ("HOLDFAST_FPS=", #"HOLDFAST_FPS="": not a frame rate; write 30, 29.97 or 30000/1001"#),
    ("HOLDFAST_BITRATE=1", "HOLDFAST_BITRATE=1: out of range; it may be 50k to 200M"),
    ("HOLDFAST_LOOP=maybe", "HOLDFAST_LOOP=maybe: neither yes nor no; write true or false"),
    ("HOLDFAST_CONFIG=", #"HOLDFAST_CONFIG="": no file name; name a file or leave it out"#),
  ]

  /// Contents of `hall.json5`.
  static let settings: [(String, String)] = [
    ("{ bitrat: 1 }", "bitrat in hall.json5: no such setting; did you mean bitrate?"),
    ("{ 'video-codec': 'av1' }", "video-codec in hall.json5: no such setting; did you mean videoCodec?"),
    ("{ config: 'x' }", "config in hall.json5: no such setting; see holdfast help publish"),
    ("{ bitrate: 'fast' }", "bitrate fast in hall.json5: not a bitrate; write 2500k, 2.5M or 128000"),
    ("{ bitrate: 1 }", "bitrate 1 in hall.json5: out of range; it may be 50k to 200M"),
    ("{ bitrate: NaN }", "bitrate nan in hall.json5: not a bitrate; write 2500k, 2.5M or 128000"),
    ("{ bitrate: 1e999 }", "bitrate in hall.json5: its value can't be read; correct it"),
    (
      "{ interruptOn: ['lock', 1] }",
      #"interruptOn ["lock",1] in hall.json5: not text or a list of texts; write interruptOn: ["…"]"#
    ),
    (
      "{ interruptOn: ['lock', 'away'] }",
      "interruptOn away in hall.json5: neither lock nor inactive; write lock, inactive, lock,inactive or none"
    ),
    ("{ name: 5 }", #"name 5 in hall.json5: not text; write name: "…""#),
    ("{ name: null }", #"name null in hall.json5: not text; write name: "…""#),
    (
      "{ fps: true }",
      #"fps true in hall.json5: not text or a number; write fps: a number, or "…" with a unit"#
    ),
    (
      "{ fps: [{a: 1}] }",
      #"fps [{"a":1}] in hall.json5: not text or a number; write fps: a number, or "…" with a unit"#
    ),
    ("{ loop: 1 }", "loop 1 in hall.json5: not true or false; write loop: true"),
    ("{ loop: 'true' }", #"loop "true" in hall.json5: not true or false; write loop: true"#),
    ("[]", #"hall.json5: not an object; write { name: "value" }"#),
    (
      "",
      "hall.json5: not valid JSON5; look for a bracket, comma, colon or quote that is missing or too many"
    ),
    (
      "{ name: 'a'",
      "hall.json5: not valid JSON5; look for a bracket, comma, colon or quote that is missing or too many"
    ),
    (
      "{ name: tru }",
      "hall.json5: not valid JSON5; look for a bracket, comma, colon or quote that is missing or too many"
    ),
  ]

  /// Commands other than publish, with their arguments.
  static let commands: [(String, String)] = [
    ("help publsh", "publsh: no such command; did you mean publish?"),
    ("help verbose", "verbose: no such command; see holdfast --help"),
    ("help publish x", "x: one command at a time; leave it out"),
    ("devices --jsn", "--jsn: no such option; did you mean --json?"),
    ("devices x", "x: it does not belong to any option; see holdfast help devices"),
    ("devices --json --json", "--json: given twice; keep one of them"),
    ("verify", "verify: no recording; write holdfast verify RECORDING"),
    ("verify a.mp4 --jsn", "--jsn: no such option; did you mean --json?"),
    ("verify a.mp4 --marks", "--marks: its value is missing; write --marks WHEN"),
    ("verify a.mp4 --marks requir", "--marks requir: none of off, auto and require; did you mean require?"),
    ("verify a.mp4 b.mp4 --journal c", "--journal: more than one recording; verify them one by one"),
    ("verify a.mp4 --journal", "--journal: its value is missing; write --journal FILE"),
    ("repair", "repair: no recording; write holdfast repair RECORDING"),
    ("repair a.mp4 b.mp4", "repair: more than one recording; name one"),
    ("repair a.mp4 --inplace", "--inplace: no such option; did you mean --in-place?"),
    (
      "repair a.mp4 --in-place --output b.mp4", "--output and --in-place: two targets; leave one of them out"
    ),
    ("repair a.mp4 --like", "--like: its value is missing; write --like OTHER.mp4"),
    ("repair a.mp4 --json --json", "--json: given twice; keep one of them"),
    ("export", "export: no recording; write holdfast export RECORDING --output OUT.mp4"),
    ("export a.mp4", "--output: it is missing; write --output FILE"),
    ("export a.mp4 --output", "--output: its value is missing; write --output FILE"),
    ("export a.mp4 --output=", #"--output "": no file name; name a file"#),
    ("export a.mp4 --output b.avi", "--output b.avi: neither .mp4 nor .mkv; give it one of these ends"),
    ("export a.mp4 --output mp4", "--output mp4: neither .mp4 nor .mkv; give it one of these ends"),
    ("export a.mp4 --outptu b.mp4", "--outptu: no such option; did you mean --output?"),
    ("export a a --output b.mp4", "a: given twice; name each part once"),
    ("export a --output=b.mp4 --output c.mp4", "--output: given twice; keep one of them"),
    ("export a --output b.mp4 --gaps cut", "--gaps cut: none of close and keep; choose one of them"),
    ("export a --output b.mp4 --chapters no", "--chapters no: neither on nor off; choose one of them"),
    (
      "export a --output b.mp4 --captions b.mp4",
      "--captions b.mp4: the same file as --output; give it another name"
    ),
    (
      "token",
      "token: no secret to sign with; name it with --secret FILE, or make one with --new-secret FILE"
    ),
    ("token --secret a", "--name: it is missing; write --name WHO"),
    ("token --secret a --name A", "--role: it is missing; write --role ROLE"),
    (
      "token --secret a --name A --role hst",
      "--role hst: none of host, manager and participant; did you mean host?"
    ),
    ("token --secret a --name A --role host", "--session: it is missing; write --session NAME"),
    (
      "token --secret a --name A --role host --session s --lasts long",
      "--lasts long: not a duration; write 90, 1.5s, 250ms, 10m or 2h, at most 8784h"
    ),
    ("token --secrt a", "--secrt: no such option; did you mean --secret?"),
    ("token --secret", "--secret: its value is missing; write --secret FILE"),
    ("token --secret --name", "--secret: its value is missing; write --secret FILE"),
    ("token --secret a --secret b", "--secret: given twice; keep one of them"),
    ("token eyJh.eyJz.sig", "token: an argument that does not belong to any option; see holdfast help token"),
    ("token --revoke a1", "--session: it is missing; write --session NAME"),
    (
      "token --revoke é --session s",
      "--revoke é: not the id of a token; holdfast token shows it with each token"
    ),
    (
      "token --revoke a1 --new-secret b",
      "--new-secret and --revoke: one thing at a time; leave one of them out"
    ),
    ("token --new-secret b --name A", "--name: nothing to do with --new-secret; leave it out"),
    ("token --list-revoked=all", "--list-revoked all: neither yes nor no; write true or false"),
    ("check rtmp://a/b/c rtmp://a/b/d", "check: more than one address; name one"),
    ("check rtmp://a/b/c --timeout=0", "--timeout: out of range; it may be up to 10m"),
    ("demo --fps=25", "--fps: no such option; see holdfast help demo"),
    ("serve --prot 1", "--prot: no such option; did you mean --port?"),
    ("serve x", "x: it does not belong to any option; see holdfast help serve"),
    ("serve --port 65536", "--port 65536: not a port; write 0 to 65535"),
    ("serve --port 1 --port 2", "--port: given twice; keep one of them"),
    ("serve --host=", #"--host "": no address; write 0.0.0.0 for all"#),
    ("serve --key a --key=", "--key: no key; write one, or name a file with @FILE"),
    ("serve --key env:NONE", "--key: no such variable in the environment; set it, or name another one"),
    ("serve --key", "--key: its value is missing; write --key KEY|@FILE"),
    ("serve --max-connections 0", "--max-connections 0: not a number of connections; write 1 to 1000"),
  ]
}
