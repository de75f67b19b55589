package io.cairn.flush.format;

import com.github.luben.zstd.Zstd;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/**
 * A reader written from {@code docs/COMMIT.md} alone: it knows the JDK, a library of Zstandard and
 * that page, and none of the classes that wrote the files. If it cannot read a file, the page is
 * incomplete.
 */
final class PageReader {
  private final Path directory;
  private final List<String> lines;

  /** Reads and checks the manifest of a checkpoint's directory. */
  PageReader(Path directory, String manifest) throws IOException {
    this.directory = directory;
    byte[] text = Files.readAllBytes(directory.resolve(manifest));
    this.lines = new String(text, StandardCharsets.US_ASCII).lines().toList();
    String last = lines.get(lines.size() - 1);
    int above = text.length - last.length() - 1;
    boolean entries = lines.stream().anyMatch(line -> line.startsWith("entry "));
    boolean holders = lines.stream().anyMatch(line -> line.startsWith("holder "));
    int version = holders ? 3 : entries ? 2 : 1;
    require(lines.get(0).equals("cairn-manifest " + version), "manifest version");
    require(last.equals("sha256 " + sha256(Arrays.copyOf(text, above))), "manifest seal");
    String name = name(word("epoch"), word("iteration"));
    require(directory.endsWith(Path.of(word("job"), word("group"), name)), "place of manifest");
  }

  private static String name(String epoch, String iteration) {
    return String.format(
        Locale.ROOT, "e%06d-i%010d", Long.parseLong(epoch), Long.parseLong(iteration));
  }

  private ByteBuffer file(
      Path where, String name, String bytes, String digest, String epoch, String iteration)
      throws IOException {
    ByteBuffer file = ByteBuffer.wrap(Files.readAllBytes(where.resolve(name)));
    require(file.limit() == Long.parseLong(bytes), "length of container");
    requireEnds(file, digest, epoch, iteration);
    return file;
  }

  /** The value of a line that there is one of. */
  String word(String key) {
    return lines.stream()
        .filter(line -> line.startsWith(key + " "))
        .map(line -> line.substring(key.length() + 1))
        .findFirst()
        .orElseThrow();
  }

  /** The entries of the containers with a rank, by name. */
  Map<String, String> entries(int rank) {
    Map<String, String> entries = new TreeMap<>();
    boolean own = false;
    for (String line : lines) {
      String[] words = line.split(" ", 3);
      if (words[0].equals("container")) {
        String[] ranks = line.split(" ", -1)[4].split(",", -1);
        own = List.of(ranks).contains(String.valueOf(rank));
      } else if (words[0].equals("entry") && own) {
        entries.put(words[1], words[2]);
      }
    }
    return entries;
  }

  /** A rank's regions by name, in order, every chunk checked. */
  Map<String, byte[]> read(int rank) throws IOException {
    Map<String, byte[]> regions = new LinkedHashMap<>();
    Map<String, Integer> missing = new TreeMap<>();
    int containers = 0;
    for (int i = 0; i < lines.size(); i++) {
      String[] words = lines.get(i).split(" ", -1);
      if (words[0].equals("container")
          && List.of(words[4].split(",", -1)).contains(String.valueOf(rank))) {
        List<ByteBuffer> files = new ArrayList<>();
        files.add(file(directory, words[1], words[2], words[3], word("epoch"), word("iteration")));
        for (int k = i + 1; lines.get(k).startsWith("holder "); k++) {
          String[] holder = lines.get(k).split(" ", -1);
          Path older = directory.resolveSibling(name(holder[1], holder[2]));
          files.add(file(older, holder[3], holder[4], holder[5], holder[1], holder[2]));
        }
        regions(files, rank, containers++ == 0, regions, missing);
      }
    }
    require(containers > 0 && missing.isEmpty(), "containers of rank " + rank + missing);
    return regions;
  }

  private void requireEnds(ByteBuffer file, String indexDigest, String epoch, String iteration)
      throws IOException {
    requireHeader(file, epoch, iteration);
    int trailer = file.limit() - 64;
    require(ascii(file, trailer, 8).equals("CAIRNEND"), "trailer magic");
    require(file.getInt(trailer + 60) == crc32c(file, trailer, 60), "trailer CRC32C");
    int at = (int) file.getLong(trailer + 8);
    int bytes = file.getInt(trailer + 16);
    require(at + bytes == trailer, "end of index");
    String found = sha256(slice(file, at, bytes));
    require(found.equals(hex(slice(file, trailer + 24, 32))), "index digest in trailer");
    require(found.equals(indexDigest), "index digest in manifest");
  }

  private void requireHeader(ByteBuffer file, String epoch, String iteration) throws IOException {
    require(ascii(file, 0, 8).equals("CAIRNCHK"), "header magic");
    require(file.getInt(508) == crc32c(file, 0, 508), "header CRC32C");
    int version = file.getInt(8);
    require((version == 1 || version == 2) && file.getInt(12) == 512, "container version");
    require(file.getLong(16) == Long.parseLong(epoch), "epoch");
    require(file.getLong(24) == Long.parseLong(iteration), "iteration");
    require(file.getInt(48) == Integer.parseInt(word("size")), "group size");
    require(ascii(file, 64, file.getInt(56)).equals(word("job")), "job");
    require(ascii(file, 192, file.getInt(60)).equals(word("group")), "group");
  }

  /** Puts what a container holds of a rank into its regions, and checks off what was missing. */
  private static void regions(
      List<ByteBuffer> files,
      int wanted,
      boolean first,
      Map<String, byte[]> regions,
      Map<String, Integer> missing)
      throws IOException {
    ByteBuffer file = files.get(0);
    int trailer = file.limit() - 64;
    ByteBuffer index = file.duplicate().limit(trailer).position((int) file.getLong(trailer + 8));
    require(index.getLong() == 0x434149524e494458L, "index magic");
    int ranks = index.getInt();
    require(index.getInt() == files.size() - 1, "number of holders");
    for (int i = 0; i < ranks; i++) {
      int rank = index.getInt();
      for (int left = index.getInt(); left > 0; left--) {
        int nameBytes = index.getInt();
        int chunkBytes = index.getInt();
        int bytes = (int) index.getLong();
        int chunks = index.getInt();
        byte[] ascii = new byte[nameBytes];
        index.get(ascii);
        String name = new String(ascii, StandardCharsets.US_ASCII);
        byte[] content = new byte[bytes];
        if (rank == wanted && first) {
          regions.put(name, content);
        } else if (rank == wanted) {
          require(regions.containsKey(name), "regions of a second container");
          content = regions.getOrDefault(name, content);
          require(content.length == bytes, "length of " + name);
        }
        for (int k = 0; k < chunks; k++) {
          int length = Math.min(chunkBytes, bytes - k * chunkBytes);
          int at = (int) index.getLong();
          int stored = length;
          int form = 0;
          ByteBuffer from = file;
          int crc;
          if (file.getInt(8) == 2) {
            stored = index.getInt();
            int storedCrc = index.getInt();
            crc = index.getInt();
            form = index.getShort();
            from = files.get(index.getShort());
            require(at == 0 || crc32c(from, at, stored) == storedCrc, "stored bytes " + k);
            index.position(index.position() + 16); // a hash, which a reader may ignore
          } else {
            crc = index.getInt();
          }
          if (at == 0) {
            if (rank == wanted && first) {
              missing.put(name + " " + k, crc);
            }
            continue;
          }
          byte[] chunk = decode(form, slice(from, at, stored), length);
          require(crc32c(ByteBuffer.wrap(chunk), 0, length) == crc, "chunk " + k);
          Integer expected = rank == wanted ? missing.remove(name + " " + k) : null;
          require(expected == null || expected == crc, "chunk " + k + " of a second container");
          System.arraycopy(chunk, 0, content, k * chunkBytes, length);
        }
      }
    }
    require(!index.hasRemaining(), "end of index");
  }

  private static byte[] decode(int form, byte[] stored, int length) throws IOException {
    return switch (form) {
      case 0 -> stored;
      case 1 -> lz4(stored, length);
      case 2 -> Zstd.decompress(stored, length);
      case 3, 4, 5 -> elements(Zstd.decompress(stored, length), 1 << (form - 2));
      default -> throw new IOException("encoding " + form);
    };
  }

  /** A block: tokens of literals and matches, the last one without a match. */
  private static byte[] lz4(byte[] block, int length) {
    byte[] out = new byte[length];
    ByteBuffer in = ByteBuffer.wrap(block);
    int at = 0;
    while (in.hasRemaining()) {
      int token = in.get() & 0xff;
      int literals = extended(token >> 4, in);
      in.get(out, at, literals);
      at += literals;
      if (in.hasRemaining()) {
        int back = (in.get() & 0xff) | (in.get() & 0xff) << 8;
        for (int left = extended(token & 15, in) + 4; left > 0; left--, at++) {
          out[at] = out[at - back];
        }
      }
    }
    return out;
  }

  private static int extended(int nibble, ByteBuffer in) {
    int length = nibble;
    int more = nibble == 15 ? 255 : 0;
    while (more == 255) {
      more = in.get() & 0xff;
      length += more;
    }
    return length;
  }

  private static byte[] elements(byte[] planes, int elementBytes) {
    byte[] out = planes.clone();
    int elements = planes.length / elementBytes;
    for (int i = 0; i < elements * elementBytes; i++) {
      out[i % elements * elementBytes + i / elements] = planes[i];
    }
    return out;
  }

  private static byte[] slice(ByteBuffer file, int at, int length) {
    byte[] bytes = new byte[length];
    file.get(at, bytes);
    return bytes;
  }

  private static String ascii(ByteBuffer file, int at, int length) {
    return new String(slice(file, at, length), StandardCharsets.US_ASCII);
  }

  private static int crc32c(ByteBuffer file, int at, int length) {
    CRC32C crc = new CRC32C();
    crc.update(slice(file, at, length));
    return (int) crc.getValue();
  }

  private static String sha256(byte[] bytes) throws IOException {
    try {
      return hex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (GeneralSecurityException e) {
      throw new IOException(e);
    }
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  private static void require(boolean holds, String what) throws IOException {
    if (!holds) {
      throw new IOException("wrong " + what);
    }
  }
}
