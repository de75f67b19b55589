package io.cairn.lab;

import io.cairn.cli.CommandRun;

/** Runs {@code cairn-lab} as a user would see it. */
public final class LabRun {
  private LabRun() {}

  /** Runs it with these arguments. */
  public static CommandRun of(String... arguments) {
    return CommandRun.of(Laboratory.commandLine(), arguments);
  }
}
