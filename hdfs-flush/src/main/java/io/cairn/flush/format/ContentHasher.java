package io.cairn.flush.format;

import com.dynatrace.hash4j.hashing.ByteAccess;
import com.dynatrace.hash4j.hashing.HashValue128;
import com.dynatrace.hash4j.hashing.Hasher128;
import com.dynatrace.hash4j.hashing.Hashing;
import io.cairn.core.model.ContentHash;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Hashes chunks with XXH3 of 128 bits. The library is loaded by the first use. Thread-safe. */
final class ContentHasher {
  private static final Hasher128 HASHER = Hashing.xxh3_128();
  private static final ByteAccess<ByteBuffer> ACCESS =
      ByteAccess.forByteBuffer(ByteOrder.LITTLE_ENDIAN);

  private ContentHasher() {}

  /** Hashes the bytes before the buffer's position; changes nothing. */
  static ContentHash before(ByteBuffer bytes) {
    ByteBuffer all = bytes.duplicate().flip().order(ByteOrder.LITTLE_ENDIAN);
    HashValue128 hash = HASHER.hashBytesTo128Bits(all, 0, all.limit(), ACCESS);
    return new ContentHash(hash.getMostSignificantBits(), hash.getLeastSignificantBits());
  }
}
