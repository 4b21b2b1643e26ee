import Foundation
import TestSupport

/// `test-attack [SECONDS] [NAME]...`: publishes to hostile servers, those whose name contains one of the words.
@main enum Attack {
  static func main() {
    let words = CommandLine.arguments.dropFirst()
    let seconds = words.compactMap { Int($0) }.first ?? 60
    let names = words.filter { Int($0) == nil }
    let peers = AttackPeer.all.filter { peer in
      names.isEmpty || names.contains { peer.name.contains($0) }
    }
    guard seconds > 0, !peers.isEmpty else {
      print("usage: test-attack [SECONDS] [NAME]...")
      exit(64)
    }
    print(
      "640x360 at 30, 1 Mb/s, test picture and tone, \(seconds) s to each hostile server, to holdfast serve and to a "
        + "recording\n")
    print(row("peer", "connections", "publishing", "peak MB", "CPU", "recording and other output"))
    var failures = 0
    for peer in peers {
      do {
        let run = try AttackRun(peer, seconds: seconds)
        failures += run.faults.isEmpty ? 0 : 1
        print(
          row(
            peer.name, "\(run.connections)", "\(run.publishes)", figure(run.peak),
            figure(run.processorShare, 2),
            run.faults.isEmpty ? "whole" : run.faults.joined(separator: "; ")))
      } catch {
        failures += 1
        print(row(peer.name, "-", "-", "-", "-", "\(error)"))
      }
    }
    print(failures == 0 ? "\nall of it holds" : "\n\(failures) do not hold")
    exit(failures == 0 ? 0 : 1)
  }

  private static func row(_ cells: String...) -> String {
    zip(cells, [34, 13, 12, 9, 6, 0]).map { padded($0, $1) }.joined(separator: " ")
  }
}
