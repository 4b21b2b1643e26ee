import Foundation
import TestRandomness
import TestSupport

/// `soak-sources [PULLS [SEED]]`: takes away network sources of a broadcast, and checks what it has recorded. An RTSP camera
/// is pulled that many times, every source once in each way. Twenty pulls take about six minutes.
@main enum SoakSources {
  static func main() {
    Measurement.run("soak-sources [PULLS [SEED]]") { numbers in
      try measure(
        pulls: numbers.number(0, default: 20),
        seed: UInt64(numbers.number(1, default: .random(in: 1...999_999))))
    }
  }

  private static func measure(pulls: Int, seed: UInt64) throws -> Bool {
    print(
      "test picture and tone at 640x360 and 30 pictures a second, then 1280x720; recorded at 640x360; seed \(seed)\n"
    )
    var random = SplitMix64(seed: seed)
    var table = SourcesTable()
    for kind in FarEnd.Kind.allCases {
      let faults = SourceFault.plan(pulls: kind == .rtsp ? pulls : 1, of: kind, using: &random)
      do {
        let run = try SourceRun(kind, faults) { Measurement.progress("\(kind.rawValue): \($0)") }
        table.add(run, kind)
      } catch {
        table.fail(kind, "\(error)")
      }
    }
    print(table.text)
    print(table.failures == 0 ? "\nall of it holds" : "\n\(table.failures) do not hold")
    return table.failures == 0
  }
}
