package io.cairn.cli;

/** The exit codes of {@code bin/cairn}. */
public final class ExitCodes {
  /** Done, and what was looked at is good. */
  public static final int GOOD = 0;

  /** Done, and the verdict is bad: damage was found, or results differ that must not. */
  public static final int BAD = 1;

  /** Not done: wrong usage, or something that the user must put right first. */
  public static final int REFUSED = 2;

  /** Not done because of a defect in Cairn. */
  public static final int DEFECT = 3;

  private ExitCodes() {}
}
