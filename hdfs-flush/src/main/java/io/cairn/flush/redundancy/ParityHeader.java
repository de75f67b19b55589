package io.cairn.flush.redundancy;

import io.cairn.Digest;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.model.ContainerSummary;
import io.cairn.flush.format.FormatException;
import io.cairn.flush.format.ManifestCodec;
import io.cairn.flush.store.StoreInput;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The begin of a file with a parity: all that a later process needs to rebuild a piece of its set.
 * The file is its magic number, the length of the header, the header, and the parity. The parity is
 * as long as the longest piece of data; shorter ones count as followed by zeros. A piece of data is
 * the containers of one rank, one after the other.
 *
 * @param scheme name of the code
 * @param index of this parity
 * @param holders names of the nodes of all parities, in their order; for people
 * @param members by their index
 */
public record ParityHeader(String scheme, int index, List<String> holders, List<Member> members) {
  private static final long MAGIC = 0x434149524E504152L; // "CAIRNPAR"
  private static final int VERSION = 1;
  private static final int MOST_BYTES = 64 << 20;

  /** Bytes before the header. */
  private static final int PREFIX_BYTES = Long.BYTES + Integer.BYTES;

  /**
   * One rank of the set.
   *
   * @param node the name of the node with its data; for people
   * @param part its part of the manifest, which names its containers
   */
  public record Member(String node, CheckpointManifest part) {
    /** Its rank. */
    public int rank() {
      return part.ranks().iterator().next();
    }
  }

  /** Copies the lists. */
  public ParityHeader {
    holders = List.copyOf(holders);
    members = List.copyOf(members);
  }

  /** The code of the set. */
  public RedundancyScheme code() {
    return RedundancyScheme.of(scheme, members.size(), holders.size());
  }

  /** The ranks of the set, in the order of their pieces. */
  public List<Integer> ranks() {
    return members.stream().map(Member::rank).toList();
  }

  /** Length of the parity. */
  public long parityBytes() {
    return members.stream().mapToLong(member -> member.part().bytes()).max().orElse(0);
  }

  /** Whether the other is of the same set, whichever parity it begins. */
  public boolean sameSet(ParityHeader other) {
    return equals(new ParityHeader(other.scheme, index, other.holders, other.members));
  }

  /** All bytes before the parity. */
  public byte[] encode() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      byte[] body = body();
      out.writeLong(MAGIC);
      out.writeInt(body.length);
      out.write(body);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // memory does not fail
    }
    return bytes.toByteArray();
  }

  private byte[] body() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeInt(VERSION);
      out.writeUTF(scheme);
      out.writeInt(index);
      out.writeInt(holders.size());
      for (String holder : holders) {
        out.writeUTF(holder);
      }
      out.writeInt(members.size());
      for (Member member : members) {
        out.writeUTF(member.node());
        byte[] part = ManifestCodec.encode(member.part());
        out.writeInt(part.length);
        out.write(part);
      }
    }
    return bytes.toByteArray();
  }

  /**
   * Reads the header of a parity, whose manifest has its digest.
   *
   * @param in the file
   * @param expected the manifest's entry for it
   * @param file its name, for messages
   * @throws FormatException if it is damaged, of an unknown version, or not the expected one
   */
  static ParityHeader read(StoreInput in, ContainerSummary expected, String file)
      throws IOException {
    if (in.length() != expected.bytes() || in.length() < PREFIX_BYTES) {
      throw new FormatException(
          file, 0, "has " + in.length() + " bytes, its manifest says " + expected.bytes());
    }
    ByteBuffer prefix = read(in, 0, PREFIX_BYTES);
    if (prefix.getLong() != MAGIC) {
      throw new FormatException(file, 0, "is no parity");
    }
    int length = prefix.getInt();
    if (length < 0 || length > Math.min(MOST_BYTES, in.length() - PREFIX_BYTES)) {
      throw new FormatException(file, Long.BYTES, "has no header of " + length + " bytes");
    }
    byte[] all = read(in, 0, PREFIX_BYTES + length).array();
    if (!Digest.of(all).equals(expected.indexDigest())) {
      throw new FormatException(file, 0, "has another header than its manifest says");
    }
    ParityHeader header = decode(all, file);
    header.requireCode(file);
    if (!header.ranks().equals(expected.ranks())
        || in.length() != all.length + header.parityBytes()) {
      throw new FormatException(file, 0, "is of ranks " + header.ranks() + " or of another length");
    }
    return header;
  }

  private void requireCode(String file) throws FormatException {
    try {
      if (index >= 0 && index < code().parities()) {
        return;
      }
    } catch (IllegalArgumentException e) {
      throw (FormatException)
          new FormatException(file, PREFIX_BYTES, "is of " + e.getMessage()).initCause(e);
    }
    throw new FormatException(file, PREFIX_BYTES, "is parity " + index + " of a smaller set");
  }

  private static ByteBuffer read(StoreInput in, long at, int bytes) throws IOException {
    ByteBuffer into = ByteBuffer.allocate(bytes);
    in.readFully(at, into);
    return into.flip();
  }

  private static ParityHeader decode(byte[] all, String file) throws IOException {
    ByteArrayInputStream body =
        new ByteArrayInputStream(all, PREFIX_BYTES, all.length - PREFIX_BYTES);
    try (DataInputStream in = new DataInputStream(body)) {
      int version = in.readInt();
      if (version != VERSION) {
        throw new FormatException(file, PREFIX_BYTES, "has version " + version);
      }
      String scheme = in.readUTF();
      int index = in.readInt();
      List<String> holders = new ArrayList<>();
      for (int left = pieces(in, file); left > 0; left--) {
        holders.add(in.readUTF());
      }
      List<Member> members = new ArrayList<>();
      for (int left = pieces(in, file); left > 0; left--) {
        members.add(new Member(in.readUTF(), part(in, file)));
      }
      return new ParityHeader(scheme, index, holders, members);
    }
  }

  private static int pieces(DataInputStream in, String file) throws IOException {
    int pieces = in.readInt();
    if (pieces < 1 || pieces > RedundancyScheme.MOST_PIECES) {
      throw new FormatException(file, PREFIX_BYTES, "is of a set with " + pieces + " pieces");
    }
    return pieces;
  }

  private static CheckpointManifest part(DataInputStream in, String file) throws IOException {
    int length = in.readInt();
    if (length < 0 || length > in.available()) {
      throw new FormatException(file, PREFIX_BYTES, "has no part of " + length + " bytes");
    }
    CheckpointManifest part = ManifestCodec.decode(in.readNBytes(length), file);
    if (part.ranks().size() != 1) {
      throw new FormatException(file, PREFIX_BYTES, "has a part of ranks " + part.ranks());
    }
    return part;
  }
}
