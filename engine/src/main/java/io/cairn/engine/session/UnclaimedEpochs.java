package io.cairn.engine.session;

import io.cairn.Member;
import io.cairn.cache.chunk.CachedCheckpoint;
import io.cairn.cache.chunk.ChunkCache;
import io.cairn.core.protocol.Standing;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The epochs of this process's ranks that began without a claim at STORE. Another attempt may take
 * the number of such an epoch, and then an id names two checkpoints. So its copies at DEVICE count
 * only as long as the coordinator that began it vouches for it. Thread-safe.
 */
public final class UnclaimedEpochs {
  private static final Logger LOG = LoggerFactory.getLogger(UnclaimedEpochs.class);

  private final ChunkCache cache;
  private final Map<Member, Standing> known = new ConcurrentHashMap<>();

  /** Nothing is known of the ranks whose copies this cache has. */
  public UnclaimedEpochs(ChunkCache cache) {
    this.cache = cache;
  }

  /**
   * A rank joined an epoch: drops its copies at DEVICE of epochs that count no more.
   *
   * @return whether there were any
   */
  boolean joined(Member member, Standing standing) {
    Standing before = known.getOrDefault(member, Standing.CLAIMED);
    Set<Long> now = new HashSet<>();
    if (standing.by().equals(before.by())) {
      now.addAll(standing.vouched());
    }
    if (standing.claimed()) {
      known.remove(member);
    } else {
      known.put(member, standing);
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
    known.remove(member);
  }
}
