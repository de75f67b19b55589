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
import io.cairn.flush.restore.Copy;
import io.cairn.flush.restore.CopySource;
import io.cairn.flush.restore.Holding;
import io.cairn.flush.restore.RoundedChunks;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The copies in the device cache of this process. They read as at the levels below: numbers of
 * lossy regions are rounded on the way, and stay exact in the cache. So a restore gives the same
 * bytes whatever level it reads, and ranks that read different levels agree. Thread-safe.
 */
public final class DeviceCopies implements CopySource {
  private final ChunkCache cache;

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
}
