import Testing

@testable import HoldfastControl

@Suite struct ResponseReaderTests {
  private static let answer = "HTTP/1.1 409 Conflict\r\nDate: x\r\ncontent-length:  4\r\n\r\nabcd"

  @Test(arguments: [1, 2, 3, 7, 1000])
  func `an answer is the same, however it arrives`(piece: Int) throws {
    var reader = ResponseReader()
    var bytes = Array(Self.answer.utf8)[...]
    var answer: HTTPResponse?
    while !bytes.isEmpty {
      #expect(answer == nil)
      answer = try reader.receive(Array(bytes.prefix(piece)))
      bytes = bytes.dropFirst(piece)
    }
    #expect(answer?.status == 409 && answer?.text == "abcd")
  }

  @Test(arguments: [
    "SSH-2.0-OpenSSH\r\n\r\n", "HTTP/1.1 abc\r\n\r\n", "HTTP/1.1 100 Continue\r\n\r\n",
    "HTTP/1.1 200 OK\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 9999999\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n", "\r\n\r\n",
    String(repeating: "x", count: 20_000),
  ])
  func `what is no answer of ours is refused`(text: String) {
    #expect {
      var reader = ResponseReader()
      _ = try reader.receive(Array(text.utf8))
    } throws: {
      ($0 as? ControlClientError)?.kind == .invalidResponse
    }
  }
}
