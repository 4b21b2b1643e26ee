internal import Foundation
internal import Glibc

/// `srt-live-transmit` as an SRT listener: writes what its callers send, one after another, into one transport stream.
package final class SRTListener: @unchecked Sendable {  // guarded by `lock`
  private let reserved: LoopbackPort
  private let options: [String]
  private let lock = NSLock()
  private var process: PeerProcess?
  package let recording: String

  /// `options` are those of an SRT address: `passphrase=…`, `latency=200`.
  package init(in folder: ScratchFolder, options: [String] = []) throws {
    reserved = try LoopbackPort()
    recording = folder.file("srt-\(reserved.number).ts")
    self.options = options
    try start()
  }

  package var port: UInt16 { reserved.number }

  package func url(_ query: String = "") -> String {
    "srt://127.0.0.1:\(port)" + (query.isEmpty ? "" : "?" + query)
  }

  /// Starts it again on the same port; it goes on with its file.
  package func start() throws {
    let address = url((["mode=listener"] + options).joined(separator: "&"))
    let started = try PeerProcess(
      ["srt-live-transmit", "-a:yes", "-q", address, "file://con"], output: recording,
      errors: recording + ".log")
    lock.withLock { process = started }
    // Nothing answers a connection attempt over UDP but SRT's own; the kernel knows whether it listens.
    guard Peers.wait(until: { started.hasEnded || isBound }), !started.hasEnded else {
      throw Peers.NotReady(description: (try? String(contentsOfFile: started.errors, encoding: .utf8)) ?? "")
    }
  }

  private var isBound: Bool {
    let sockets = (try? String(contentsOfFile: "/proc/net/udp", encoding: .utf8)) ?? ""
    return sockets.contains(String(format: "0100007F:%04X ", Int(port)))
  }

  package func freeze() { lock.withLock { process?.signal(SIGSTOP) } }
  package func thaw() { lock.withLock { process?.signal(SIGCONT) } }

  /// Its callers learn nothing: there is no connection that a kernel would close.
  package func kill() {
    lock.withLock {
      process?.stop()
      process = nil
    }
  }
}
