import Foundation
import TestSupport

/// Kills a broadcast repeatedly and compares the losses in its recording with its journal.
enum SoakCrashes {
  static func run(_ arguments: Arguments) throws -> Bool {
    let (kills, seed) = (try arguments.number(0, default: 200), try arguments.seed(1))
    let folder = ScratchFolder()
    // The limit applies to media time, regardless of the number of kills.
    let run = try CrashRun(seed: seed, options: ["--duration", "3600s"], in: folder)
    print("\(kills) kills, seed \(run.seed)")
    var unopened: [String] = []
    let players = Player.allCases.filter(\.isThere)
    try run.killAgainAndAgain(kills) { number in
      for player in players {
        if let problem = player.problem(with: try run.recording()) {
          unopened.append("kill \(number): \(player.rawValue): \(problem)")
        }
      }
    }
    run.finish()
    let (told, missing) = (run.mergedGaps, try run.missing())
    print(
      "\(run.reportedGaps.count) of them while media time ran; nothing recorded in between makes two of them one gap"
    )
    let gaps = (0..<max(told.count, missing.count)).map { index in
      let (lacks, says) = (index < missing.count ? missing[index] : 0, index < told.count ? told[index] : 0)
      return ["\(index + 1)", figure(lacks, 3), figure(says, 3), figure((says - lacks) * 1000)]
    }
    print(aligned([["gap", "missing s", "told s", "difference ms"]] + gaps))
    let total = (told.reduce(0, +) - missing.reduce(0, +)) * 1000
    print(String(format: "difference in all: %.1f ms", total))
    let lost = try run.lostPictures()
    let counted = lost.compactMap(\.self)
    print(
      "pictures lost by a kill: \(counted.max() ?? 0) at most, \(counted.reduce(0, +)) in \(counted.count) kills "
        + "(\(lost.count - counted.count) came before anything was recorded)")
    print(
      "opened unrepaired after each kill by \(players.map(\.rawValue).joined(separator: " and ")): "
        + (unopened.isEmpty ? "always" : "not \(unopened.count) times"))
    for problem in unopened { print("  \(problem)") }
    print("broadcasts \(run.broadcasts.count), recordings \(run.recordings.count)")
    print("publishes: \(run.publishes.count), record \(run.publishes.count { $0 == "record" })")
    for path in [try run.recording(), run.serverFile] {
      let media = try ServerMedia(path: path)
      print("\(path.split(separator: "/").last ?? ""): times rise \(media.isMonotone)\n\(media.report)")
    }
    return run.broadcasts.count == 1 && run.recordings.count == 1 && abs(total) <= 67 && unopened.isEmpty
      && counted.allSatisfy { $0 <= 1 } && !counted.isEmpty
  }
}

/// A player that opens the recording unmodified.
private enum Player: String, CaseIterable {
  case ffprobe, mpv

  var isThere: Bool { Tool.isThere(rawValue) }

  /// The first problem with the file at `path`; nil if it plays.
  func problem(with path: String) -> String? {
    let arguments =
      switch self {
      case .ffprobe: "ffprobe -v error -count_packets -show_entries stream=nb_read_packets -of csv=p=0"
      case .mpv: "mpv --no-config --msg-level=all=error --vo=null --ao=null --untimed --frames=10"
      }
    do {
      // Any error output counts, even with exit status 0.
      let said = try Tool.run(["sh", "-c", "\(arguments) \"$0\" 2>&1", path])
      let errors = said.split(separator: "\n").filter {
        $0.contains { $0.isLetter } && !$0.hasPrefix("video")
      }
      return errors.first { !$0.hasPrefix("audio") }.map(String.init)
    } catch {
      return "\(error)"
    }
  }
}
