import TestRandomness
import TestSupport

/// Takes away network sources of a broadcast, and checks what it has recorded. An RTSP camera is pulled that many times,
/// every source once in each way. Twenty pulls take about six minutes.
enum SoakSources {
  static func run(_ arguments: Arguments) throws -> Bool {
    let (pulls, seed) = (try arguments.number(0, default: 20), try arguments.seed(1))
    print(
      "test picture and tone at 640x360 and 30 pictures a second, then 1280x720; recorded at 640x360; seed \(seed)\n"
    )
    var random = SplitMix64(seed: seed)
    var table = SourcesTable()
    for kind in FarEnd.Kind.allCases {
      let faults = SourceFault.plan(pulls: kind == .rtsp ? pulls : 1, using: &random)
      do {
        table.add(try SourceRun(kind, faults), kind)
      } catch {
        table.claims.expect(false, "\(kind.rawValue): \(error)")
      }
    }
    print(table.text)
    return table.claims.conclude()
  }
}
