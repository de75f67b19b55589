package io.cairn.engine.config;

/**
 * The settings for staging servers.
 *
 * @param nodes whose executors write to STORE for all others; 0 if each writes for itself
 * @param bytesPerSecond the most that a server fetches; 0 for no bound
 */
public record StagingSettings(int nodes, long bytesPerSecond) {
  private static final int MOST_NODES = 1000;

  /** No servers. */
  public static final StagingSettings NONE = new StagingSettings(0, 0);

  static StagingSettings of(SettingValues given) {
    long nodes = given.number(Setting.STAGING_NODES);
    if (nodes < 0 || nodes > MOST_NODES) {
      throw given.illegal(Setting.STAGING_NODES, "a number from 0 to " + MOST_NODES);
    } else if (nodes > 0 && !given.isOn(Setting.NODE_SERVE)) {
      throw given.illegal(Setting.STAGING_NODES, "0, or set node.serve to on");
    }
    return new StagingSettings((int) nodes, given.bytes(Setting.STAGING_RATE));
  }
}
