/// Tabulates and draws how ten thousand broadcasters recover from the loss of their server.
enum Fleet {
  static func run(_ arguments: Arguments) throws -> Bool {
    let runs = FleetRun.Scenario.allCases.flatMap { scenario in
      FleetRun.Spread.allCases.map { FleetRun(scenario, $0) }
    }
    print(
      """
      | the server is lost | waits | peak, first 10 s | peak, last 10 s away | peak once it is back | 50 % back | 90 % | 99 % | all |
      |---|---|---|---|---|---|---|---|---|
      """)
    for run in runs { print("| " + cells(run).joined(separator: " | ") + " |") }
    if let path = arguments.words.first {
      try FleetPicture(runs: runs.filter { $0.scenario == .atOnce }).write(to: path)
    }
    return true
  }

  private static func cells(_ run: FleetRun) -> [String] {
    let outage = FleetRun.outage
    let peaks = [0..<1000, outage - 1000..<outage, outage..<FleetRun.end].map { "\(run.peak(in: $0))/s" }
    let backs = [50, 90, 99, 100].map { run.back($0).map { "\($0) s" } ?? "later" }
    return [run.scenario.rawValue, run.spread.rawValue] + peaks + backs
  }
}
