import Foundation
import TestSupport

/// `soak-crashes [KILLS [SEED]]`: kills a broadcast again and again, and says what its recording lacks and what its journal
/// says that it lacks.
@main enum SoakCrashes {
  static func main() {
    let numbers = CommandLine.arguments.dropFirst().map { UInt64($0) }
    guard numbers.count <= 2, !numbers.contains(nil) else {
      print("usage: soak-crashes [KILLS [SEED]]")
      exit(64)
    }
    do {
      try soak(kills: Int(numbers.first??.description ?? "") ?? 50, seed: numbers.dropFirst().first ?? nil)
    } catch {
      print("soak-crashes: \(error)")
      exit(1)
    }
  }

  private static func soak(kills: Int, seed: UInt64?) throws {
    let folder = try ScratchFolder()
    let run = try CrashRun(seed: seed ?? .random(in: 0...999_999), in: folder)
    print("\(kills) kills, seed \(run.seed)")
    try run.killAgainAndAgain(kills)
    run.finish()
    let (told, missing) = (run.toldAsOne, try run.missing())
    print(
      "\(run.told.count) of them while media time ran; nothing recorded in between makes two of them one gap")
    print("gap    missing       told   difference")
    for index in 0..<max(told.count, missing.count) {
      let (lacks, says) = (index < missing.count ? missing[index] : 0, index < told.count ? told[index] : 0)
      print(
        String(format: "%3d  %7.3f s  %7.3f s  %7.1f ms", index + 1, lacks, says, (says - lacks) * 1000))
    }
    let total = (told.reduce(0, +) - missing.reduce(0, +)) * 1000
    print(String(format: "difference in all: %.1f ms", total))
    print("broadcasts \(run.broadcasts.count), recordings \(run.recordings.count)")
    print("publishes: \(run.publishes.count), record \(run.publishes.count { $0 == "record" })")
    for path in [try run.recording(), run.serverFile] {
      let media = try ServerMedia(path: path)
      print("\(path.split(separator: "/").last ?? ""): times rise \(media.isMonotone)\n\(media.report)")
    }
    let isRight = run.broadcasts.count == 1 && run.recordings.count == 1 && abs(total) <= 67
    if !isRight { exit(1) }
  }
}
