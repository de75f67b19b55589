package io.cairn.engine.runtime;

import io.cairn.Compression;
import io.cairn.engine.coordination.HttpAddress;
import io.cairn.engine.coordination.HttpService;
import io.cairn.engine.nodes.StagingProcess;
import io.cairn.engine.nodes.StagingTerms;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.CheckpointStores;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * A staging server that runs until it is killed, for the store and at the port that it is given.
 */
final class StagingMain {
  private StagingMain() {}

  /**
   * Prints "serves" when it does, then the containers so far for each line; ends with its input.
   */
  public static void main(String[] arguments) throws IOException {
    StagingTerms terms =
        new StagingTerms(
            new HttpAddress(
                HttpService.STAGING,
                "127.0.0.1",
                Integer.parseInt(arguments[1]),
                Optional.of(arguments[2])),
            Long.parseLong(arguments[3]),
            1 << 20,
            2,
            4 << 20,
            Compression.NONE);
    try (CheckpointStore store = CheckpointStores.open(arguments[0]);
        StagingProcess server = new StagingProcess(terms, store)) {
      System.out.println("serves " + server.port());
      BufferedReader lines =
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      while (lines.readLine() != null) {
        System.out.println("written " + server.progress().containers());
      }
    }
  }
}
