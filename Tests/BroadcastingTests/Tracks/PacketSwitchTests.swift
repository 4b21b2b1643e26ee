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

  init() { packets = PacketSwitch(to: receiver, from: .main) }

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

  /// What is offered and asked of the switch, in milliseconds; and what it has passed on since.
  enum Step {
    case main(Int64), own(Int64, delay: Int64 = 0)
    case changeToMain(from: Int64), changeToOwn(from: Int64), endOfOwn
    case received([String])
  }

  @Test(
    arguments: [
      Steps("packets of another encode are left out", .main(1), .own(1), .received(["main 1"])),
      Steps(
        "the new encode's packets wait for the old one's, and none is missing or there twice",
        .changeToOwn(from: 3), .own(2), .own(3), .main(1), .main(2), .received(["main 1", "main 2"]),
        .main(3), .own(4), .main(4), .received(["own-a 3", "own-a 4"])),
      Steps(
        "the end of the old encode ends the wait, too", .changeToOwn(from: 1), .main(1),
        .changeToMain(from: 3), .main(3), .own(2), .received(["own-a 2"]), .endOfOwn, .main(4),
        .received(["main 3", "main 4"])),
      Steps(
        "the present encode's end without a successor counts for the next change", .changeToOwn(from: 1),
        .main(1), .endOfOwn, .changeToMain(from: 5), .main(5), .received(["main 5"]), .main(6),
        .received(["main 6"]), .changeToOwn(from: 8), .own(8), .main(7), .received(["main 7"])),
      Steps(
        "pictures of the new encode from before the change come from the old one only", .changeToOwn(from: 1),
        .main(1), .changeToMain(from: 3), .own(1), .own(2), .endOfOwn, .main(1), .main(2), .main(3), .main(4),
        .received(["own-a 1", "own-a 2", "main 3", "main 4"])),
      Steps(
        "encoders with different delays of their decode times change at the same picture",
        .changeToOwn(from: 3), .own(3, delay: 2), .main(2), .main(3), .received(["main 2", "own-a 3"])),
      Steps(
        "an end of an encode that is not in use changes nothing", .changeToOwn(from: 3), .endOfOwn, .main(1),
        .received(["main 1"])),
      Steps(
        "a change during a change takes place at once", .changeToOwn(from: 3), .own(3),
        .changeToMain(from: 5), .own(4), .main(5), .endOfOwn, .received(["own-a 3", "own-a 4", "main 5"])),
    ] as [Steps<Step>])
  func `packets change from one encode to another`(row: Steps<Step>) {
    for (step, comment) in row.numbered {
      switch step {
      case .main(let number): offer(number, from: .main)
      case .own(let number, let delay): offer(number, from: own, delay: .milliseconds(delay))
      case .changeToMain(let start): packets.change(to: .main, from: .milliseconds(start))
      case .changeToOwn(let start): packets.change(to: own, from: .milliseconds(start))
      case .endOfOwn: packets.end(of: own)
      case .received(let wanted): #expect(received() == wanted, comment)
      }
    }
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
