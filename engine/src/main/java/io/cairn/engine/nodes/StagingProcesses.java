package io.cairn.engine.nodes;

import io.cairn.GroupId;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.model.ContainerSummary;
import io.cairn.engine.config.HostPort;
import io.cairn.engine.config.StagingSettings;
import io.cairn.engine.coordination.HttpAddress;
import io.cairn.engine.coordination.HttpExchangeClient;
import io.cairn.engine.coordination.HttpService;
import io.cairn.engine.promotion.NodeDirectory;
import io.cairn.engine.promotion.NodeGroups;
import io.cairn.engine.promotion.SkippedException;
import io.cairn.flush.store.CheckpointStore;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * The staging servers that are processes of their own, and the orders to them. The ranks are spread
 * over them. A server that gives no answer is not asked again for {@value #QUIET_SECONDS} seconds.
 * Thread-safe.
 */
public final class StagingProcesses implements StoreServers {
  /** Servers that are asked to write one rank's data, one after the other. */
  private static final int MOST_TRIED = 2;

  private static final long QUIET_SECONDS = 60;

  private final List<StagingDialogue.Server> servers;
  private final String owner;
  private final Identity identity;
  private final AtNode groups;
  private final LongSupplier nanoTime;

  /** Servers that gave no answer, with the time of that. */
  private final Map<StagingDialogue.Server, Long> quiet = new ConcurrentHashMap<>();

  /** Finds the identity of STORE. */
  interface Identity {
    String find() throws IOException;
  }

  /** Finds the directory of a group at NODE. */
  interface AtNode {
    CheckpointStore of(GroupId group) throws IOException;
  }

  /**
   * Asks nobody yet.
   *
   * @param owner names this process, for the servers' messages
   * @param home names STORE, which the servers compare with theirs
   * @param groups at NODE, which the data is read from
   * @param nanoTime the clock, as {@link System#nanoTime}
   */
  public StagingProcesses(
      StagingSettings settings,
      String owner,
      NodeDirectory home,
      NodeGroups groups,
      LongSupplier nanoTime) {
    this(
        settings.servers().stream().map(at -> server(at, settings.secret())).toList(),
        owner,
        home::identity,
        groups::of,
        nanoTime);
  }

  StagingProcesses(
      List<StagingDialogue.Server> servers,
      String owner,
      Identity identity,
      AtNode groups,
      LongSupplier nanoTime) {
    this.servers = List.copyOf(servers);
    this.owner = owner;
    this.identity = identity;
    this.groups = groups;
    this.nanoTime = nanoTime;
  }

  private static StagingDialogue.Server server(HostPort at, Optional<String> secret) {
    HttpAddress address = new HttpAddress(HttpService.STAGING, at.host(), at.port(), secret);
    return new StagingDialogue.Server(
        "the staging server at " + address, new HttpExchangeClient(address));
  }

  @Override
  public Optional<ContainerSummary> write(
      CheckpointManifest part, String birth, BooleanSupplier givenUp) throws IOException {
    List<StagingDialogue.Server> inTurn = inTurn(part);
    IOException failure =
        new IOException("no staging server writes " + part.id() + ", ranks " + part.ranks());
    for (StagingDialogue.Server server : inTurn.subList(0, Math.min(MOST_TRIED, inTurn.size()))) {
      StagingDialogue dialogue =
          new StagingDialogue(server, part, birth, groups.of(part.id().group()), givenUp, nanoTime);
      try {
        return Optional.of(dialogue.run(owner, identity.find()));
      } catch (InterruptedIOException | SkippedException e) {
        throw e;
      } catch (IOException e) {
        if (dialogue.isSilent()) {
          quiet.put(server, nanoTime.getAsLong());
        }
        failure.addSuppressed(e);
      }
    }
    if (inTurn.isEmpty()) {
      return Optional.empty(); // each failed a moment ago, which was reported
    }
    throw new IOException(
        failure.getMessage() + ": " + failure.getSuppressed()[0].getMessage(), failure);
  }

  /** Those that are worth a question, beginning with the rank's own. */
  private List<StagingDialogue.Server> inTurn(CheckpointManifest part) {
    long now = nanoTime.getAsLong();
    quiet.values().removeIf(since -> now - since >= Duration.ofSeconds(QUIET_SECONDS).toNanos());
    List<StagingDialogue.Server> inTurn = new ArrayList<>(servers);
    Collections.rotate(inTurn, -Math.floorMod(StoreServers.turn(part), inTurn.size()));
    inTurn.removeIf(quiet::containsKey);
    return inTurn;
  }
}
