package io.cairn.lab.study.schedule;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * Refuses JSON with a name, string or number that is longer than a reader may hold. Jackson bounds
 * strings and numbers, but names only from 2.16 on, which Spark 3.5 does not accept.
 */
final class BoundedTokens extends FilterInputStream {
  private int length;
  private boolean inText;
  private boolean escaped;

  BoundedTokens(InputStream in) {
    super(in);
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int offset, int count) throws IOException {
    int got = super.read(into, offset, count);
    for (int at = offset; at < offset + got; at++) {
      follow(into[at]);
    }
    if (length > Limits.TOKEN_BYTES) {
      throw new IllegalArgumentException(
          " has a name or number of more than " + Limits.TOKEN_BYTES + " bytes");
    }
    return got;
  }

  private void follow(byte next) {
    if (escaped) {
      escaped = false;
    } else if (inText && next == '\\') {
      escaped = true;
    } else if (next == '"') {
      inText = !inText;
      length = 0;
      return;
    }
    if (inText || next == '.' || next == '-' || next == '+' || Character.isLetterOrDigit(next)) {
      length++;
    } else {
      length = 0;
    }
  }
}
