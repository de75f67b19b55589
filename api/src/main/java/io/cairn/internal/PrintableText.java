package io.cairn.internal;

/**
 * The rule for values that a manifest keeps and people read: 1 to 128 printable ASCII characters,
 * without a blank at either end.
 */
public final class PrintableText {
  private static final int MAX_LENGTH = 128;

  private PrintableText() {}

  /**
   * Checks a value.
   *
   * @param name of the entry that has it, for the message
   * @throws IllegalArgumentException naming both, if the value is not legal
   */
  public static void require(String name, String value) {
    if (!isLegal(value)) {
      throw new IllegalArgumentException(
          "entry "
              + name
              + " '"
              + value
              + "': use 1 to 128 printable ASCII characters, without a blank at either end");
    }
  }

  /**
   * Whether a value is legal. A loop, since every manifest that is read has some: a regular
   * expression takes longer.
   */
  public static boolean isLegal(String value) {
    int length = value.length();
    boolean legal = length > 0 && length <= MAX_LENGTH && value.strip().length() == length;
    for (int i = 0; legal && i < length; i++) {
      legal = value.charAt(i) >= ' ' && value.charAt(i) <= '~';
    }
    return legal;
  }
}
