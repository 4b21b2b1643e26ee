import HoldfastCommands

extension PublishCommand {
  static var help: String {
    """
    Usage: holdfast publish [OPTION]...

    Captures video and audio, encodes them once, publishes and records them, until
    stopped (SIGINT, SIGTERM) or a time limit is reached. By default uses the camera
    and the microphone; if one of them is missing, the start fails (66).

    \(options)

      Defaults are in brackets.
      Times are written 90, 1.5s, 250ms, 10m or 2h; rates 2500k, 2.5M or 128000.
      --OPTION VALUE and --OPTION=VALUE mean the same.

    Video sources:
    \(HelpText.table([
      ("camera", "the first camera"),
      ("camera:/dev/video0", "the camera at this device file"),
      ("camera:SERIAL", "the camera with this identity (see holdfast devices)"),
      ("screen", "the X screen of $DISPLAY, with its pointer"),
      ("screen::0+0,0,640x480", "an area of an X display: X,Y,WIDTHxHEIGHT"),
      ("test", "the test picture"),
      ("file:PATH", "a file, in real time"),
      ("URL", "a network source: rtsp, rtmp, srt or http; also @FILE, env:NAME"),
      ("grid", "the tiles of --tile, composed to one picture"),
      ("stage:https://HUB/NAME", "the members on a session's stage, as its programme"),
      ("off", "no video"),
    ]))

    Audio sources:
    \(HelpText.table([
      ("mic", "the first microphone"),
      ("mic:hw:1,0", "the microphone with this ALSA name"),
      ("tone", "the test tone"),
      ("file:PATH", "a file, in real time"),
      ("URL", "a network source, as for the picture"),
      ("grid", "the sum of the sounds of all tiles"),
      ("stage:https://HUB/NAME", "the sum of the sounds of a session's stage"),
      ("off", "no audio"),
    ]))

    \(precedence)

    Examples:
      holdfast publish
          record the camera and the microphone until Ctrl-C
      holdfast publish --video test --audio tone --duration 10s
          try without devices
      holdfast publish --name hall --video camera:/dev/video2 --size 1920x1080 \\
          --bitrate 6M --record /srv/recordings --events -
      HOLDFAST_AUDIO=off holdfast publish --config hall.json5
          with { name: "hall", video: "camera", fps: 25, bitrate: "4M" } in the file
      CAMERA=rtsp://user:password@camera/1 holdfast publish \\
          --video env:CAMERA --audio env:CAMERA
          record a network camera, its password not in the process list
      holdfast publish --video grid --audio grid --tile Stage=camera \\
          --tile 'Second room=rtmp://media/live/room' --tile Slides=screen
          compose several sources, and switch with holdfast ctl layout and spotlight

    \(HelpText.exitStatuses)
    """
  }

  private static var options: String {
    Options.groups.map { title, options in
      let rows = options.map { ($0.term, meaning(of: $0)) }
      let help = title == "Configuration" ? [("--help", "show this help")] : []
      return "\(title):\n\(HelpText.table(rows + help))"
    }.joined(separator: "\n\n")
  }

  private static func meaning(of option: Option) -> String {
    option.help + (option.defaultText.map { " [\($0)]" } ?? "")
  }

  private static var precedence: String {
    let example = Options.all.first { $0.key.contains(where: \.isUppercase) }
    let names = example.map { "\($0.flag) is \($0.key) in the file and \($0.variable) in the environment." }
    return HelpText.wrapped(
      """
      Settings come from the defaults, the configuration file (JSON5), the environment and the flags; later \
      ones win. \(Option.configurationFile.flag) or \(Option.configurationFile.variable) names the file. \
      \(names ?? "") Recordings are named DIR/NAME-20261121T042210Z.mp4, with the UTC start time.
      """, columns: HelpText.columns
    ).joined(separator: "\n")
  }
}
