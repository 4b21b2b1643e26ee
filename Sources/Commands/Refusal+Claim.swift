internal import HoldfastPlatform

extension Refusal {
  /// Why there can be no control socket for a broadcast of this name.
  init(_ error: UnixListener.ClaimError, claiming name: String) {
    switch error {
    case .taken(_, let process):
      let number = process.map { ", pid \($0)" } ?? ""
      self.init(
        .refused, "--name \(name)", "another holdfast of this name is running\(number)",
        "choose another name, or end that one with holdfast ctl --name \(name) stop")
    case .noSocket(let path):
      self.init(.system, path, "it is in the way of the control socket", "take the file away")
    case .system(let error):
      self.init(
        .system, "control socket", "\(error)",
        "set XDG_RUNTIME_DIR to a folder of this user that can be written")
    }
  }
}
