import HoldfastMediaModel
import HoldfastPlatform
import HoldfastRecording

/// `holdfast export`: one file of a recording, several recordings side by side, or a member's absences.
struct ExportCommand: Command {
  static let name = "export"
  static let summary = "turn a recording into one ordinary file, or align several"
  static let help = """
    Usage: holdfast export RECORDING [PART]... --output OUT.mp4|OUT.mkv [OPTION]...
           holdfast export --align RECORDING... [--edl FILE] [--to OUT.mkv|OUT.mov]
           holdfast export --member NAME RECORDING

    Turns a recording, even an unfinished or truncated one, into one file that plays
    everywhere. Joins a recording of several parts (NAME-…Z.mp4, NAME-…Z-2.mp4) in
    the order given. Recorded media is not re-encoded, and the recording itself is
    never changed.

    With --align, shows when each piece of several recordings was captured, and lays
    them side by side for editing. With --member, lists when a member was away from
    the recording of a programme.

    \(HelpText.table(options))

    Gaps, their causes and wall times are read from the broadcast's journal. Without
    a journal, only gaps that are holes in the file are known, and nothing can be
    aligned.

    Exit status: 0 success, 64 incorrect usage (or OUT already exists), 65 no usable
    content or no journal to align by, 66 no such file, 74 disk full or failing.
    """

  private static let options = [
    Flag("--output", "FILE", help: "output file, .mp4 or .mkv; must not exist"),
    Flag(
      "--gaps", "close|keep",
      help: "close gaps up, or keep them as black and silence of their real length [close]"),
    Flag("--chapters", "on|off", help: "add a chapter for each gap, with time and cause [on]"),
    Flag("--captions", "FILE", help: "write WebVTT captions with the causes of gaps"),
    Flag("--align", help: "show where each recording lies on the wall clock"),
    Flag(
      "--edl", "FILE",
      help: "with --align, write edit lists (CMX 3600): FILE, or one for each recording, numbered"),
    Flag(
      "--to", "FILE",
      help: "with --align, write all recordings as tracks of one .mkv or .mov file; must not exist"),
    Flag("--member", "NAME", help: "list when this member was away, and write nothing"),
    Flag("--json", help: "with --align and --member, print JSON, one line per recording"),
    Flag(
      "--journal", "FILE", isList: true,
      help: "journal of the broadcast; may be repeated with --align [found by the recording's name]"),
  ]

  enum Task: Sendable {
    case file(FileExport)
    case alignment(AlignmentReport)
    case member(MemberReport)
  }

  let task: Task

  init(_ words: [String], environment: [String: String]) throws(Refusal) {
    let arguments = try Arguments(words, of: Self.name, options: Self.options, operands: .accepted)
    let recordings = arguments.operands
    guard !recordings.isEmpty, !recordings.contains("") else {
      throw Refusal(.usage, "export", "no recording", "write holdfast export RECORDING --output OUT.mp4")
    }
    if let twice = recordings.first(where: { part in recordings.count { $0 == part } > 1 }) {
      throw Refusal(.usage, shown(twice), "given twice", "use each recording only once")
    }
    switch (try arguments.isOn("--align"), try arguments.value(of: "--member", .name)) {
    case (false, nil):
      try Self.refuse(["--edl", "--to", "--json"], "needs --align", arguments)
      task = .file(try FileExport(arguments, environment))
    case (true, nil):
      try Self.refuse(["--output", "--gaps", "--chapters", "--captions"], "not used with --align", arguments)
      task = .alignment(try AlignmentReport(arguments, environment))
    case (false, let member?):
      try Self.refuse(
        ["--output", "--gaps", "--chapters", "--captions", "--edl", "--to"], "not used with --member",
        arguments)
      task = .member(try MemberReport(member, arguments, environment))
    case (true, _?):
      throw Refusal(.usage, "--align and --member", "two tasks", "leave one of them out")
    }
  }

  private static func refuse(
    _ flags: [String], _ what: String, _ arguments: Arguments<Flag>
  ) throws(Refusal) {
    if let flag = flags.first(where: arguments.has) {
      throw Refusal(.usage, flag, what, "run holdfast help export")
    }
  }

  func run() throws(Refusal) -> Int32 {
    switch task {
    case .file(let task): try task.run()
    case .alignment(let task): try task.run()
    case .member(let task): try task.run()
    }
  }
}

extension Arguments {
  /// The only journal.
  func journal() throws(Refusal) -> String? {
    let paths = try secrets(of: "--journal", .path)
    guard paths.count < 2 else {
      throw Refusal(.usage, "--journal", "given twice", "keep one of them")
    }
    return paths.first
  }
}
