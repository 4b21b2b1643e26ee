import HoldfastMediaModel
import TestSupport
import Testing

@testable import HoldfastTokens

/// No variation of a valid token is accepted.
@Suite struct TokenMutationTests {
  private let scratch = ScratchFolder()
  private let verifier: TokenVerifier
  private let bytes = Array(HandMadeToken().text.utf8)

  init() throws { verifier = try HandMadeToken.verifier(in: scratch) }

  /// The mutants that are accepted, or refused for a reason that only a signed token has.
  private func taken(_ mutants: some Sequence<[UInt8]>) -> [String] {
    mutants.filter { $0 != bytes }.map { String(decoding: $0, as: UTF8.self) }.filter {
      ![.malformed, .forged, .missing].contains(refusal(of: $0, by: verifier)?.kind)
    }
  }

  @Test func `a token with any bit flipped is rejected`() {
    let flipped = (0..<bytes.count * 8).map { bit in
      var mutant = bytes
      mutant[bit / 8] ^= 1 << (bit % 8)
      return mutant
    }
    #expect(flipped.count > 1000)
    #expect(taken(flipped) == [])
  }

  @Test func `a prefix or suffix of a token is rejected`() {
    #expect(
      taken(bytes.indices.map { Array(bytes[..<$0]) } + bytes.indices.map { Array(bytes[$0...]) }) == [])
  }

  @Test func `a token with a letter missing, doubled or swapped is rejected`() {
    let without = bytes.indices.map { index in Array(bytes[..<index] + bytes[(index + 1)...]) }
    let doubled = bytes.indices.map { index in Array(bytes[...index] + bytes[index...]) }
    let swapped = bytes.indices.dropLast().map { index in
      var mutant = bytes
      mutant.swapAt(index, index + 1)
      return mutant
    }
    #expect(taken(without + doubled + swapped) == [])
  }

  @Test func `a token with random changes is rejected`() {
    var state: UInt64 = 7
    func draw(_ count: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % count
    }
    let mutants = (0..<5000).map { _ in
      var mutant = bytes
      for _ in 0...draw(6) {
        switch draw(4) {
        case 0: mutant[draw(mutant.count)] = UInt8(draw(256))
        case 1: mutant.insert(UInt8(draw(128)), at: draw(mutant.count))
        case 2: mutant.remove(at: draw(mutant.count))
        default: mutant += mutant.suffix(draw(8))
        }
      }
      return mutant
    }
    #expect(taken(mutants) == [])
  }

  @Test func `a token with another token's signature is forged`() {
    let host = HandMadeToken.with("role", #""host""#)
    let signature = bytes.split(separator: UInt8(ascii: ".")).last.map(Array.init) ?? []
    let mixed = Array(host.signedPart.utf8) + [UInt8(ascii: ".")] + signature
    #expect(refusal(of: String(decoding: mixed, as: UTF8.self), by: verifier)?.kind == .forged)
  }
}
