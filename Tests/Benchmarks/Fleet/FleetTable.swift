struct FleetTable {
  private let runs: [FleetRun]

  init(_ runs: [FleetRun]) {
    self.runs = runs
  }

  var text: String {
    let head = """
      | the server is lost | waits | peak, first 10 s | peak, last 10 s away | peak once it is back | 50 % back | 90 % | 99 % | all |
      |---|---|---|---|---|---|---|---|---|
      """
    return ([head] + runs.map(line)).joined(separator: "\n")
  }

  private func line(_ run: FleetRun) -> String {
    let outage = FleetRun.outage
    let peaks = [
      run.peak(from: 0, to: 1000), run.peak(from: outage - 1000, to: outage),
      run.peak(from: outage, to: FleetRun.end),
    ]
    let backs = [50, 90, 99, 100].map { run.back($0).map { "\($0) s" } ?? "later" }
    let cells = [run.scenario.rawValue, run.spread.rawValue] + peaks.map { "\($0)/s" } + backs
    return "| " + cells.joined(separator: " | ") + " |"
  }
}
