import TestSupport

/// Publishes to hostile servers, those whose name contains one of the words.
enum Attack {
  static func run(_ arguments: Arguments) throws -> Bool {
    let (seconds, names) = (try arguments.number(0, default: 60), arguments.words.dropFirst())
    let peers = AttackPeer.all.filter { peer in
      names.isEmpty || names.contains { peer.name.contains($0) }
    }
    guard !peers.isEmpty else { throw UsageError() }
    print(
      "640x360 at 30, 1 Mb/s, test picture and tone, \(seconds) s to each hostile server, to holdfast serve and to a "
        + "recording\n")
    printRow("peer", "connections", "publishing", "peak MB", "CPU", "recording and other output")
    var failures = 0
    for peer in peers {
      do {
        let run = try AttackRun(peer, seconds: seconds)
        failures += run.faults.isEmpty ? 0 : 1
        printRow(
          peer.name, "\(run.connections)", "\(run.publishes)", figure(run.peak),
          figure(run.processorShare, 2), run.faults.isEmpty ? "whole" : run.faults.joined(separator: "; "))
      } catch {
        failures += 1
        printRow(peer.name, "-", "-", "-", "-", "\(error)")
      }
    }
    print(failures == 0 ? "\nall of it holds" : "\n\(failures) do not hold")
    return failures == 0
  }

  private static func printRow(_ cells: String...) { print(row(cells, [34, 13, 12, 9, 6, 0])) }
}
