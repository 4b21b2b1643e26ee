/// The arguments are not those of the usage.
struct UsageError: Error {}

/// The words behind a subcommand's name.
struct Arguments {
  let words: [String]

  /// At most one word for each placeholder in `usage`; any number if it has an ellipsis.
  init(_ words: ArraySlice<String>, usage: String) throws {
    guard usage.contains("…") || words.count <= usage.split(separator: " ").count else { throw UsageError() }
    self.words = Array(words)
  }

  /// The whole number at `index`, or `usual` if there is no such word.
  func number(_ index: Int, default usual: Int, from least: Int = 1) throws -> Int {
    guard index < words.count else { return usual }
    guard let number = Int(words[index]), number >= least else { throw UsageError() }
    return number
  }

  /// The number at `index`, or a random one.
  func seed(_ index: Int) throws -> UInt64 { UInt64(try number(index, default: .random(in: 1...999_999))) }
}
