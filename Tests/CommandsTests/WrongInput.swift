/// What people get wrong, and what they are told.
enum WrongInput {
  private static let notAnAddress =
    "not an address to publish to; write rtmp://HOST/APP/KEY, rtsp://HOST/PATH or srt://HOST:PORT"
  private static let checkJSON5 =
    "check for a missing or extra bracket, comma, colon or quote, there or just before"

  /// Arguments, separated by spaces.
  static let flags: KeyValuePairs<String, String> = [
    "--bitrat 1M": "--bitrat: no such option; did you mean --bitrate?",
    "--bitrat=1M": "--bitrat: no such option; did you mean --bitrate?",
    "--hepl": "--hepl: no such option; did you mean --help?",
    "--to rtmp://x":
      "--to: an address without an application and a key; "
      + "write rtmp://HOST/APP/KEY, rtsp://HOST/PATH or srt://HOST:PORT",
    "--to http://host/secret-key": "--to: \(notAnAddress)",
    "--to env:NO_SUCH_VARIABLE":
      "--to env:NO_SUCH_VARIABLE: no such environment variable; set it to an address",
    "--to rtmp://host/app/key --publish-type 7":
      "--publish-type 7: not one of record, live or append; choose one of them",
    "--interrupt-on locked": "--interrupt-on locked: not lock or inactive; did you mean lock?",
    "--interrupt-on lock,sleeping":
      "--interrupt-on lock,sleeping: not lock or inactive; write lock, inactive, lock,inactive or none",
    "--Name x": "--Name: no such option; did you mean --name?",
    "-x": "-x: no such option; run holdfast help publish",
    "--": "--: no such option; run holdfast help publish",
    "x": "x: unexpected argument; run holdfast help publish",
    "rtmp://host/live/key": "rtmp://…: unexpected argument; run holdfast help publish",
    "--name": "--name: a value is missing; write --name NAME",
    "--name --loop": "--name: a value is missing; write --name NAME",
    "--name a --fps 25 --name=b": "--name: given twice; keep one of them",
    "--loop --loop": "--loop: given twice; keep one of them",
    "--duration soon": "--duration soon: not a duration; write 90, 1.5s, 250ms, 10m or 2h, at most 8784h",
    "--duration -5": "--duration -5: not a duration; write 90, 1.5s, 250ms, 10m or 2h, at most 8784h",
    "--duration 0": "--duration 0: the broadcast would end before it begins; use more than 0",
    "--gop=": #"--gop "": not a duration; write 90, 1.5s, 250ms, 10m or 2h, at most 8784h"#,
    "--gop 61": "--gop 61: out of range; use more than 0 and at most 60s",
    "--segment often": "--segment often: neither a duration nor a size; write 30m, 1h, 500M or 2G",
    "--segment 999ms": "--segment 999ms: segments would be too short; use at least 1s or 1M",
    "--segment 1023k": "--segment 1023k: segments would be too short; use at least 1s or 1M",
    "--on-segment-wait 2h": "--on-segment-wait 2h: out of range; use 0 to 1h",
    "--keep-age 0": "--keep-age 0: nothing would be kept; use at least 1s",
    "--keep-size 1": "--keep-size 1: nothing would be kept; use at least 1M",
    "--keep-size 50GB": "--keep-size 50GB: not a size; write 500M, 50G, 1.5T or a number of bytes",
    "--disk-reserve 2T": "--disk-reserve 2T: out of range; use 0 (off) to 1T",
    "--record-mode rw": "--record-mode rw: not permissions; write three digits, such as 640 or 600",
    "--record-mode 0640": "--record-mode 0640: not permissions; write three digits, such as 640 or 600",
    "--record-mode 755":
      "--record-mode 755: its owner could not record, or others could run it; use 600 to 666",
    "--record-mode 440":
      "--record-mode 440: its owner could not record, or others could run it; use 600 to 666",
    "--sync-every 0": "--sync-every 0: out of range; use 250ms to 60s",
    "--record-queue 500ms": "--record-queue 500ms: out of range; use 1s to 2m",
    "--bitrate fast": "--bitrate fast: not a bitrate; write 2500k, 2.5M or 128000",
    "--bitrate 1": "--bitrate 1: out of range; use 50k to 200M",
    "--audio-bitrate 1M": "--audio-bitrate 1M: out of range; use 16k to 510k",
    "--size big": "--size big: not a size; write WIDTHxHEIGHT, such as 1280x720",
    "--size 641x361": "--size 641x361: encoders require an even width and height; use 640x360",
    "--size 9x9": "--size 9x9: the picture is too small or too large; use a width and height of 64 to 7680",
    "--fps many": "--fps many: not a frame rate; write 30, 29.97 or 30000/1001",
    "--fps 500": "--fps 500: out of range; use 1 to 240 frames per second",
    "--encoder x265":
      "--encoder x265: not one of auto, x264, vaapi, qsv, nvenc, v4l2m2m or copy; did you mean x264?",
    "--video-codec vp9": "--video-codec vp9: not one of h264, hevc or av1; choose one of them",
    "--video-codec aac": "--video-codec aac: not one of h264, hevc or av1; choose one of them",
    "--audio-codec ops": "--audio-codec ops: not one of aac or opus; did you mean opus?",
    "--video cam":
      "--video cam: not one of camera, camera:DEVICE, screen, screen:DISPLAY, test, file:PATH, URL, grid, stage:URL or off; did you mean camera?",
    "--video camera:":
      "--video camera:: not one of camera, camera:DEVICE, screen, screen:DISPLAY, test, file:PATH, URL, grid, stage:URL or off; choose one of them",
    "--audio mik:hw:1":
      "--audio mik:hw:1: not one of mic, mic:DEVICE, tone, file:PATH, URL, grid, stage:URL or off; did you mean mic?",
    "--events=": #"--events "": empty; use a file name or -"#,
    "--config=": #"--config "": empty; use a file name, or leave it out"#,
    "--loop=maybe": "--loop=maybe: not a boolean; write true or false",
    "--loop": "--loop: only files can loop; leave it out, or use a file:PATH source",
    "--video off --audio=off":
      "--video off and --audio off: video and audio are both off; turn one of them on",
    "--video-codec av1 --encoder v4l2m2m":
      "--encoder v4l2m2m and --video-codec av1: v4l2m2m supports H.264 only; "
      + "choose the encoder auto, vaapi, qsv, nvenc or copy",
  ]

  /// Arguments with spaces and line ends, or nothing, in them.
  static let oddFlags: KeyValuePairs<[String], String> = [
    [""]: #""": unexpected argument; run holdfast help publish"#,
    ["--name", "a\nb"]:
      #"--name "a\nb": not usable in file names; "#
      + #"use 1 to 64 of a-z, A-Z, 0-9 and . _ -, starting with a letter or digit"#,
    ["--on-segment", " "]: #"--on-segment " ": no command; write a shell command"#,
    ["--record", ""]: #"--record "": empty; use a folder or off"#,
  ]

  static let variables: KeyValuePairs<String, String> = [
    "HOLDFAST_BITRAT=1M": "HOLDFAST_BITRAT: no such variable; did you mean HOLDFAST_BITRATE?",
    "HOLDFAST_TO=x": "HOLDFAST_TO: \(notAnAddress)",
    "HOLDFAST_=x": "HOLDFAST_: no such variable; run holdfast help publish",
    "HOLDFAST_FPS=many": "HOLDFAST_FPS=many: not a frame rate; write 30, 29.97 or 30000/1001",
    "HOLDFAST_FPS=": #"HOLDFAST_FPS="": not a frame rate; write 30, 29.97 or 30000/1001"#,
    "HOLDFAST_BITRATE=1": "HOLDFAST_BITRATE=1: out of range; use 50k to 200M",
    "HOLDFAST_LOOP=maybe": "HOLDFAST_LOOP=maybe: not a boolean; write true or false",
    "HOLDFAST_CONFIG=": #"HOLDFAST_CONFIG="": empty; use a file name, or leave it out"#,
  ]

  /// Contents of `hall.json5`.
  static let settings: KeyValuePairs<String, String> = [
    "{ bitrat: 1 }": "bitrat in hall.json5: no such setting; did you mean bitrate?",
    "{ 'video-codec': 'av1' }": "video-codec in hall.json5: no such setting; did you mean videoCodec?",
    "{ config: 'x' }": "config in hall.json5: no such setting; run holdfast help publish",
    "{ bitrate: 'fast' }": "bitrate fast in hall.json5: not a bitrate; write 2500k, 2.5M or 128000",
    "{ bitrate: 1 }": "bitrate 1 in hall.json5: out of range; use 50k to 200M",
    "{ bitrate: NaN }": "bitrate nan in hall.json5: not a bitrate; write 2500k, 2.5M or 128000",
    "{ bitrate: 1e999 }": "bitrate in hall.json5: invalid value; correct it",
    "{ interruptOn: ['lock', 1] }":
      #"interruptOn ["lock",1] in hall.json5: not text or a list of text values; write interruptOn: ["…"]"#,
    "{ interruptOn: ['lock', 'away'] }":
      "interruptOn away in hall.json5: not lock or inactive; write lock, inactive, lock,inactive or none",
    "{ name: 5 }": #"name 5 in hall.json5: not text; write name: "…""#,
    "{ name: null }": #"name null in hall.json5: not text; write name: "…""#,
    "{ fps: true }":
      #"fps true in hall.json5: not text or a number; write fps: a number, or "…" with a unit"#,
    "{ fps: [{a: 1}] }":
      #"fps [{"a":1}] in hall.json5: not text or a number; write fps: a number, or "…" with a unit"#,
    "{ loop: 1 }": "loop 1 in hall.json5: not true or false; write loop: true",
    "{ loop: 'true' }": #"loop "true" in hall.json5: not true or false; write loop: true"#,
    "[]": #"hall.json5: not an object; write { name: "value" }"#,
    "": "hall.json5:1:1: not valid JSON5: expected a value; \(checkJSON5)",
    "{ name: 'a'": "hall.json5:1:12: not valid JSON5: the { in line 1 is not closed; \(checkJSON5)",
    "{ name: tru }": "hall.json5:1:9: not valid JSON5: expected a value; \(checkJSON5)",
  ]

  /// Commands other than publish, with their arguments.
  static let commands: KeyValuePairs<String, String> = [
    "help publsh": "publsh: no such command; did you mean publish?",
    "help verbose": "verbose: no such command; run holdfast --help",
    "help publish x": "x: help takes one command; leave it out",
    "devices --jsn": "--jsn: no such option; did you mean --json?",
    "devices x": "x: unexpected argument; run holdfast help devices",
    "devices --json --json": "--json: given twice; keep one of them",
    "verify": "verify: no recording; write holdfast verify RECORDING",
    "verify a.mp4 --jsn": "--jsn: no such option; did you mean --json?",
    "verify a.mp4 --marks": "--marks: a value is missing; write --marks WHEN",
    "verify a.mp4 --marks requir": "--marks requir: not one of off, auto or require; did you mean require?",
    "verify a.mp4 b.mp4 --journal c": "--journal: more than one recording; verify them one at a time",
    "verify a.mp4 --journal": "--journal: a value is missing; write --journal FILE",
    "repair": "repair: no recording; write holdfast repair RECORDING",
    "repair a.mp4 b.mp4": "repair: more than one recording; use only one",
    "repair a.mp4 --inplace": "--inplace: no such option; did you mean --in-place?",
    "repair a.mp4 --in-place --output b.mp4": "--output and --in-place: two targets; leave one of them out",
    "repair a.mp4 --like": "--like: a value is missing; write --like OTHER.mp4",
    "repair a.mp4 --json --json": "--json: given twice; keep one of them",
    "export": "export: no recording; write holdfast export RECORDING --output OUT.mp4",
    "export a.mp4": "--output: required; write --output FILE",
    "export a.mp4 --output": "--output: a value is missing; write --output FILE",
    "export a.mp4 --output=": #"--output "": empty; use a file name"#,
    "export a.mp4 --output b.avi": "--output b.avi: not a .mp4 or .mkv file; choose one of them",
    "export a.mp4 --output mp4": "--output mp4: not a .mp4 or .mkv file; choose one of them",
    "export a.mp4 --outptu b.mp4": "--outptu: no such option; did you mean --output?",
    "export a a --output b.mp4": "a: given twice; use each recording only once",
    "export a --output=b.mp4 --output c.mp4": "--output: given twice; keep one of them",
    "export a --output b.mp4 --gaps cut": "--gaps cut: not one of close or keep; choose one of them",
    "export a --output b.mp4 --chapters no": "--chapters no: not on or off; choose one of them",
    "export a --output b.mp4 --captions b.mp4":
      "--captions b.mp4: the same file as --output; choose another name",
    "token": "token: no secret to sign with; use --secret FILE, or create one with --new-secret FILE",
    "token --secret a": "--name: required; write --name WHO",
    "token --secret a --name A": "--role: required; write --role ROLE",
    "token --secret a --name A --role hst":
      "--role hst: not one of host, manager, participant, worker or operator; did you mean host?",
    "token --secret a --name A --role host": "--session: required; write --session NAME",
    "token --secret a --name A --role host --session s --lasts long":
      "--lasts long: not a duration; write 90, 1.5s, 250ms, 10m or 2h, at most 8784h",
    "token --secrt a": "--secrt: no such option; did you mean --secret?",
    "token --secret": "--secret: a value is missing; write --secret FILE",
    "token --secret --name": "--secret: a value is missing; write --secret FILE",
    "token --secret a --secret b": "--secret: given twice; keep one of them",
    "token eyJh.eyJz.sig": "token: unexpected argument; run holdfast help token",
    "token --revoke a1": "--session: required; write --session NAME",
    "token --revoke é --session s":
      "--revoke é: not a token id; holdfast token prints it when it creates a token",
    "token --revoke a1 --new-secret b":
      "--new-secret and --revoke: mutually exclusive; leave one of them out",
    "token --new-secret b --name A": "--name: not used with --new-secret; leave it out",
    "token --list-revoked=all": "--list-revoked all: not a boolean; write true or false",
    "check rtmp://a/b/c rtmp://a/b/d": "check: more than one address; use only one",
    "check http://host/secret-key": "check: \(notAnAddress)",
    "check rtmp://a/b/c --timeout=0": "--timeout: out of range; use more than 0 and at most 10m",
    "demo --fps=25": "--fps: no such option; run holdfast help demo",
    "serve --prot 1": "--prot: no such option; did you mean --port?",
    "serve x": "x: unexpected argument; run holdfast help serve",
    "serve --port 65536": "--port 65536: not a port; write 0 to 65535",
    "serve --port 1 --port 2": "--port: given twice; keep one of them",
    "serve --host=": #"--host "": no address; write 0.0.0.0 for all addresses"#,
    "serve --key a --key=": "--key: no key; write a key, or @FILE",
    "serve --key env:NONE": "--key: no such environment variable; set it, or choose another",
    "serve --host 0.0.0.0":
      "--host 0.0.0.0: anyone who reaches this address could write files; add --key, or --dir off",
    "serve --host example.org":
      "--host example.org: anyone who reaches this address could write files; add --key, or --dir off",
    "serve --tls-key a": "--tls-key: a key without a certificate; add its certificate with --tls-cert",
    "serve --tls-cert": "--tls-cert: a value is missing; write --tls-cert FILE",
    "serve --key": "--key: a value is missing; write --key KEY|@FILE",
    "serve --max-connections 0": "--max-connections 0: not a number of connections; write 1 to 1000",
  ]
}
