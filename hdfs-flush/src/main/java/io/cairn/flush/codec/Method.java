package io.cairn.flush.codec;

import java.io.IOException;

/** A compression, with the library that has it. */
enum Method {
  /** Fast, for fast links. */
  LZ4("at.yawk.lz4:lz4-java"),
  /** Stronger and slower. */
  ZSTD("com.github.luben:zstd-jni");

  private final String library;

  Method(String library) {
    this.library = library;
  }

  /**
   * A codec of this compression.
   *
   * @throws IOException if the library is absent or its native part cannot be loaded; the message
   *     names it
   */
  Codec open() throws IOException {
    try {
      return switch (this) {
        case LZ4 -> new Lz4Codec();
        case ZSTD -> new ZstdCodec();
      };
    } catch (LinkageError e) {
      throw new IOException(
          ("%s needs the library %s, which is absent or cannot be loaded (%s): add its jar to the"
                  + " class path; if it is there, set java.io.tmpdir to a directory that may hold"
                  + " executable files")
              .formatted(this, library, e),
          e);
    }
  }
}
