import HoldfastMediaModel
import HoldfastPlatform
import Testing

@testable import HoldfastBroadcasting

@Suite struct ViewedEncodesTests {
  private static let (low, tiny) = (RenditionID.named("low"), RenditionID.named("tiny"))
  private static let used: Set<RenditionID> = [.main]

  private static let main = PlannedRendition(.main, "1280x720")

  private func at(_ seconds: Int64) -> MonotonicTime { MonotonicTime(nanoseconds: 0) + .seconds(seconds) }

  private func encodes(load: EncodingLoad? = .free) -> ViewedEncodes {
    var encodes = ViewedEncodes(
      of: [Self.main, PlannedRendition(Self.low, "640x360"), PlannedRendition(Self.tiny, "320x180")],
      beside: [Self.main])
    if let load { _ = encodes.read(load, used: Self.used, at: at(0)) }
    return encodes
  }

  private func watching(_ ids: RenditionID..., load: EncodingLoad? = .free) -> ViewedEncodes {
    var encodes = encodes(load: load)
    _ = encodes.watch(Set(ids), used: Self.used, at: at(1))
    return encodes
  }

  @Test func `a rendition begins with its first viewer and ends five seconds after the last one`() {
    var encodes = encodes()
    #expect(encodes.running == [])
    #expect(encodes.watch([Self.low], used: Self.used, at: at(1)) == [] && encodes.running == [Self.low])
    #expect(encodes.watch([], used: Self.used, at: at(10)) == [])
    #expect(encodes.read(.free, used: Self.used, at: at(14)) == [] && encodes.running == [Self.low])
    #expect(encodes.read(.free, used: Self.used, at: at(15)) == [] && encodes.running == [])
  }

  @Test func `a viewer who comes back in time keeps it`() {
    var encodes = watching(Self.low)
    _ = encodes.watch([], used: Self.used, at: at(10))
    _ = encodes.watch([Self.low], used: Self.used, at: at(14))
    _ = encodes.read(.free, used: Self.used, at: at(60))
    #expect(encodes.running == [Self.low])
  }

  @Test func `what is encoded for others costs nothing`() {
    var encodes = encodes(load: .full)
    #expect(encodes.watch([.main], used: Self.used, at: at(1)) == [] && encodes.running == [.main])
    #expect(encodes.read(.overloaded, used: Self.used, at: at(2)) == [] && encodes.running == [.main])
  }

  @Test func `what others do not use any more goes on for its viewers`() {
    var encodes = watching(.main)
    #expect(encodes.read(.free, used: [Self.low], at: at(60)) == [] && encodes.running == [.main])
  }

  @Test func `without time for it, viewers are refused with the numbers`() {
    var encodes = encodes(load: .full)
    // A quarter of the pixels costs 0.45 + 0.55 / 4 of the whole.
    let why = "too little processor time is left: 0.40 of a processor, and an encode takes 0.35"
    #expect(encodes.watch([Self.low], used: Self.used, at: at(1)) == [.refuse(Self.low, why: why)])
    #expect(encodes.running == [])
    // Asking again after that is decided anew.
    _ = encodes.watch([], used: Self.used, at: at(2))
    _ = encodes.read(.free, used: Self.used, at: at(3))
    #expect(encodes.watch([Self.low], used: Self.used, at: at(4)) == [] && encodes.running == [Self.low])
  }

  @Test func `two that begin together need the time for both`() {
    var encodes = encodes(load: EncodingLoad(encode: 0.5, encodes: 0.5, processors: 1, idle: 0.6))
    let refused = encodes.watch([Self.low, Self.tiny], used: Self.used, at: at(1))
    let why = "too little processor time is left: 0.31 of a processor, and an encode takes 0.24"
    #expect(refused == [.refuse(Self.tiny, why: why)] && encodes.running == [Self.low])
    // Once the first shows in the load it is not counted twice.
    _ = encodes.watch([Self.low], used: Self.used, at: at(2))
    #expect(encodes.watch([Self.low, Self.tiny], used: Self.used, at: at(5)) == [])
    #expect(encodes.running == [Self.low, Self.tiny])
  }

  @Test func `until the load is known viewers wait`() {
    var encodes = watching(Self.low, load: nil)
    #expect(encodes.running == [])
    #expect(encodes.read(.unknown, used: Self.used, at: at(2)) == [] && encodes.running == [])
    #expect(encodes.read(.free, used: Self.used, at: at(3)) == [] && encodes.running == [Self.low])
  }

  @Test func `who leaves before that leaves nothing behind`() {
    var encodes = watching(Self.low, load: nil)
    _ = encodes.watch([], used: Self.used, at: at(2))
    #expect(encodes.read(.free, used: Self.used, at: at(3)) == [] && encodes.running == [])
  }

  @Test func `an overload ends the newest, which may begin again after half a minute`() {
    var encodes = watching(Self.low)
    _ = encodes.watch([Self.low, Self.tiny], used: Self.used, at: at(10))
    let over = encodes.read(.overloaded, used: Self.used, at: at(20))
    #expect(over == [.refuse(Self.tiny, why: "the machine is overloaded")] && encodes.running == [Self.low])
    _ = encodes.watch([Self.low], used: Self.used, at: at(21))
    _ = encodes.read(.free, used: Self.used, at: at(22))
    let why = "the machine was overloaded a moment ago"
    let again = encodes.watch([Self.low, Self.tiny], used: Self.used, at: at(30))
    #expect(again == [.refuse(Self.tiny, why: why)])
    _ = encodes.watch([Self.low], used: Self.used, at: at(31))
    #expect(encodes.watch([Self.low, Self.tiny], used: Self.used, at: at(50)) == [])
    #expect(encodes.running == [Self.low, Self.tiny])
  }

  @Test func `an encoder that fails is told once, and not tried again`() {
    var encodes = watching(Self.low)
    let why = "its encoder has failed: no memory"
    #expect(encodes.fail(Self.low, why: "no memory") == [.refuse(Self.low, why: why)])
    #expect(encodes.fail(Self.low, why: "no memory") == [] && encodes.running == [])
    _ = encodes.watch([], used: Self.used, at: at(60))
    #expect(encodes.watch([Self.low], used: Self.used, at: at(61)) == [.refuse(Self.low, why: why)])
  }

  @Test func `a load is read only where something may begin`() {
    #expect(encodes().needsLoad)
    #expect(!ViewedEncodes(of: [Self.main], beside: [Self.main]).needsLoad)
    let low = PlannedRendition(Self.low, "640x360")
    #expect(ViewedEncodes(of: [Self.main], beside: [Self.main, low]).needsLoad)
    #expect(!ViewedEncodes(of: [], beside: []).needsLoad)
  }
}
