import Testing

/// The test program's entry. With one of ours, the package manager looks for no XCTest cases, for which it would need an
/// index of all sources.
@main enum EntryPoint {
  static func main() async { await Testing.__swiftPMEntryPoint() as Never }
}
