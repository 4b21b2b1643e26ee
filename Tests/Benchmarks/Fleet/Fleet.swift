import HoldfastLifecycle
import HoldfastMediaModel

/// `fleet [PICTURE]`: tabulates and draws how ten thousand broadcasters recover from the loss of their
/// server.
@main enum Fleet {
  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst()
    var runs: [FleetRun] = []
    for scenario in FleetRun.Scenario.allCases {
      for spread in FleetRun.Spread.allCases {
        var run = FleetRun(scenario, spread)
        run.go()
        runs.append(run)
      }
    }
    print(FleetTable(runs).text)
    guard let path = arguments.first else { return }
    let drawn = runs.filter { $0.scenario == .atOnce }
    try FleetPicture(drawn).write(to: path)
  }
}
