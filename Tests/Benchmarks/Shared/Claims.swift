import Foundation
import TestSupport

/// What was expected of a measurement, and whether it holds: a line each.
struct Claims {
  private(set) var lines: [String] = []
  private(set) var failures = 0

  var hold: Bool { failures == 0 }

  mutating func expect(_ holds: Bool, _ claim: String, _ measured: String? = nil) {
    lines.append((holds ? "ok   " : "FAIL ") + claim + (measured.map { ": " + $0 } ?? ""))
    if !holds { failures += 1 }
  }

  /// Adds lines that explain the last claim.
  mutating func explain(_ more: [String]) { lines += more }

  mutating func check(offsets: [Double], within bar: Double) {
    expect(
      !offsets.isEmpty && offsets.allSatisfy { abs($0) <= bar },
      "sound within \(figure(bar, 0)) ms of the picture",
      "\(figure(offsets.min() ?? .nan)) to \(figure(offsets.max() ?? .nan)) ms in \(offsets.count) marks")
  }

  /// Prints the verdict on all of them; returns it.
  func conclude() -> Bool {
    print(hold ? "\nall of it holds" : "\n\(failures) do not hold")
    return hold
  }

  /// Says at once whether it holds; `detail` explains why it doesn't.
  mutating func check(_ holds: Bool, _ claim: String, _ detail: @autoclosure () -> String? = nil) {
    expect(holds, claim)
    for line in [lines.last, holds ? nil : detail()].compactMap(\.self) { say(line) }
  }
}

/// Prints a line of the result at once, also into a file.
func say(_ line: String) {
  print(line)
  fflush(nil)
}

/// Prints progress to standard error; results go to standard output.
func progress(_ line: String) { FileHandle.standardError.write(Data("\(line)\n".utf8)) }
