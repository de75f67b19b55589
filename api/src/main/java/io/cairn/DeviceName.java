package io.cairn;

import java.util.regex.Pattern;

/**
 * A device, as the application and the device's driver name it. Its text is {@code kind:number},
 * such as {@code cuda:0}.
 *
 * @param kind 1 to 16 lower-case letters
 * @param number by the driver's numbering, 0 or more
 */
public record DeviceName(String kind, int number) {
  private static final Pattern KIND = Pattern.compile("[a-z]{1,16}");

  /** Checks kind and number. */
  public DeviceName {
    if (!KIND.matcher(kind).matches() || number < 0) {
      throw new IllegalArgumentException(
          "device '" + kind + "' number " + number + ": 1 to 16 lower-case letters, and 0 or more");
    }
  }

  @Override
  public String toString() {
    return kind + ":" + number;
  }
}
