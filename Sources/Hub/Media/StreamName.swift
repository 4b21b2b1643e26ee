package import HoldfastSession

/// A stream by the name that media servers know: `SESSION.MEMBER`, or `SESSION.MEMBER-small`.
package struct StreamName: Hashable {
  /// The session's digest.
  package let session: String
  package let member: Session.Member.ID
  let rendition: Session.Rendition

  init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2,
      let rendition = Session.Rendition.allCases.last(where: { parts[1].hasSuffix($0.streamSuffix) }),
      let member = Session.Member.ID(String(parts[1].dropLast(rendition.streamSuffix.count)))
    else { return nil }
    (session, self.member, self.rendition) = (parts[0], member, rendition)
  }
}

extension Session.Rendition {
  var streamSuffix: String {
    switch self {
    case .main: ""
    case .small: "-small"
    }
  }

  /// What stands for the member in addresses and names of streams.
  func streamPart(of member: Session.Member.ID) -> String { member.text + streamSuffix }
}
