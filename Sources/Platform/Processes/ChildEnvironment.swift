extension [String: String] {
  /// The environment for a user's command: without our settings, which include keys, and the variables of systemd for this
  /// process.
  package var forChild: [String: String] {
    let ours: Set = [
      "NOTIFY_SOCKET", "WATCHDOG_PID", "WATCHDOG_USEC", "LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES",
    ]
    return filter { !$0.key.hasPrefix("HOLDFAST_") && !ours.contains($0.key) }
  }
}
