/// Bytes that are to be written at a place in a file. Of several, each has to be there before the next one.
package struct Patch: Hashable, Sendable {
  package let offset: Int
  package let bytes: [UInt8]
}
