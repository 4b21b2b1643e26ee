import Foundation
import SessionSimulation

/// `simulate-sessions [SEED [MINUTES [SESSIONS [BOXES [RUNS [MUTANT]]]]]]`: runs of sessions in virtual time, each
/// determined by its number.
@main enum SimulateSessions {
  static func main() throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    func number(_ index: Int, _ standard: UInt64) -> UInt64 {
      arguments.indices.contains(index) ? UInt64(arguments[index]) ?? standard : standard
    }
    let (seed, minutes) = (number(0, 0), Int64(number(1, 10)))
    let (sessions, boxes, runs) = (Int(number(2, 3)), Int(number(3, 12)), number(4, 1))
    let mutant = arguments.count > 5 ? Mutation.allCases.first { "\($0)" == arguments[5] } : nil
    var settings = SessionRun.Settings()
    if boxes > 50 { settings = .large(sessions: sessions, boxes: boxes, length: minutes * 60_000_000_000) }
    (settings.sessions, settings.boxes) = (sessions, boxes)
    if mutant != nil { settings.faultEvery = 3_000_000_000 }
    settings.length = minutes * 60_000_000_000
    settings.isTraced =
      ProcessInfo.processInfo.environment["TRACE"] != nil || !settings.isLarge && minutes < 100
    var figures = SessionRun.Figures()
    let began = Date()
    for seed in seed..<(seed + runs) {
      let run = try SessionRun(seed: seed, settings, mutation: mutant)
      var shown = Date()
      run.run { now in
        guard Date().timeIntervalSince(shown) > 30 else { return }
        shown = Date()
        print("\(now / 3_600_000_000_000) h after \(Int(Date().timeIntervalSince(began))) s")
      }
      figures.add(run.figures)
      guard run.problem != nil else { continue }
      print(run.story)
      print("\(Int(Date().timeIntervalSince(began))) s: \(figures)")
      exit(1)
    }
    print("\(runs) runs in \(String(format: "%.1f", Date().timeIntervalSince(began))) s: \(figures)")
  }
}
