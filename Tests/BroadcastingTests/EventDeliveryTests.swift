import HoldfastLifecycle
import HoldfastPublishing
import Testing

@testable import HoldfastBroadcasting

@Suite struct EventDeliveryTests {
  private static let texts: KeyValuePairs<[(String, OutputLifecycle.Condition.State)], String> = [
    [("rtmp://h/a/k", .publishing)]: "sent to 1 of 1 output",
    [("rtmp://h/a/k", .publishing), ("rtsp://h/a", .publishing), ("srt://h:1", .publishing)]:
      "sent to 1 of 3 outputs: RTSP and SRT can't carry events",
    [("rtmp://h/a/k", .waiting), ("rtmp://h/a/l", .refused), ("srt://h:1", .waiting)]:
      "sent to 0 of 3 outputs: SRT can't carry events; out-0 and out-1 are not publishing",
    [("rtmps://h/a/k", .connecting)]: "sent to 0 of 1 output: out-0 is not publishing",
    []: "sent to 0 of 0 outputs",
  ]

  @Test(arguments: texts.map { ($0, $1) })
  func `an event counts for the outputs that carry it, and the others are explained`(
    outputs: [(String, OutputLifecycle.Condition.State)], text: String
  ) throws {
    let delivery = EventDelivery(
      try outputs.enumerated().map {
        (Output.Settings(id: "out-\($0.offset)", address: try OutputAddress($0.element.0)), $0.element.1)
      })
    #expect(delivery.description == text && delivery.outputs == outputs.count)
    #expect(text.hasPrefix("sent to \(delivery.sent) of "))
  }
}
