import HoldfastLifecycle
import HoldfastMediaModel

/// Ten thousand broadcasters that lose one server, and how they come back: `fleet [PICTURE]` prints a table and draws it.
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
