import Foundation
import SessionSimulation
import TestSupport
import TestVirtualTime

/// Runs sessions in virtual time, each determined by its number.
enum SimulateSessions {
  static func run(_ arguments: Arguments) throws -> Bool {
    let seed = UInt64(try arguments.number(0, default: 0, from: 0))
    let length = Int64.minutes(Int64(try arguments.number(1, default: 10)))
    let (sessions, boxes) = (try arguments.number(2, default: 3), try arguments.number(3, default: 12))
    let runs = UInt64(try arguments.number(4, default: 1))
    let mutant = try arguments.words.dropFirst(5).first.map { name in
      guard let mutant = Mutation.allCases.first(where: { "\($0)" == name }) else { throw UsageError() }
      return mutant
    }
    var settings = SessionRun.Settings()
    if boxes > 50 { settings = .large(sessions: sessions, boxes: boxes, length: length) }
    (settings.sessions, settings.boxes, settings.length) = (sessions, boxes, length)
    if mutant != nil { settings.faultEvery = .s(3) }
    settings.isTraced =
      ProcessInfo.processInfo.environment["TRACE"] != nil || !settings.isLarge && length < .minutes(100)
    var figures = SessionRun.Figures()
    let began = Date()
    func taken(_ places: Int) -> String { figure(-began.timeIntervalSinceNow, places) }
    for seed in seed..<(seed + runs) {
      let run = try SessionRun(seed: seed, settings, mutation: mutant)
      var shown = Date()
      run.run { now in
        guard Date().timeIntervalSince(shown) > 30 else { return }
        shown = Date()
        print("\(now / .hours(1)) h after \(taken(0)) s")
      }
      figures.add(run.figures)
      guard run.problem != nil else { continue }
      print(run.story)
      print("\(taken(0)) s: \(figures)")
      return false
    }
    print("\(runs) runs in \(taken(1)) s: \(figures)")
    return true
  }
}
