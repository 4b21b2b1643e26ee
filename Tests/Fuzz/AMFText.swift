import HoldfastRTMP

/// Commands in AMF, written independently of the code under test.
enum AMFText {
  struct Value {
    let bytes: [UInt8]

    static let null = Value(bytes: [5])
    static func boolean(_ flag: Bool) -> Value { Value(bytes: [1, flag ? 1 : 0]) }

    static func number(_ number: Double) -> Value {
      Value(
        bytes: [0] + (0..<8).map { UInt8(truncatingIfNeeded: number.bitPattern >> (56 - 8 * UInt64($0))) })
    }

    static func text(_ text: String) -> Value { Value(bytes: [2] + key(text)) }

    static func list(_ values: [Value]) -> Value {
      Value(bytes: [10, 0, 0, 0, UInt8(truncatingIfNeeded: values.count)] + values.flatMap(\.bytes))
    }

    static func object(_ fields: [(String, Value)]) -> Value {
      Value(bytes: fields.reduce([3]) { $0 + key($1.0) + $1.1.bytes } + [0, 0, 9])
    }

    static func status(_ code: String) -> Value {
      .object([("level", .text("status")), ("code", .text(code)), ("description", .text("why"))])
    }

    static func challenge(_ mode: String, _ rest: String) -> Value {
      .object([
        ("code", .text("NetConnection.Connect.Rejected")),
        (
          "description",
          .text("[ AccessManager.Reject ] : [ authmod=\(mode) ] : ?reason=needauth&user=user&\(rest)")
        ),
      ])
    }

    static let properties = Value.object([
      ("fmsVer", .text("FMS/3")), ("capabilities", .number(31)), ("fourCcList", .list([.text("hvc1")])),
    ])

    private static func key(_ text: String) -> [UInt8] {
      [UInt8(truncatingIfNeeded: text.utf8.count >> 8), UInt8(truncatingIfNeeded: text.utf8.count)]
        + text.utf8
    }
  }

  static func command(_ name: String, _ transaction: Double, _ values: Value..., stream: UInt32 = 0)
    -> RTMPMessage
  {
    let payload = Value.text(name).bytes + Value.number(transaction).bytes + values.flatMap(\.bytes)
    return RTMPMessage(.commandAMF0, streamID: stream, payload: payload)
  }

  /// A command with a value of each AMF3 type.
  static let numbered = RTMPMessage(
    .commandAMF3,
    payload: [0] + Value.text("call").bytes + Value.number(2).bytes
      + [17, 0, 17, 1, 17, 2, 17, 3, 17, 4, 0x81, 0x02, 17, 5, 0, 0, 0, 0, 0, 0, 0, 0, 17, 6, 5, 0x61, 0x62]
      + [
        17, 8, 1, 0, 0, 0, 0, 0, 0, 0, 0, 17, 9, 3, 1, 4, 1, 17, 10, 0x0B, 1, 3, 0x61, 4, 1, 1, 17, 12, 5, 1,
        2,
      ])
}
