import HoldfastMediaModel
import HoldfastRedisStore
import TestSupport
import Testing

@Suite struct RedisAddressTests {
  private func servers(_ text: String) throws -> RedisAddress.Servers { try RedisAddress(text).servers }

  @Test(arguments: [
    ("redis://localhost", "redis://localhost:6379/0"), ("redis://localhost/", "redis://localhost:6379/0"),
    ("REDIS://localhost", "redis://localhost:6379/0"), ("redis://10.0.0.1:7000", "redis://10.0.0.1:7000/0"),
    ("redis://[::1]", "redis://[::1]:6379/0"), ("redis://[::1]:7000/5", "redis://[::1]:7000/5"),
    ("redis://h/0", "redis://h:6379/0"), ("redis://h/15", "redis://h:6379/15"),
    ("redis://h/65535", "redis://h:6379/65535"), ("rediss://h", "rediss://h:6379/0"),
    ("rediss://:secret@h:1/2", "rediss://h:1/2"), ("redis://anna:secret@h", "redis://h:6379/0"),
    ("redis+sentinel://h/hall", "redis+sentinel://h:26379/hall/0"),
    ("redis+sentinel://h/hall/", "redis+sentinel://h:26379/hall/0"),
    ("redis+sentinel://a,b:1,[::1]:2/hall/3", "redis+sentinel://a:26379,b:1,[::1]:2/hall/3"),
    ("redis+sentinel://a,a:26379/hall", "redis+sentinel://a:26379/hall/0"),
    ("rediss+sentinel://anna:secret@a,b/A.b-c_9", "rediss+sentinel://a:26379,b:26379/A.b-c_9/0"),
  ])
  func `an address is read, and described without its user and password`(text: String, description: String)
    throws
  {
    let address = try RedisAddress(text)
    #expect("\(address)" == description)
    #expect(try RedisAddress(description).servers == address.servers)
  }

  @Test func `an address names one server, or Sentinels and a master`() throws {
    let single = try RedisAddress("redis://h:7000/2")
    guard case .single(let server) = single.servers else { return #expect(Bool(false)) }
    #expect(server.host == "h" && server.port == 7000 && single.database == 2 && !single.isSecure)
    let several = try RedisAddress("rediss+sentinel://a,b:2/hall/3")
    guard case .sentinels(let sentinels, let master) = several.servers else { return #expect(Bool(false)) }
    #expect(sentinels.map(\.description) == ["a:26379", "b:2"] && master == "hall")
    #expect(several.database == 3 && several.isSecure)
  }

  @Test(arguments: [
    ("redis://h", nil), ("redis://:p@h", nil), ("redis://anna:p@h", "anna"), ("redis://a%6Ena:p@h", "anna"),
    ("redis://a%40b%2Fc:p:p@h", "a@b/c"), ("redis://ä:p@h", "ä"),
    ("redis+sentinel://anna:p@a,b/hall", "anna"),
  ])
  func `the user is decoded`(text: String, user: String?) throws {
    #expect(try RedisAddress(text).user == user)
  }

  @Test func `equal addresses have equal passwords`() throws {
    #expect(try RedisAddress("redis://:p%61ss@h") == RedisAddress("redis://:pass@h"))
    #expect(try RedisAddress("redis://:pass@h") != RedisAddress("redis://:other@h"))
    #expect(try RedisAddress("redis://:p@:@h") == RedisAddress("redis://:p%40%3A@h"))
  }

  @Test(arguments: [
    "redis://anna:5ecret@h", "redis://:5ecret@h/1", "rediss+sentinel://anna:5ecret@a,b/hall",
    "redis://anna:%35ecret@h",
  ])
  func `no description shows the password`(text: String) throws {
    let address = try RedisAddress(text)
    var dumped = ""
    dump(address, to: &dumped)
    for shown in ["\(address)", String(reflecting: address), "\([address])", dumped] {
      #expect(!shown.contains("ecret"))
    }
  }

  /// Wrong addresses, by what is wrong with them.
  private static let wrong: [String: [String]] = [
    "not an address of a Redis store": [
      "", "h:6379", "http://h", "redis:h", "redis:/h", "redis", "unix:///run/redis.sock",
      "redis+sentinels://h/n",
    ],
    "an address without a host": [
      "redis://", "redis:///0", "redis://:6379", "redis://:p@", "redis+sentinel:///hall",
      "redis+sentinel://a,/hall", "redis+sentinel://,a/hall",
    ],
    "an address with a space or a control character, or too long": [
      "redis://h h", "redis://h\n", "redis://h\u{202E}", "redis://" + String(repeating: "h", count: 4096),
      "redis+sentinel://h/a b",
    ],
    "a port that is not a number from 1 to 65535": [
      "redis://h:0", "redis://h:65536", "redis://h:", "redis://h:+1", "redis+sentinel://a,b:x/hall",
      "redis://anna:5ecret/x@h", "redis://anna:5ecret@h:x",
    ],
    "a host with more than one colon; write an IPv6 address in [ ]": ["redis://h:1:2", "redis://::1"],
    "an IPv6 address without its ]": ["redis://[::1"],
    "text between the host and its port": ["redis://[::1]x"],
    "a database that is not a number from 0 to 65535": [
      "redis://h/x", "redis://h/-1", "redis://h/+1", "redis://h/1/", "redis://h/65536", "redis://h/000001",
      "redis+sentinel://h/hall/x", "redis+sentinel://h/hall/1/2",
    ],
    "an address with a ? or a #": ["redis://h?tls=1", "redis://h/0#x", "redis://:5ecret?@h"],
    "several servers": ["redis://a,b"],
    "a user without a password": [
      "redis://anna@h", "redis://anna:@h", "redis://@h", "redis://:@h", "redis://5ecret@h",
    ],
    "a user or password with a % that is not followed by two hexadecimal digits, or that is no UTF-8": [
      "redis://:%4@h", "redis://%zz:p@h", "redis://:%FF@h", "redis://anna:5ecret%@h",
    ],
    "an address of Sentinels without the name of the master": [
      "redis+sentinel://h", "redis+sentinel://h/", "redis+sentinel://h//0",
    ],
    "a name of a master with other characters than letters, digits, . - and _": [
      "redis+sentinel://h/ä", "redis+sentinel://h/a%20b",
    ],
    "more than 16 Sentinels": ["redis+sentinel://\((1...17).map { "h\($0)" }.joined(separator: ","))/hall"],
  ]

  @Test(arguments: wrong.flatMap { problem, texts in texts.map { ($0, problem) } })
  func `a wrong address is refused with a hint, and without what may be a password`(
    text: String, what: String
  ) throws {
    let problem = try #require(failure { () throws(InvalidValue) in try RedisAddress(text) })
    #expect(problem.what == what)
    #expect(problem.hint?.isEmpty == false)
    #expect(!problem.description.contains("ecret"))
  }
}
