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
    var claims = Claims()
    for peer in peers {
      do {
        let run = try AttackRun(peer, seconds: seconds)
        claims.expect(run.faults.isEmpty, peer.name)
        printRow(
          peer.name, "\(run.connections)", "\(run.publishes)", figure(run.peak),
          figure(run.processorShare, 2), run.faults.isEmpty ? "whole" : run.faults.joined(separator: "; "))
      } catch {
        claims.expect(false, peer.name)
        printRow(peer.name, "-", "-", "-", "-", "\(error)")
      }
    }
    return claims.conclude()
  }

  private static func printRow(_ cells: String...) {
    print(zip(cells, [34, 13, 12, 9, 6, 0]).map(padded).joined(separator: " "))
  }
}
