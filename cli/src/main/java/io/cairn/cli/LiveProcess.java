package io.cairn.cli;

import java.lang.management.ManagementFactory;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Processes of this machine that hold epochs, by the name that they wrote. Stateless. */
final class LiveProcess {
  private static final Pattern NAME = Pattern.compile("process (\\d{1,10})@(\\S+).*");

  private LiveProcess() {}

  /**
   * Whether a holder such as {@code process 2619@vm at TIME} is a process of this machine that
   * runs. Of other machines nothing is known. The number may belong to another process by now.
   */
  static boolean named(String holder) {
    Matcher name = NAME.matcher(holder);
    return name.matches()
        && name.group(2).equals(machine())
        && ProcessHandle.of(Long.parseLong(name.group(1))).isPresent();
  }

  private static String machine() {
    String own = ManagementFactory.getRuntimeMXBean().getName();
    return own.substring(own.indexOf('@') + 1);
  }
}
