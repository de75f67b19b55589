package io.cairn.spark.exchange;

import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.GroupId;
import io.cairn.core.protocol.CoordinatorMessage;
import io.cairn.core.protocol.MemberMessage;
import io.cairn.core.wire.Wire;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Requests and replies as bytes. Bounded: readers refuse more than {@value #MAX_ENTRIES} entries.
 */
public final class Exchange {
  private static final int MAX_ENTRIES = 100_000;
  private static final int MAX_MESSAGE_BYTES = 16 << 20;

  private Exchange() {}

  /** A rank's message to its coordinator. */
  public record ToCoordinator(GroupId group, int size, String incarnation, MemberMessage message) {}

  /** A coordinator's message to a rank. */
  public record ToMember(String incarnation, CoordinatorMessage message) {}

  /** What a node holds of one checkpoint: one rank's data at NODE. */
  public record NodeCopy(CheckpointId id, int rank, int size) {}

  /**
   * What an executor sends.
   *
   * @param executor its id
   * @param number of the request, rising; the same if it is sent again, so that it counts once
   * @param received the number of the last message that came from the driver, 0 if none did
   * @param node the machine and directory that its inventory is about
   * @param messages in order
   * @param inventory on registering, everything at NODE; else empty
   * @param topology on registering, what the machine says of the links of its devices; else empty
   */
  public record Request(
      String executor,
      long number,
      long received,
      String node,
      List<ToCoordinator> messages,
      List<NodeCopy> inventory,
      String topology) {
    /** Copies the lists. */
    public Request {
      messages = List.copyOf(messages);
      inventory = List.copyOf(inventory);
    }
  }

  /**
   * What the driver answers. Messages are numbered from 1 per executor, and come again until they
   * are known to be received.
   *
   * @param last number of the last one of {@code messages}
   */
  public record Reply(long last, List<ToMember> messages) {
    /** Copies the list. */
    public Reply {
      messages = List.copyOf(messages);
    }

    /** Those that come after message number {@code received}. */
    public List<ToMember> after(long received) {
      long first = last - messages.size() + 1;
      long known = Math.max(0, Math.min(messages.size(), received + 1 - first));
      return messages.subList((int) known, messages.size());
    }
  }

  private interface Writer<T> {
    void write(DataOutputStream out, T value) throws IOException;
  }

  private interface Reader<T> {
    T read(DataInputStream in) throws IOException;
  }

  /** The bytes of a request. */
  public static byte[] encode(Request request) {
    return bytes(
        out -> {
          out.writeUTF(request.executor());
          out.writeLong(request.number());
          out.writeLong(request.received());
          out.writeUTF(request.node());
          writeList(out, request.messages(), Exchange::writeToCoordinator);
          writeList(out, request.inventory(), Exchange::writeNodeCopy);
          out.writeUTF(request.topology());
        });
  }

  /**
   * The request in {@code bytes}.
   *
   * @throws IllegalArgumentException saying what is wrong with them
   */
  public static Request decodeRequest(byte[] bytes) {
    return parse(
        bytes,
        in ->
            new Request(
                in.readUTF(),
                in.readLong(),
                in.readLong(),
                in.readUTF(),
                readList(in, Exchange::readToCoordinator),
                readList(in, Exchange::readNodeCopy),
                in.readUTF()));
  }

  /** The bytes of a reply. */
  public static byte[] encode(Reply reply) {
    return bytes(
        out -> {
          out.writeLong(reply.last());
          writeList(out, reply.messages(), Exchange::writeToMember);
        });
  }

  /**
   * The reply in {@code bytes}.
   *
   * @throws IllegalArgumentException saying what is wrong with them
   */
  public static Reply decodeReply(byte[] bytes) {
    return parse(bytes, in -> new Reply(in.readLong(), readList(in, Exchange::readToMember)));
  }

  private static void writeToCoordinator(DataOutputStream out, ToCoordinator message)
      throws IOException {
    out.writeUTF(message.group().job());
    out.writeUTF(message.group().group());
    out.writeInt(message.size());
    out.writeUTF(message.incarnation());
    writeBlock(out, Wire.encode(message.message()));
  }

  private static ToCoordinator readToCoordinator(DataInputStream in) throws IOException {
    return new ToCoordinator(
        new GroupId(in.readUTF(), in.readUTF()),
        in.readInt(),
        in.readUTF(),
        Wire.decodeMember(readBlock(in)));
  }

  private static void writeToMember(DataOutputStream out, ToMember message) throws IOException {
    out.writeUTF(message.incarnation());
    writeBlock(out, Wire.encode(message.message()));
  }

  private static ToMember readToMember(DataInputStream in) throws IOException {
    return new ToMember(in.readUTF(), Wire.decodeCoordinator(readBlock(in)));
  }

  private static void writeNodeCopy(DataOutputStream out, NodeCopy copy) throws IOException {
    out.writeUTF(copy.id().group().job());
    out.writeUTF(copy.id().group().group());
    out.writeLong(copy.id().epoch());
    out.writeLong(copy.id().iteration());
    out.writeInt(copy.rank());
    out.writeInt(copy.size());
  }

  private static NodeCopy readNodeCopy(DataInputStream in) throws IOException {
    CheckpointId id =
        new CheckpointId(new GroupId(in.readUTF(), in.readUTF()), in.readLong(), in.readLong());
    return new NodeCopy(id, in.readInt(), in.readInt());
  }

  private static void writeBlock(DataOutputStream out, byte[] block) throws IOException {
    out.writeInt(block.length);
    out.write(block);
  }

  private static byte[] readBlock(DataInputStream in) throws IOException {
    int length = in.readInt();
    if (length < 0 || length > MAX_MESSAGE_BYTES) {
      throw new IOException("a message of " + length + " bytes");
    }
    byte[] block = in.readNBytes(length);
    if (block.length < length) {
      throw new IOException("a message of " + length + " bytes ends after " + block.length);
    }
    return block;
  }

  private static <T> void writeList(DataOutputStream out, List<T> values, Writer<T> writer)
      throws IOException {
    out.writeInt(values.size());
    for (T value : values) {
      writer.write(out, value);
    }
  }

  private static <T> List<T> readList(DataInputStream in, Reader<T> reader) throws IOException {
    int entries = in.readInt();
    if (entries < 0 || entries > MAX_ENTRIES) {
      throw new IOException("a list of " + entries + " entries");
    }
    List<T> values = new ArrayList<>();
    for (int i = 0; i < entries; i++) {
      values.add(reader.read(in));
    }
    return values;
  }

  private interface Body {
    void write(DataOutputStream out) throws IOException;
  }

  private static byte[] bytes(Body body) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      body.write(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private static <T> T parse(byte[] bytes, Reader<T> reader) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      T value = reader.read(in);
      if (in.read() != -1) {
        throw new IOException("bytes left over");
      }
      return value;
    } catch (IOException | IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "not an exchange of this version (" + bytes.length + " bytes): " + e.getMessage(), e);
    }
  }
}
