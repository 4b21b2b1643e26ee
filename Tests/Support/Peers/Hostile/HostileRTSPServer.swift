import Foundation
import HoldfastMediaModel
import HoldfastPlatform

/// An RTSP server that accepts every publish and then misbehaves, on one connection at a time.
package final class HostileRTSPServer: Sendable {
  package enum Habit: String, Hashable, Sendable, CaseIterable {
    /// Makes requests without end, and reads nothing.
    case floodsRequests
    /// Sends interleaved packets without end, and reads.
    case floodsPackets
    /// Sends a header that never ends, and reads.
    case floodsHeader
    /// Reads nothing, and answers in advance whatever may be asked.
    case fakesAnswers
    /// Answers the first request a byte at a time.
    case drips
  }

  private let server: SerialServer

  package init(_ habit: Habit) throws {
    server = try SerialServer(name: "rtsp-hostile") { try Self.serve($0, habit, until: $1) }
  }

  package func stop() { server.stop() }

  package var port: UInt16 { server.port }
  package var url: String { "rtsp://127.0.0.1:\(port)/live/key" }
  package var connections: Int { server.connections }

  private static func serve(_ connection: consuming Connection, _ habit: Habit, until stop: Wakeup) throws {
    guard let answered = try acceptRecord(on: &connection, habit, until: stop) else { return }
    var (outgoing, input) = (OutgoingBytes(), [UInt8]())
    var next = answered + 1
    while !stop.isSignalled {
      if outgoing.count < 16 << 10 {
        switch habit {
        case .floodsRequests:
          for number in 0..<500 { outgoing.append("OPTIONS * RTSP/1.0\r\nCSeq: \(number)\r\n\r\n") }
        case .floodsPackets:
          outgoing.append(contentsOf: [0x24, 1, 0x20, 0])
          outgoing.append(contentsOf: [UInt8](repeating: 0x81, count: 0x2000))
        case .floodsHeader: outgoing.append(String(repeating: "x", count: 16 << 10))
        case .fakesAnswers:
          // The numbers of the probes of the last ten seconds and of the next ones.
          for number in max(answered + 1, next - 50)..<next + 50 {
            outgoing.append("RTSP/1.0 200 OK\r\nCSeq: \(number)\r\n\r\n")
          }
          next += 1
        case .drips: break
        }
      }
      try outgoing.write(to: &connection)
      if habit.reads, try connection.read(into: &input) == .ended { return }
      input.removeAll(keepingCapacity: true)
      // A probe comes each quarter of a second.
      _ = stop.wait(until: .now + .milliseconds(habit == .fakesAnswers ? 200 : 1))
    }
  }

  /// The number of the last request, RECORD; nil if the client has gone, or is never answered to the end.
  private static func acceptRecord(
    on connection: inout Connection, _ habit: Habit, until stop: Wakeup
  ) throws -> Int? {
    var input: [UInt8] = []
    while !stop.isSignalled {
      try connection.wait(until: .now + .milliseconds(20), also: [stop.descriptor])
      if try connection.read(into: &input) == .ended { return nil }
      while let request = takeRequest(from: &input) {
        var answer =
          "RTSP/1.0 200 OK\r\nCSeq: \(request.number)\r\nSession: 1\r\nPublic: ANNOUNCE, RECORD, GET_PARAMETER\r\n"
        if let transport = request.transport { answer += "Transport: \(transport)\r\n" }
        let bytes = Array((answer + "\r\n").utf8)
        if habit == .drips {
          for byte in bytes {
            _ = try connection.write([byte].span)
            if stop.wait(until: .now + .milliseconds(50)) { return nil }
          }
        } else {
          _ = try connection.write(bytes.span)
        }
        if request.method == "RECORD" { return request.number }
      }
    }
    return nil
  }

  private static func takeRequest(
    from input: inout [UInt8]
  ) -> (method: String, number: Int, transport: String?)? {
    let text = String(decoding: input, as: UTF8.self)
    guard let end = text.range(of: "\r\n\r\n") else { return nil }
    let lines = text[..<end.lowerBound].components(separatedBy: "\r\n")
    func field(_ name: String) -> String? {
      lines.first { $0.hasPrefix(name + ": ") }.map { String($0.dropFirst(name.count + 2)) }
    }
    let size = text[..<end.upperBound].utf8.count + (field("Content-Length").flatMap { Int($0) } ?? 0)
    guard input.count >= size else { return nil }
    input.removeFirst(size)
    let number = field("CSeq").flatMap { Int($0) } ?? 0
    return (String(lines[0].prefix { $0 != " " }), number, field("Transport"))
  }
}

extension HostileRTSPServer.Habit {
  fileprivate var reads: Bool { [.floodsPackets, .floodsHeader, .drips].contains(self) }
}
