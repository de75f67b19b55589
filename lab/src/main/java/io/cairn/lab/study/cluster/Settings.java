package io.cairn.lab.study.cluster;

import static java.util.Objects.requireNonNull;

import io.cairn.Level;
import io.cairn.core.cadence.CadencePlan;
import io.cairn.core.cadence.CadencePolicy;
import io.cairn.engine.config.CairnConfig;
import io.cairn.engine.config.LayerSettings;
import io.cairn.engine.config.PeerDomain;
import io.cairn.engine.config.PeerSettings;
import io.cairn.engine.config.PeerSettings.Scheme;
import io.cairn.engine.config.SharingSettings;
import io.cairn.engine.config.StagingSettings;
import io.cairn.engine.config.WriterSettings;
import io.cairn.engine.sharing.SharingTerms;
import io.cairn.flush.commit.RetentionPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SplittableRandom;

/**
 * The settings of all processes of one seed.
 *
 * @param keep checkpoints kept at NODE and STORE
 * @param queueBytes of each stage
 * @param nodesServed whether processes read from the nodes of other machines
 * @param peer what other machines keep; nothing unless nodes are served
 * @param maxLayers older checkpoints that one leans on, at NODE and STORE
 * @param stagingNodes machines whose processes write to STORE for the others; 0 unless nodes are
 *     served
 * @param sharing whether processes share device memory, of which some have little
 * @param storePatience the wait for a STORE that fails; a short one ends before STORE takes files
 */
record Settings(
    CadencePlan periods,
    int keep,
    long queueBytes,
    boolean nodesServed,
    PeerSettings peer,
    int maxLayers,
    int stagingNodes,
    boolean sharing,
    Duration storePatience) {
  static final int MOST_STAGING_NODES = 2;
  static final int CHUNK_BYTES = 256;
  static final int CACHE_SLOTS = 64;

  /** Of a process with enough memory to lend, if processes share. */
  private static final int MANY_SLOTS = 24;

  /** Of the others: few ranks fit there, and none twice. */
  private static final int FEWEST_SLOTS = 2;

  private static final int FEW_SLOTS = 6;

  static final Duration NODE_EXPIRY = Duration.ofDays(7);
  static final Duration LONG_PATIENCE = Duration.ofSeconds(5);
  static final Duration SHORT_PATIENCE = Duration.ofMillis(400);
  static final Duration NODE_PATIENCE = Duration.ofSeconds(3);
  static final Duration JOIN_TIMEOUT = Duration.ofSeconds(20);
  static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

  /** Shorter than a user's, since processes live for seconds. */
  static final SharingTerms SHARING =
      new SharingTerms(
          Duration.ofMillis(100),
          Duration.ofSeconds(1),
          Duration.ofMillis(500),
          SharingTerms.QUARTER_OF_THE_CACHE,
          Duration.ofSeconds(1),
          Duration.ofMillis(500),
          Duration.ofMillis(500));

  /** Of the desk; {@link #SHARING} has the other terms. */
  private static final SharingSettings DESK =
      new SharingSettings(
          false, 0, "", Duration.ofMillis(10), Duration.ofMillis(40), SHARING.silence(), 0);

  /** The values that no seed changes. */
  private static final CairnConfig BASE =
      CairnConfig.of(Map.of("job", "job", "store", "/of-a-simulation"));

  private static final List<Scheme> SCHEMES = List.of(Scheme.PARTNER, Scheme.XOR, Scheme.RS);

  static Settings draw(SplittableRandom random) {
    long node = random.nextLong(1, 4);
    long times = random.nextLong(1, 4);
    int keep = 1 + random.nextInt(2);
    long queueBytes = random.nextInt(3) == 0 ? 2_000 : 1 << 20;
    boolean nodesServed = random.nextBoolean();
    return new Settings(
        CadencePlan.every(1, node, node * times),
        keep,
        queueBytes,
        nodesServed,
        nodesServed && random.nextBoolean() ? drawPeer(random) : PeerSettings.NONE,
        times == 2 ? keep + 1 : 0,
        0,
        false,
        LONG_PATIENCE);
  }

  /**
   * The same, with staging servers in two of five seeds that serve nodes.
   *
   * @param own draws nothing else, so that the other settings of a seed do not depend on this
   */
  Settings withStaging(SplittableRandom own) {
    return nodesServed && own.nextInt(5) < 2 ? staging(1 + own.nextInt(MOST_STAGING_NODES)) : this;
  }

  /** The same, with staging servers at this many nodes, which are served. */
  Settings staging(int stagingNodes) {
    return new Settings(
        periods, keep, queueBytes, true, peer, maxLayers, stagingNodes, sharing, storePatience);
  }

  /**
   * The same, with a short patience in a quarter of the seeds.
   *
   * @param own draws nothing else
   */
  Settings withPatience(SplittableRandom own) {
    Duration patience = own.nextInt(4) == 0 ? SHORT_PATIENCE : LONG_PATIENCE;
    return new Settings(
        periods, keep, queueBytes, nodesServed, peer, maxLayers, stagingNodes, sharing, patience);
  }

  /** The same, with shared device memory or without. */
  Settings withSharing(boolean shared) {
    return new Settings(
        periods,
        keep,
        queueBytes,
        nodesServed,
        peer,
        maxLayers,
        stagingNodes,
        shared,
        storePatience);
  }

  /** The slots of a process's cache. */
  int drawSlots(SplittableRandom random) {
    if (!sharing) {
      return CACHE_SLOTS;
    }
    return random.nextInt(3) == 0 ? MANY_SLOTS : random.nextInt(FEWEST_SLOTS, FEW_SLOTS);
  }

  private static PeerSettings drawPeer(SplittableRandom random) {
    Scheme scheme = SCHEMES.get(random.nextInt(SCHEMES.size()));
    return new PeerSettings(scheme, new PeerDomain.Host(), 0);
  }

  /** Whether checkpoints lean on older ones. */
  boolean layered() {
    return maxLayers > 0;
  }

  /** Whether processes write to STORE for others. */
  boolean staged() {
    return stagingNodes > 0;
  }

  /** The same, without a process that reads from other machines. */
  Settings alone() {
    return new Settings(
        periods, keep, queueBytes, false, PeerSettings.NONE, maxLayers, 0, false, storePatience);
  }

  /** The configuration of a process; its chunks are smaller than a user may choose. */
  CairnConfig config(int cacheSlots) {
    return new CairnConfig(
        BASE.job(),
        BASE.label(),
        BASE.resume(),
        BASE.accepted(),
        BASE.store(),
        BASE.storeHadoop(),
        1,
        new WriterSettings(1),
        new StagingSettings(stagingNodes, List.of(), 0),
        BASE.nodeDirectory(),
        NODE_EXPIRY,
        nodesServed,
        NODE_PATIENCE,
        BASE.device(),
        BASE.deviceDirectory(),
        OptionalLong.of((long) cacheSlots * CHUNK_BYTES),
        CHUNK_BYTES,
        BASE.codecs(),
        new LayerSettings(Map.of(Level.NODE, maxLayers, Level.STORE, maxLayers)),
        BASE.captureWait(),
        Duration.ZERO,
        cadence(),
        RetentionPolicy.newest(keep),
        BASE.certifyEvery(),
        queueBytes,
        storePatience,
        BASE.storeAtStart(),
        true,
        JOIN_TIMEOUT,
        CLOSE_TIMEOUT,
        BASE.driverPort(),
        BASE.standbys(),
        DESK,
        peer,
        BASE.network(),
        BASE.coordinator());
  }

  CadencePolicy cadence() {
    long atNode = requireNonNull(periods.periods().get(Level.NODE));
    return CadencePolicy.fixed(peer.on() ? periods.with(Level.PEER, atNode) : periods);
  }

  /** The checkpoints of a group that NODE keeps when nothing is on its way. */
  int keptAtNode() {
    return peer.on() ? 2 * keep : keep;
  }

  /**
   * As many machines may be lost at once. A set has no more parities than there are machines with
   * other ranks.
   *
   * @param machines on which the ranks of a group are
   */
  int lossesSurvived(int machines) {
    return Math.max(1, Math.min(peer.parities(), machines - 1));
  }
}
