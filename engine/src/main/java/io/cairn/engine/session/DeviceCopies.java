package io.cairn.engine.session;

import io.cairn.CheckpointId;
import io.cairn.Digest;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.cache.chunk.CachedCheckpoint;
import io.cairn.cache.chunk.ChunkCache;
import io.cairn.cache.chunk.Pin;
import io.cairn.core.model.RegionImage;
import io.cairn.core.model.StagingBuffer;
import io.cairn.core.protocol.Candidate;
import io.cairn.core.protocol.Standing;
import io.cairn.flush.restore.Copy;
import io.cairn.flush.restore.CopySource;
import io.cairn.flush.restore.Holding;
import io.cairn.flush.restore.RoundedChunks;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The copies in the device cache of this process, and which of them count. They read as at the
 * levels below: numbers of lossy regions are rounded on the way, and stay exact in the cache. So a
 * restore gives the same bytes whatever level it reads, and ranks that read different levels agree.
 * Thread-safe.
 */
public final class DeviceCopies implements CopySource {
  /*
   * Unclaimed epochs
   *
   * An epoch may begin without a claim at STORE. Another attempt may take its number, and then an
   * id names two checkpoints. So its copies here count only as long as the coordinator that began
   * it vouches for it.
   */
  private static final Logger LOG = LoggerFactory.getLogger(DeviceCopies.class);

  private final ChunkCache cache;

  /** The last epochs of ranks that have no claim. */
  private final Map<Member, Standing> unclaimed = new ConcurrentHashMap<>();

  /** Copies in this cache. */
  public DeviceCopies(ChunkCache cache) {
    this.cache = cache;
  }

  @Override
  public Level level() {
    return Level.DEVICE;
  }

  @Override
  public String describe() {
    return "this process's device cache";
  }

  @Override
  public Map<CheckpointId, Holding> holdings(Member member) {
    Map<CheckpointId, Holding> holdings = new TreeMap<>();
    for (CachedCheckpoint cached : cache.of(member.group(), member.rank())) {
      Candidate candidate = new Candidate(cached.id(), digest(cached.images()), cached.ancestry());
      holdings.put(cached.id(), Holding.of(cached.size(), candidate, true));
    }
    return holdings;
  }

  /** The digest of the checksums: DEVICE has no manifest. */
  private static Digest digest(List<RegionImage> images) {
    StringBuilder text = new StringBuilder();
    for (RegionImage image : images) {
      text.append(image.name()).append(' ').append(image.bytes());
      for (int chunk = 0; chunk < image.chunks(); chunk++) {
        text.append(' ').append(image.checksum(chunk));
      }
      text.append('\n');
    }
    return Digest.of(text.toString().getBytes(StandardCharsets.US_ASCII));
  }

  @Override
  public Optional<Copy> open(CheckpointId id, int rank) throws IOException {
    Optional<CachedCheckpoint> cached = cache.find(id, rank);
    Optional<Pin> pin = cached.flatMap(CachedCheckpoint::pin);
    if (cached.isEmpty() || pin.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        RoundedChunks.of(
            new Copy(
                describe(),
                cached.get().images(),
                cached.get().program(),
                cached.get().reader(),
                pin.get()::close),
            new StagingBuffer()));
  }

  /**
   * A rank joined an epoch: drops its copies at DEVICE of epochs that count no more.
   *
   * @return whether there were any
   */
  boolean joined(Member member, Standing standing) {
    Standing before = unclaimed.getOrDefault(member, Standing.CLAIMED);
    Set<Long> now = new HashSet<>();
    if (standing.by().equals(before.by())) {
      now.addAll(standing.vouched());
    }
    if (standing.claimed()) {
      unclaimed.remove(member);
    } else {
      unclaimed.put(member, standing);
    }
    List<CachedCheckpoint> strange =
        cache.of(member.group(), member.rank()).stream()
            .filter(cached -> before.vouched().contains(cached.id().epoch()))
            .filter(cached -> !now.contains(cached.id().epoch()))
            .toList();
    for (CachedCheckpoint cached : strange) {
      LOG.warn(
          "{} drops {} at DEVICE: its epoch had no claim at STORE, and another attempt may have its"
              + " number",
          member,
          cached.id());
      cached.discard();
    }
    return !strange.isEmpty();
  }

  /** STORE has the claim of the last epoch that a rank joined: nobody takes an earlier number. */
  void claimed(Member member) {
    unclaimed.remove(member);
  }
}
