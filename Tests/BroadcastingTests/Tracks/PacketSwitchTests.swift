import HoldfastMediaModel
import HoldfastPlatform
import TestSupport
import Testing

@testable import HoldfastBroadcasting

@Suite struct PacketSwitchTests {
  private final class Receiver: PacketReceiver {
    let got = Locked<[String]>([])
    func offer(_ track: Track) { got.withLock { $0.append("track") } }
    func offer(_ packet: MediaPacket) {
      got.withLock { $0.append(String(decoding: packet.bytes, as: UTF8.self)) }
    }
  }

  private let receiver = Receiver()
  private let packets: PacketSwitch
  private let own = RenditionID.own(output: "a")

  init() {
    packets = PacketSwitch(to: receiver, from: .main)
  }

  private func offer(_ number: Int64, from source: RenditionID, delay: MediaTime = .zero) {
    let time = MediaTime.milliseconds(number)
    packets.port(for: source).offer(
      MediaPacket(
        track: .video, decodeTime: time - delay, presentationTime: time, duration: .milliseconds(1),
        isKeyframe: false, bytes: Array("\(source) \(number)".utf8)))
  }

  /// What it has received since the last call.
  private func received() -> [String] {
    receiver.got.withLock { got in
      defer { got = [] }
      return got
    }
  }

  @Test func `packets of another encode are left out`() {
    offer(1, from: .main)
    offer(1, from: own)
    #expect(received() == ["main 1"])
  }

  @Test func `the new encode's packets wait for the old one's, and none is missing or there twice`() {
    packets.change(to: own, from: .milliseconds(3))
    offer(2, from: own)
    offer(3, from: own)
    offer(1, from: .main)
    offer(2, from: .main)
    #expect(received() == ["main 1", "main 2"])
    offer(3, from: .main)
    offer(4, from: own)
    offer(4, from: .main)
    #expect(received() == ["own-a 3", "own-a 4"])
  }

  @Test func `the end of the old encode ends the wait, too`() {
    packets.change(to: own, from: .milliseconds(1))
    offer(1, from: .main)
    packets.change(to: .main, from: .milliseconds(3))
    offer(3, from: .main)
    offer(2, from: own)
    #expect(received() == ["own-a 2"])
    packets.end(of: own)
    offer(4, from: .main)
    #expect(received() == ["main 3", "main 4"])
  }

  @Test func `the present encode's end without a successor counts for the next change`() {
    packets.change(to: own, from: .milliseconds(1))
    offer(1, from: .main)
    packets.end(of: own)
    packets.change(to: .main, from: .milliseconds(5))
    offer(5, from: .main)
    #expect(received() == ["main 5"])
    offer(6, from: .main)
    #expect(received() == ["main 6"])
    packets.change(to: own, from: .milliseconds(8))
    offer(8, from: own)
    offer(7, from: .main)
    #expect(received() == ["main 7"])
  }

  @Test func `pictures of the new encode from before the change come from the old one only`() {
    packets.change(to: own, from: .milliseconds(1))
    offer(1, from: .main)
    packets.change(to: .main, from: .milliseconds(3))
    for number in Int64(1)...2 { offer(number, from: own) }
    packets.end(of: own)
    for number in Int64(1)...4 { offer(number, from: .main) }
    #expect(received() == ["own-a 1", "own-a 2", "main 3", "main 4"])
  }

  @Test func `encoders with different delays of their decode times change at the same picture`() {
    packets.change(to: own, from: .milliseconds(3))
    offer(3, from: own, delay: .milliseconds(2))
    offer(2, from: .main)
    offer(3, from: .main)
    #expect(received() == ["main 2", "own-a 3"])
  }

  @Test func `an end of an encode that is not in use changes nothing`() {
    packets.change(to: own, from: .milliseconds(3))
    packets.end(of: own)
    offer(1, from: .main)
    #expect(received() == ["main 1"])
  }

  @Test func `a change during a change takes place at once`() {
    packets.change(to: own, from: .milliseconds(3))
    offer(3, from: own)
    packets.change(to: .main, from: .milliseconds(5))
    offer(4, from: own)
    offer(5, from: .main)
    packets.end(of: own)
    #expect(received() == ["own-a 3", "own-a 4", "main 5"])
  }

  @Test func `an encode that has stopped is not waited for without end`() {
    packets.change(to: own, from: .milliseconds(1))
    for number in Int64(1)...100 { offer(number, from: own) }
    #expect(received() == (1...100).map { "own-a \($0)" })
  }

  @Test func `the track is announced once, by what is shared`() {
    packets.port(for: .main).offer(SampleTracks.video)
    packets.port(for: own).offer(SampleTracks.video)
    #expect(received() == ["track"])
  }
}
