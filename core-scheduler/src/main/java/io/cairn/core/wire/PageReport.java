package io.cairn.core.wire;

import java.nio.ByteBuffer;

/**
 * An executor's report for the page of the application, to the driver, which answers nothing.
 *
 * @param json the report, in a buffer of the heap that nobody writes to any more
 */
public record PageReport(ByteBuffer json) implements Message {
  /** The report, with a position of the caller's own. */
  @Override
  public ByteBuffer json() {
    return json.duplicate();
  }
}
