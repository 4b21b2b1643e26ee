/// What a new connection has to bring with it, because the server has asked for it: the arguments of the application.
///
/// Adobe's and Limelight's servers refuse a connection, say in words what they want, and hang up.
package struct RTMPAuthorization: Hashable, Sendable {
  let arguments: String

  /// What a refusal's text asks for.
  enum Answer: Hashable {
    case connectAgain(RTMPAuthorization)
    case wrongCredentials
    /// It says nothing of authorization.
    case nothing
  }

  static func answer(
    to description: String, _ url: RTMPURL, random: [UInt8], _ digests: MessageDigests
  ) -> Answer {
    guard let mode = value(of: "authmod", in: description), mode == "adobe" || mode == "llnw" else {
      return .nothing
    }
    guard let user = url.user, let password = url.password else { return .wrongCredentials }
    guard let reason = value(of: "reason", in: description) else {
      return .connectAgain(RTMPAuthorization(arguments: "authmod=\(mode)&user=\(user)"))
    }
    guard reason == "needauth" else { return .wrongCredentials }
    let request = Request(description, user: user, password: password, random: random, digests: digests)
    return .connectAgain(mode == "adobe" ? request.adobe : request.limelight(url.application))
  }

  private static func value(of key: String, in text: String) -> String? {
    for part in text.split(whereSeparator: { " ?&;[]:".contains($0) }) {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if pair.count == 2, pair[0] == key { return String(pair[1]) }
    }
    return nil
  }

  /// What is known when the server has sent its challenge.
  private struct Request {
    let user: String
    let password: String
    let salt: String
    let challenge: String
    let opaque: String
    let nonce: String
    /// Of our own.
    let clientChallenge: String
    let digests: MessageDigests

    init(_ text: String, user: String, password: String, random: [UInt8], digests: MessageDigests) {
      self.user = user
      self.password = password
      salt = value(of: "salt", in: text) ?? ""
      challenge = value(of: "challenge", in: text) ?? ""
      opaque = value(of: "opaque", in: text) ?? ""
      nonce = value(of: "nonce", in: text) ?? ""
      clientChallenge = hexadecimal(Array(random.prefix(4)))
      self.digests = digests
    }

    var adobe: RTMPAuthorization {
      let secret = base64(digests.md5(Array((user + salt + password).utf8)))
      let asked = opaque.isEmpty ? challenge : opaque
      let response = base64(digests.md5(Array((secret + asked + clientChallenge).utf8)))
      let tail = opaque.isEmpty ? "" : "&opaque=\(opaque)"
      return RTMPAuthorization(
        arguments: "authmod=adobe&user=\(user)&challenge=\(clientChallenge)&response=\(response)\(tail)")
    }

    func limelight(_ application: String) -> RTMPAuthorization {
      let place = application.contains("/") ? application : application + "/_definst_"
      let who = digest("\(user):live:\(password)")
      let what = digest("publish:/\(place)")
      let response = digest("\(who):\(nonce):00000001:\(clientChallenge):auth:\(what)")
      return RTMPAuthorization(
        arguments: "authmod=llnw&user=\(user)&nonce=\(nonce)&cnonce=\(clientChallenge)&nc=00000001"
          + "&response=\(response)")
    }

    private func digest(_ text: String) -> String { hexadecimal(digests.md5(Array(text.utf8))) }
  }
}

private func hexadecimal(_ bytes: [UInt8]) -> String {
  bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
}

private func base64(_ bytes: [UInt8]) -> String {
  let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
  var result = ""
  for start in stride(from: 0, to: bytes.count, by: 3) {
    let group = bytes[start..<min(start + 3, bytes.count)]
    let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
    for place in 0..<4 {
      result.append(place <= group.count ? letters[bits >> (18 - 6 * place) & 63] : "=")
    }
  }
  return result
}
