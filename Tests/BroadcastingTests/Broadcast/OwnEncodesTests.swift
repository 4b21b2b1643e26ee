import HoldfastMediaModel
import HoldfastPlatform
import Testing

@testable import HoldfastBroadcasting

extension EncodingLoad {
  static let free = EncodingLoad(encode: 0.2, encodes: 0.2, processors: 2, idle: 1)
  static let full = EncodingLoad(encode: 0.6, encodes: 0.6, processors: 2, idle: 0.3)
  static let overloaded = EncodingLoad(encode: 0.2, encodes: 0.4, processors: 2, idle: 1, isOverloaded: true)
}

@Suite struct OwnEncodesTests {
  private func at(_ seconds: Int64) -> MonotonicTime { MonotonicTime(nanoseconds: 0) + .seconds(seconds) }

  private func begun(_ outputs: String..., load: EncodingLoad? = .free) -> OwnEncodes {
    var encodes = OwnEncodes(highest: ["a": 2000, "b": 2000])
    if let load { _ = encodes.read(load, at: at(0)) }
    for (index, output) in outputs.enumerated() {
      _ = encodes.request(500, of: output, at: at(Int64(index) * 10))
    }
    return encodes
  }

  @Test func `a weak network gets an encode of its own, whose rate follows it`() {
    var encodes = begun()
    #expect(encodes.request(500, of: "a", at: at(1)) == [.begin(output: "a", bitrate: 500)])
    #expect(encodes.request(400, of: "a", at: at(2)) == [.change(output: "a", bitrate: 400)])
    #expect(encodes.adaptation(of: "a") == .own(400) && encodes.adaptation(of: "b") == .shared)
  }

  @Test func `an output shares again when its network has carried the full rate for four seconds`() {
    var encodes = begun("a")
    #expect(encodes.request(2000, of: "a", at: at(20)) == [.change(output: "a", bitrate: 2000)])
    #expect(encodes.read(.free, at: at(23)) == [])
    #expect(encodes.read(.free, at: at(24)) == [.end(output: "a")])
    #expect(encodes.adaptation(of: "a") == .shared && encodes.read(.free, at: at(30)) == [])
  }

  @Test func `a network that fails at the full rate keeps its encode`() {
    var encodes = begun("a")
    _ = encodes.request(2000, of: "a", at: at(20))
    _ = encodes.request(1500, of: "a", at: at(22))
    #expect(encodes.read(.free, at: at(30)) == [] && encodes.adaptation(of: "a") == .own(1500))
  }

  @Test func `an output that does not publish shares`() {
    var encodes = begun("a")
    #expect(encodes.request(nil, of: "a", at: at(5)) == [.end(output: "a")])
    #expect(encodes.request(nil, of: "a", at: at(6)) == [] && encodes.request(nil, of: "b", at: at(6)) == [])
  }

  @Test func `without time for an encode the output drops, until there is some`() {
    var encodes = begun(load: .full)
    #expect(encodes.request(500, of: "a", at: at(1)) == [])
    let why = "too little processor time is left: 0.40 of a processor, and an encode takes 0.60"
    #expect(encodes.adaptation(of: "a") == .dropping(why: why))
    #expect(encodes.request(400, of: "a", at: at(2)) == [])
    #expect(encodes.read(.free, at: at(3)) == [.begin(output: "a", bitrate: 400)])
  }

  @Test func `an output whose network has recovered meanwhile needs no encode`() {
    var encodes = begun("a", load: .full)
    #expect(encodes.request(2000, of: "a", at: at(3)) == [] && encodes.adaptation(of: "a") == .shared)
    #expect(encodes.read(.free, at: at(4)) == [])
  }

  @Test func `a load that is not known begins nothing`() {
    #expect(
      begun("a", load: nil).adaptation(of: "a") == .dropping(why: "the machine's load is not known yet"))
    #expect(begun("a", load: .unknown).dropping == ["a": "the machine's load is not known yet"])
  }

  @Test func `half of the machine counts as ours, also where others use all of it`() {
    #expect(EncodingLoad(encodes: 0.2, processors: 2, idle: 0).left == 0.8)
    #expect(EncodingLoad(encodes: 0.2, processors: 2, idle: 1.7).left == 1.7)
  }

  @Test func `two encodes don't begin at once, so that each shows in the load`() {
    var encodes = begun()
    #expect(
      encodes.request(500, of: "a", at: at(1)).count == 1 && encodes.request(500, of: "b", at: at(1)) == [])
    #expect(encodes.read(.free, at: at(3)) == [])
    #expect(encodes.read(.free, at: at(4)) == [.begin(output: "b", bitrate: 500)])
  }

  @Test
  func `an overload of what others share ends the newest encode, and the next try waits longer each time`() {
    var encodes = begun("a", "b")
    #expect(encodes.read(.overloaded, at: at(100)) == [.end(output: "b")])
    #expect(encodes.adaptation(of: "b") == .dropping(why: "the machine is overloaded"))
    #expect(encodes.read(.free, at: at(129)) == [])
    #expect(encodes.read(.free, at: at(130)) == [.begin(output: "b", bitrate: 500)])
    #expect(encodes.read(.overloaded, at: at(140)) == [.end(output: "b")])
    #expect(encodes.read(.free, at: at(199)) == [])
    #expect(encodes.read(.free, at: at(200)) == [.begin(output: "b", bitrate: 500)])
  }

  @Test func `an encode that can't take the other's place is not tried again`() {
    var encodes = begun("a")
    #expect(encodes.fail("a", why: "other headers") == [.end(output: "a")])
    #expect(encodes.read(.free, at: at(500)) == [] && encodes.request(300, of: "a", at: at(501)) == [])
    #expect(encodes.adaptation(of: "a") == .dropping(why: "other headers"))
  }

  @Test func `a new highest bitrate is what an output returns at`() {
    var encodes = begun("a")
    encodes.limit(to: 1000, sharing: ["a"])
    _ = encodes.request(1000, of: "a", at: at(20))
    #expect(encodes.read(.free, at: at(24)) == [.end(output: "a")])
  }

  @Test func `outputs that share nothing are not its business`() {
    var encodes = OwnEncodes(highest: [:])
    #expect(!encodes.needsLoad && encodes.request(500, of: "a", at: at(0)) == [])
    #expect(encodes.adaptation(of: "a") == nil)
  }
}
