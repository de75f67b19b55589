package io.cairn.lab.bench.failover;

/**
 * A line of a rank's log.
 *
 * @param iteration the restored one of {@link What#START}, or −1
 * @param nanos of the machine's clock, which its processes share
 */
record RankEvent(What what, long pid, long epoch, long iteration, long nanos) {
  /** The kinds of events. */
  enum What {
    /** A task without a rank is warm and waits. */
    WARM,
    /** A rank was restored. */
    START,
    /** An iteration was computed and captured. */
    STEP
  }

  static RankEvent now(What what, long epoch, long iteration) {
    return new RankEvent(what, ProcessHandle.current().pid(), epoch, iteration, System.nanoTime());
  }

  String line() {
    return what + " " + pid + " " + epoch + " " + iteration + " " + nanos;
  }

  static RankEvent parse(String line) {
    String[] words = line.split(" ", -1);
    return new RankEvent(
        What.valueOf(words[0]),
        Long.parseLong(words[1]),
        Long.parseLong(words[2]),
        Long.parseLong(words[3]),
        Long.parseLong(words[4]));
  }
}
