/// Python's web server with the files of a folder.
package final class FileServer: Peer {
  private let port: LoopbackPort
  package let process: PeerProcess

  package init(of folder: ScratchFolder) throws {
    port = try LoopbackPort()
    process = try PeerProcess(
      ["python3", "-m", "http.server", "--bind", "127.0.0.1", "--directory", folder.path, "\(port.number)"],
      serving: port.number, log: folder.file("http"))
  }

  package func url(_ name: String = "") -> String { "http://127.0.0.1:\(port.number)/\(name)" }
}
