import Glibc
import TestTraits
import Testing

/// The test program's entry. With one of ours, the package manager looks for no XCTest cases, for which it would need an
/// index of all sources.
@main enum Entry {
  static func main() async {
    // Asked for the tests of XCTest, it has none.
    guard CommandLine.arguments.contains("swift-testing") else { return }
    let status = await withTaskExecutorPreference(Threads.few) {
      await Testing.__swiftPMEntryPoint() as CInt
    }
    exit(status)
  }
}
