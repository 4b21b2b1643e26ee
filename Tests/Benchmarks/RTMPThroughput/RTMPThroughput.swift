import HoldfastMediaModel
import HoldfastRTMP

/// The throughput of one thread writing and reading RTMP messages in memory.
enum RTMPThroughput {
  private struct Stream {
    let name: String
    let messages: [RTMPMessage]

    var bytes: Int { messages.reduce(0) { $0 + $1.payload.count } }

    static let pictures = Stream(
      name: "20 Mb/s, 60 pictures/s",
      messages: (0..<60).flatMap { index in
        [
          message(.video, size: index == 0 ? 400_000 : 35_000, time: index * 16),
          message(.audio, size: 350, time: index * 16),
        ]
      })
    static let packets = Stream(
      name: "packets of 10 kB",
      messages: (0..<100).map { message(.video, size: 5000 + $0 * 100, time: $0 * 4) })

    private static func message(_ kind: RTMPMessage.Kind, size: Int, time: Int) -> RTMPMessage {
      RTMPMessage(kind, timestamp: UInt32(time), streamID: 1, payload: Array(repeating: 7, count: size))
    }
  }

  static func run(_ arguments: Arguments) throws -> Bool {
    let seconds = try arguments.number(0, default: 1)
    for stream in [Stream.pictures, .packets] {
      for chunkSize in [60_000, 4096, 128] {
        let writing = rate(seconds, bytes: stream.bytes) { write(stream, chunkSize: chunkSize, rounds: $0) }
        let wire = wire(stream, chunkSize: chunkSize)
        let reading = rate(seconds, bytes: stream.bytes) { read(wire, rounds: $0) }
        print("\(stream.name), chunks of \(chunkSize): writes \(writing) GB/s, reads \(reading) GB/s")
      }
    }
    return true
  }

  private static func rate(_ seconds: Int, bytes: Int, _ run: (_ rounds: Int) -> Void) -> Double {
    let start = ContinuousClock.now
    var rounds = 0
    while start.duration(to: .now) < .seconds(seconds) {
      run(100)
      rounds += 100
    }
    return (Double(rounds * bytes) / (start.duration(to: .now) / .seconds(1)) / 1e8).rounded() / 10
  }

  /// Drains the queue as a socket does: partially.
  private static func write(_ stream: Stream, chunkSize: Int, rounds: Int) {
    var output = OutgoingBytes()
    var writer = ChunkWriter()
    writer.setChunkSize(chunkSize, in: &output)
    for _ in 0..<rounds {
      for message in stream.messages {
        write(message, &writer, &output)
        output.removeFirst(max(0, output.count - 10_000))
      }
    }
  }

  private static func wire(_ stream: Stream, chunkSize: Int) -> [UInt8] {
    var output = OutgoingBytes()
    var writer = ChunkWriter()
    for message in stream.messages {
      // The reader starts anew in each round and needs the chunk size.
      if writer.chunkSize != chunkSize { writer.setChunkSize(chunkSize, in: &output) }
      write(message, &writer, &output)
    }
    return output.takeAll()
  }

  private static func write(
    _ message: RTMPMessage, _ writer: inout ChunkWriter, _ output: inout OutgoingBytes
  ) {
    writer.write(
      message.kind == .video ? .video : .audio, on: message.kind == .video ? 6 : 4,
      timestamp: message.timestamp, streamID: 1, payload: message.payload[...], in: &output)
  }

  /// Reads in pieces of 64 KiB, as from a socket.
  private static func read(_ wire: [UInt8], rounds: Int) {
    for _ in 0..<rounds {
      var reader = ChunkReader()
      var count = 0
      var offset = 0
      while offset < wire.count {
        let end = min(offset + 65536, wire.count)
        count += (try? reader.receive(wire.span.extracting(offset..<end)))?.count ?? 0
        offset = end
      }
      precondition(count > 0)
    }
  }
}
