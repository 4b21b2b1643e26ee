import HoldfastMarks
import HoldfastMediaModel
import TestSupport

/// For each source and fault: how much is missing and told, how far these are apart, and how fast it was.
struct SourcesTable {
  private var lines = [
    ["source", "fault", "times", "lost", "missing s", "told s", "apart ms", "noticed s", "back s"]
  ]
  var claims = Claims()

  /// A picture, and the rounding of the event lines.
  private static let lossBar = LossComparison.picture + 1
  private static let offsetBar = 20.0
  private static let stepBar = -40.0

  var text: String { ([aligned(lines), ""] + claims.lines).joined(separator: "\n") }

  mutating func add(_ run: SourceRun, _ kind: FarEnd.Kind) {
    let measured = Array(zip(run.injected, run.comparison.rows))
    for name in SourceFault.names {
      let some = measured.filter { $0.0.fault.name == name }
      guard !some.isEmpty else { continue }
      let lost = some.filter(\.0.isLost)
      func most(_ values: [Double]) -> String { values.max().map { figure($0, 2) } ?? "-" }
      lines.append([
        kind.rawValue, name, "\(some.count)", "\(lost.count)",
        figure(some.reduce(0) { $0 + $1.1.missing } / 1000, 2),
        figure(some.reduce(0) { $0 + $1.1.told } / 1000, 2),
        figure(some.map { abs($0.1.apart) }.max() ?? 0), most(lost.map(\.0.noticed)),
        most(lost.map(\.0.back)),
      ])
    }
    check(run, kind)
  }

  private mutating func check(_ run: SourceRun, _ kind: FarEnd.Kind) {
    func expect(_ holds: Bool, _ claim: String) { claims.expect(holds, "\(kind.rawValue): \(claim)") }
    let apart = run.comparison.rows.map { abs($0.apart) }
    expect(
      apart.allSatisfy { $0 <= Self.lossBar },
      "told is what is missing, within a picture: at most \(figure(apart.max() ?? 0)) ms apart")
    let (elsewhere, back) = (run.comparison.elsewhere, run.comparison.back)
    expect(
      elsewhere.missing == 0 && elsewhere.told == 0 && back == 0,
      "nothing else is missing, told or shown twice: \(figure(elsewhere.missing)) ms, \(figure(elsewhere.told)) ms, \(back)"
    )
    expect(
      run.faults.isEmpty,
      "one recording that verify finds whole, without an interruption: "
        + (run.faults.isEmpty
          ? figure(run.seconds, 0) + " s" : run.faults.joined(separator: "; ")))
    guard let steps = run.steps else { return }
    let offset = run.report.greatestOffset ?? .infinity
    expect(
      offset <= Self.offsetBar,
      "sound and picture stay within \(figure(Self.offsetBar, 0)) ms: "
        + (run.report.offset.map { "\($0) at \(run.report.offsets.count) beeps" } ?? "no beeps"))
    let loudest = SoundSteps.decibels(steps.atJoints)
    expect(
      loudest <= Self.stepBar,
      "no step over \(figure(Self.stepBar, 0)) dBFS at \(steps.joints) joints of sound: at most \(figure(loudest)) dBFS"
        + " (at \(figure(steps.loudestAt, 2)) s), elsewhere \(figure(SoundSteps.decibels(steps.elsewhere))) dBFS"
    )
  }
}
