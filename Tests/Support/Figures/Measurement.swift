internal import Foundation

/// A program that measures something.
package enum Measurement {
  /// Runs it with the whole numbers of its command line, as many at most as `usage` has words behind the program's. Ends with
  /// status 64 where they are wrong, and with 1 where `body` throws or finds that something does not hold.
  package static func run(_ usage: String, _ body: ([Int]) throws -> Bool) -> Never {
    let words = usage.split(separator: " ")
    let numbers = CommandLine.arguments.dropFirst().map { Int($0) ?? 0 }
    guard numbers.count < words.count, numbers.allSatisfy({ $0 > 0 }) else {
      print("usage: \(usage)")
      exit(64)
    }
    do {
      exit(try body(numbers) ? 0 : 1)
    } catch {
      print("\(words[0]): \(error)")
      exit(1)
    }
  }

  /// Whoever waits for it sees that it goes on; the findings are standard output's.
  package static func progress(_ text: String) {
    FileHandle.standardError.write(Data("\(text)\n".utf8))
  }
}

extension [Int] {
  package func number(_ index: Int, default usual: Int) -> Int { index < count ? self[index] : usual }
}
