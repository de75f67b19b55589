package io.cairn.core.wire;

/**
 * Every message between processes as bytes: one byte for the version, one for the kind, then the
 * fields in the order of the records. A kind has a code of its own, so that no message is read as
 * another. Both ends run the same version, since one application ships both; the version byte
 * refuses another one. A text for people is clipped to 4 000 characters, and a survey of more than
 * 32 KiB is left out. Thread-safe; linear in the length of the message.
 *
 * <p>Every {@code encode} throws {@link IllegalArgumentException} naming the class of a message
 * that has no kind. Every {@code decode} throws nothing but {@link IllegalArgumentException}, with
 * the offset and the reason, and takes memory in proportion to the bytes that it was given.
 */
public final class Wire {
  private static final int VERSION = 11;

  private Wire() {}

  /** The bytes of a request to a peer. */
  public static byte[] encode(PeerRequest request) {
    return FieldWriter.encode(VERSION, request, PeerWire.REQUESTS::write);
  }

  /** The request to a peer in {@code bytes}. */
  public static PeerRequest decodePeerRequest(byte[] bytes) {
    return FieldReader.decode(bytes, VERSION, "a peer's request", PeerWire.REQUESTS::read);
  }

  /** The bytes of a peer's reply. */
  public static byte[] encode(PeerReply reply) {
    return FieldWriter.encode(VERSION, reply, PeerWire.REPLIES::write);
  }

  /** The peer's reply in {@code bytes}, which a {@link PeerReply.Piece} keeps. */
  public static PeerReply decodePeerReply(byte[] bytes) {
    return FieldReader.decode(bytes, VERSION, "a peer's reply", PeerWire.REPLIES::read);
  }

  /** The same; refuses a reply that is not of the class that answers the request. */
  public static <R extends PeerReply> R decodePeerReply(byte[] bytes, Class<R> expected) {
    PeerReply reply = decodePeerReply(bytes);
    if (!expected.isInstance(reply)) {
      throw new IllegalArgumentException(
          "a peer replied %s, not %s"
              .formatted(reply.getClass().getSimpleName(), expected.getSimpleName()));
    }
    return expected.cast(reply);
  }

  /** The bytes of a push's header. */
  public static byte[] encode(ChunkSpan span) {
    return FieldWriter.encode(VERSION, span, PeerWire.SPANS::write);
  }

  /** The header of a push in {@code bytes}. */
  public static ChunkSpan decodeSpan(byte[] bytes) {
    return FieldReader.decode(bytes, VERSION, "a span of a chunk", PeerWire.SPANS::read);
  }

  /** The bytes of an executor's request. */
  public static byte[] encode(ExchangeRequest request) {
    return FieldWriter.encode(VERSION, request, ExchangeWire.REQUESTS::write);
  }

  /** Whether bytes, which may be anything, claim to be an executor's request. */
  public static boolean isExchangeRequest(byte[] bytes) {
    return bytes.length > 1 && ExchangeWire.REQUESTS.has(bytes[1] & 0xff);
  }

  /** The executor's request in {@code bytes}. */
  public static ExchangeRequest decodeExchangeRequest(byte[] bytes) {
    return FieldReader.decode(bytes, VERSION, "an executor's request", ExchangeWire.REQUESTS::read);
  }

  /** The bytes of the driver's reply. */
  public static byte[] encode(ExchangeReply reply) {
    return FieldWriter.encode(VERSION, reply, ExchangeWire.REPLIES::write);
  }

  /** The driver's reply in {@code bytes}. */
  public static ExchangeReply decodeExchangeReply(byte[] bytes) {
    return FieldReader.decode(bytes, VERSION, "a driver's reply", ExchangeWire.REPLIES::read);
  }

  /** The bytes of a request to the desk of standbys. */
  public static byte[] encode(StandbyRequest request) {
    return FieldWriter.encode(VERSION, request, StandbyWire.REQUESTS::write);
  }

  /** Whether bytes, which may be anything, claim to be a request to the desk of standbys. */
  public static boolean isStandbyRequest(byte[] bytes) {
    return bytes.length > 1 && StandbyWire.REQUESTS.has(bytes[1] & 0xff);
  }

  /** The request to the desk of standbys in {@code bytes}. */
  public static StandbyRequest decodeStandbyRequest(byte[] bytes) {
    return FieldReader.decode(
        bytes, VERSION, "a request to the desk of standbys", StandbyWire.REQUESTS::read);
  }

  /** The bytes of a reply of the desk of standbys. */
  public static byte[] encode(StandbyReply reply) {
    return FieldWriter.encode(VERSION, reply, StandbyWire.REPLIES::write);
  }

  /** The reply of the desk of standbys in {@code bytes}. */
  public static StandbyReply decodeStandbyReply(byte[] bytes) {
    return FieldReader.decode(
        bytes, VERSION, "a reply of the desk of standbys", StandbyWire.REPLIES::read);
  }
}
