/// What goes in front of a program that is to run on a terminal of its own, or on none.
package enum TestTerminal {
  /// It hangs up when the launcher gets SIGUSR1; other signals are passed on.
  package static var new: [String] { [Peers.script("on-terminal"), "new"] }
  /// As a service's.
  package static var none: [String] { [Peers.script("on-terminal"), "none"] }
}
