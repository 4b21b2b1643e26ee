import HoldfastMediaModel
import HoldfastPlatform

/// A port of the loopback that answers nobody: its queue of connections is full.
struct BlackHole: ~Copyable {
  let listener: Listener
  private let first: Connection
  private let second: Connection?
  private let third: Connection?

  init() throws {
    let listener = try Listener(host: "127.0.0.1", port: 0, backlog: 0)
    let first = try connect(to: listener.port)
    // How many more fit depends on the kernel.
    let second = try? connect(to: listener.port, until: .now + .milliseconds(100))
    let third = try? connect(to: listener.port, until: .now + .milliseconds(100))
    self.listener = listener
    self.first = first
    self.second = second
    self.third = third
  }

  var port: UInt16 { listener.port }
}
