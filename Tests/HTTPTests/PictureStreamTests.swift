import HoldfastMediaModel
import HoldfastPlatform
import Testing

@testable import HoldfastHTTP

@Suite struct PictureStreamTests {
  private let start = MonotonicTime(nanoseconds: 1_000_000_000)

  private func read(_ stream: inout PictureStream, at now: MonotonicTime) -> String {
    var text = ""
    while case .bytes(let bytes) = stream.next(at: now) { text += String(decoding: bytes, as: UTF8.self) }
    return text
  }

  @Test func `each picture is sent once, the newest one only, and no faster than the pace`() {
    let newest = Locked<NumberedPicture?>(nil)
    var stream = PictureStream(at: start) { newest.withLock { $0 } }
    func show(_ number: Int) {
      newest.withLock { $0 = .init(number: number, jpeg: Array("p\(number)".utf8)) }
    }
    func part(_ number: Int) -> String {
      "Content-Type: image/jpeg\r\nContent-Length: 2\r\n\r\np\(number)\r\n--picture\r\n"
    }
    #expect(read(&stream, at: start) == "--picture\r\n")
    show(1)
    #expect(read(&stream, at: start + .milliseconds(200)) == part(1))
    show(2)
    #expect(read(&stream, at: start + .milliseconds(300)) == "")
    show(3)
    #expect(read(&stream, at: start + .milliseconds(410)) == part(3))
    #expect([600, 800].map { read(&stream, at: start + .milliseconds($0)) } == ["", ""])
  }

  @Test func `an unchanged picture is sent again after five seconds`() {
    var stream = PictureStream(at: start) { .init(number: 1, jpeg: [0x78]) }
    _ = read(&stream, at: start)
    #expect(read(&stream, at: start + .milliseconds(4900)) == "")
    #expect(read(&stream, at: start + .milliseconds(5100)).contains("x"))
  }
}
