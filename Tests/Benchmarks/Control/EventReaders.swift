import Foundation
import Glibc
import HoldfastMediaModel
import HoldfastPlatform
import TestSupport

/// Many event readers on one thread, and some that never read.
final class EventReaders: @unchecked Sendable {  // the thread owns all but `begun`
  private final class Reader {
    let client: WireClient
    var pending: [UInt8] = []
    var hasBegun = false
    var lastStatus: MonotonicTime?

    init(_ client: WireClient) { self.client = client }
  }

  private var readers: [Int32: Reader] = [:]
  private let slow: [WireClient]
  private let begun = Locked(0)
  private var (events, statuses) = (0, 0)
  private var lateness: [Double] = []
  private var statusGaps: [Double] = []
  private var entries: [pollfd] = []
  private var buffer = [UInt8](repeating: 0, count: 65536)
  private var thread: RepeatingThread?
  private let clock: Double

  init(port: UInt16, token: String) throws {
    func open(status: Int, receiveBuffer: Int32? = nil) throws -> WireClient {
      let client = try WireClient(port: port, receiveBuffer: receiveBuffer)
      // HTTP 1.0 has no chunked encoding, so the body consists of events only.
      client.send(
        "GET /v1/events?status=\(status) HTTP/1.0\r\nHost: 127.0.0.1\r\nAuthorization: Bearer \(token)\r\n\r\n"
      )
      return client
    }
    // A small buffer, so that it fills up during the run.
    slow = try (0..<LoadedRun.slowReaders).map { _ in try open(status: 100, receiveBuffer: 4096) }
    clock = Date().timeIntervalSince1970 - MonotonicTime.now.seconds
    for _ in LoadedRun.slowReaders..<LoadedRun.readers {
      let reader = Reader(try open(status: 1000))
      readers[reader.client.descriptor] = reader
    }
    entries = readers.keys.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    thread = RepeatingThread(every: 0) { [self] in poll() }
  }

  /// Waits until all readers have received the start of their response, or for 20 s.
  func waitUntilOpen() {
    _ = eventually(within: 20) { begun.withLock { $0 } >= LoadedRun.readers - LoadedRun.slowReaders }
  }

  /// Ends the readers. `lost` are those that read, and that the server disconnected.
  func finish() -> (lost: Int, report: String) {
    thread?.finish()
    let (opened, alive) = (begun.withLock { $0 } + slow.count, readers.count)
    let lost = LoadedRun.readers - LoadedRun.slowReaders - alive
    // The end of the stream follows the data still buffered by the kernel.
    let dropped = slow.count { $0.responsesUntilEnd(within: 0.5) != nil }
    readers = [:]
    return (
      lost,
      """
      readers: \(opened) opened, \(alive) there at the end, \(lost) lost; \(dropped) of \(slow.count) slow ones dropped
      events: \(events) received, late by \(Percentiles(lateness))
      status, each second: \(statuses) received, apart by \(Percentiles(statusGaps))
      """
    )
  }

  private func poll() {
    guard Glibc.poll(&entries, nfds_t(entries.count), 100) > 0 else { return }
    for entry in entries where entry.revents != 0 { read(entry.fd) }
    if readers.count < entries.count { entries.removeAll { readers[$0.fd] == nil } }
  }

  private func read(_ descriptor: Int32) {
    guard let reader = readers[descriptor] else { return }
    let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
    guard count > 0 else {
      if count == 0 || errno != EAGAIN { readers[descriptor] = nil }
      return
    }
    if !reader.hasBegun, count > 12, buffer[9] == UInt8(ascii: "2") {
      reader.hasBegun = true
      begun.withLock { $0 += 1 }
    }
    reader.pending += buffer[..<count]
    takeFrames(of: reader, at: .now)
  }

  private func takeFrames(of reader: Reader, at now: MonotonicTime) {
    var start = 0
    reader.pending.withUnsafeBytes { bytes in
      for place in bytes.indices.dropFirst() where bytes[place] == 0x0A && bytes[place - 1] == 0x0A {
        take(UnsafeRawBufferPointer(rebasing: bytes[start..<place - 1]), of: reader, at: now)
        start = place + 1
      }
    }
    reader.pending.removeSubrange(..<start)
  }

  private static let statusFrame = Array("event: status".utf8)
  private static let eventFrame = Array("id: ".utf8)

  private func take(_ frame: UnsafeRawBufferPointer, of reader: Reader, at now: MonotonicTime) {
    if frame.starts(with: Self.statusFrame) {
      statuses += 1
      if let last = reader.lastStatus { statusGaps.append((now - last).seconds * 1000) }
      reader.lastStatus = now
    } else if frame.starts(with: Self.eventFrame) {
      events += 1
      // For some other events, `at` is the start of what is reported at its end.
      let text = String(decoding: frame, as: UTF8.self)
      if text.contains("event: mute"), let key = text.range(of: "\"at\":\""),
        let at = wallSeconds(String(text[key.upperBound...].prefix { $0 != "\"" }))
      {
        lateness.append((now.seconds + clock - at) * 1000)
      }
    }
  }
}
