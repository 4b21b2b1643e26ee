import HoldfastMediaModel

/// Application arguments that authorize a connection, for the schemes of Adobe and Limelight.
package struct RTMPAuthorization: Hashable, Sendable {
  let arguments: String

  enum Answer: Hashable {
    case reconnect(RTMPAuthorization)
    case wrongCredentials
    /// Not about authorization.
    case notRequested
  }

  static func answer(
    to description: String, _ url: RTMPURL, random: [UInt8], _ digests: MessageDigests
  ) -> Answer {
    guard let mode = value(of: "authmod", in: description), mode == "adobe" || mode == "llnw" else {
      return .notRequested
    }
    guard let user = url.user, let password = url.password else { return .wrongCredentials }
    guard let reason = value(of: "reason", in: description) else {
      return .reconnect(RTMPAuthorization(arguments: "authmod=\(mode)&user=\(user)"))
    }
    guard reason == "needauth" else { return .wrongCredentials }
    let request = Request(
      text: description, user: user, password: password,
      clientChallenge: hexadecimal(Array(random.prefix(4))), digests: digests)
    return .reconnect(mode == "adobe" ? request.adobe : request.limelight(url.application))
  }

  private static func value(of key: String, in text: String) -> String? {
    for part in text.split(whereSeparator: { " ?&;[]:".contains($0) }) {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if pair.count == 2, pair[0] == key { return String(pair[1]) }
    }
    return nil
  }

  /// The server's challenge, and the data for the response.
  private struct Request {
    let text: String
    let user: String
    let password: String
    let clientChallenge: String
    let digests: MessageDigests

    private func field(_ key: String) -> String { value(of: key, in: text) ?? "" }

    var adobe: RTMPAuthorization {
      let opaque = field("opaque")
      let secret = base64(md5(user + field("salt") + password))
      let challenge = opaque.isEmpty ? field("challenge") : opaque
      let response = base64(md5(secret + challenge + clientChallenge))
      let tail = opaque.isEmpty ? "" : "&opaque=\(opaque)"
      return RTMPAuthorization(
        arguments: "authmod=adobe&user=\(user)&challenge=\(clientChallenge)&response=\(response)\(tail)")
    }

    func limelight(_ application: String) -> RTMPAuthorization {
      let nonce = field("nonce")
      let place = application.contains("/") ? application : application + "/_definst_"
      let identity = hexadecimal(md5("\(user):live:\(password)"))
      let action = hexadecimal(md5("publish:/\(place)"))
      let response = hexadecimal(md5("\(identity):\(nonce):00000001:\(clientChallenge):auth:\(action)"))
      return RTMPAuthorization(
        arguments: "authmod=llnw&user=\(user)&nonce=\(nonce)&cnonce=\(clientChallenge)&nc=00000001"
          + "&response=\(response)")
    }

    private func md5(_ text: String) -> [UInt8] { digests.md5(Array(text.utf8)) }
  }
}

private func hexadecimal(_ bytes: [UInt8]) -> String {
  bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
}
