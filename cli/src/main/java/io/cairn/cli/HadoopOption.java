package io.cairn.cli;

import java.util.Map;
import picocli.CommandLine.Option;

/**
 * The option {@code --hadoop KEY=VALUE} of a command that opens a store, as a mixin. Not
 * thread-safe.
 */
public final class HadoopOption {
  @Option(
      names = "--hadoop",
      paramLabel = "KEY=VALUE",
      description =
          "Set KEY in the Hadoop configuration of the store, as the setting store.hadoop.KEY; may"
              + " be repeated.")
  private Map<String, String> keys = Map.of();

  /** Made by the command line. */
  public HadoopOption() {}

  /** The values by their keys. */
  public Map<String, String> keys() {
    return Map.copyOf(keys);
  }
}
