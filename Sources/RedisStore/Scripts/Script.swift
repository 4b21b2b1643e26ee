/// What runs in the server, whole or not at all. `Script+Sources.swift` has the Lua.
enum Script: String, CaseIterable {
  case begin, load, commit, beat, levels, heard, read, changes, due, postpone, repair, mark, revoke, revoked

  /// Whether it must run with the server's history as it is now: what it answers is built upon. The others only renew or
  /// postpone, and see a new epoch as soon as one of these has begun it.
  var checksHistory: Bool {
    switch self {
    case .load, .commit, .changes, .revoke, .revoked: true
    case .begin, .beat, .levels, .heard, .read, .due, .postpone, .repair, .mark: false
    }
  }
}

/// The first word of each script's answer.
enum ScriptAnswer {
  static let done = "ok"
  /// The store's epoch has to begin, or another one.
  static let epoch = "epoch"
  static let replica = "replica"
}

/// A script with its keys behind `hf:epoch`, and its arguments behind those of all scripts.
struct ScriptCall {
  let script: Script
  let keys: [String]
  let arguments: [String]

  init(_ script: Script, keys: [String] = [], _ arguments: [String] = []) {
    self.script = script
    self.keys = [StoreKeys.epoch] + keys
    self.arguments = arguments
  }

  func command(digest: String, _ shared: [String]) -> RedisCommand {
    RedisCommand(["EVALSHA", digest, String(keys.count)] + keys + shared + arguments)
  }
}
