import Foundation

package enum Measurement {
  /// Runs `body` with the whole numbers of the command line, at most one for each placeholder in `usage`.
  /// Exits with 64 for invalid arguments, and with 1 if `body` throws or returns false.
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

  /// Prints progress to standard error; results go to standard output.
  package static func progress(_ text: String) { FileHandle.standardError.write(Data("\(text)\n".utf8)) }
}

extension [Int] {
  package func number(_ index: Int, default usual: Int) -> Int { index < count ? self[index] : usual }
}
