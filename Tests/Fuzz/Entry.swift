import Glibc

/// The entry point of libFuzzer. `FUZZ_TARGET` selects the target; with `FUZZ_SEEDS`, the program writes the
/// target's
/// seeds to that folder and exits.
@c(LLVMFuzzerTestOneInput)
package func runOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  target.run(UnsafeBufferPointer(start: bytes, count: bytes == nil ? 0 : count).span)
  return 0
}

@c(LLVMFuzzerInitialize)
package func initialize(
  _ count: UnsafeMutablePointer<Int32>?,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>?
) -> Int32 {
  if let folder = environment("FUZZ_SEEDS") {
    for (index, seed) in target.seeds().enumerated() {
      guard let file = fopen("\(folder)/seed-\(index < 10 ? "0" : "")\(index)", "w") else { exit(74) }
      fwrite(seed, 1, seed.count, file)
      fclose(file)
    }
    exit(0)
  }
  return 0
}

private let target: FuzzTarget = {
  let name = environment("FUZZ_TARGET") ?? ""
  guard let target = FuzzTarget.all.first(where: { $0.name == name }) else {
    print("FUZZ_TARGET has to be one of", FuzzTarget.all.map(\.name).joined(separator: ", "))
    exit(64)
  }
  return target
}()

private func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
