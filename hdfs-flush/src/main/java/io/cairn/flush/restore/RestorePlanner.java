package io.cairn.flush.restore;

import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.ChunkNumbers;
import io.cairn.core.model.Member;
import io.cairn.core.model.ReadAhead;
import io.cairn.core.model.RegionImage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds what can be restored and proves it. Remembers for its lifetime which copies, and which
 * chunks of copies, were bad, and does not try them again. Not thread-safe.
 *
 * <p>The way to use it: take a {@link #candidates plan}, agree within the group on a checkpoint,
 * and {@link #verify} it; if any rank's verification is refused, agree on the next older one.
 */
public final class RestorePlanner {
  private final List<CopySource> sources;
  private final Map<CopyKey, CopyHealth> healths = new HashMap<>();

  private record CopyKey(int source, CheckpointId id, int rank) {}

  /**
   * A planner.
   *
   * @param nearestFirst where copies may be
   */
  public RestorePlanner(List<CopySource> nearestFirst) {
    this.sources = List.copyOf(nearestFirst);
  }

  /** What could be restored, as the sources' manifests say; reads no container. */
  public Plan candidates(Member member) {
    Survey survey = new Survey(member);
    sources.forEach(survey::ask);
    return survey.plan();
  }

  /**
   * Reads every chunk of one rank's data, each from its nearest copy that is good, without writing
   * anything but the staging buffer.
   *
   * @param staging overwritten; a longer one is allocated if the checkpoint has longer chunks
   * @return a {@link VerifiedCopy}, which the caller closes, or {@link Verification.Refused}
   */
  public Verification verify(CheckpointId id, Member member, ByteBuffer staging) {
    CopyChain chain = new CopyChain(id, member.rank());
    for (int source = 0; source < sources.size(); source++) {
      CopyKey key = new CopyKey(source, id, member.rank());
      chain.add(sources.get(source), healths.computeIfAbsent(key, k -> new CopyHealth()));
    }
    if (!chain.open()) {
      return refused(chain, id, "no usable copy of rank " + member.rank());
    }
    try {
      readAll(chain, staging);
      return new VerifiedCopy(id, chain);
    } catch (IOException e) {
      return refused(chain, id, String.valueOf(e.getMessage()));
    }
  }

  private static void readAll(CopyChain chain, ByteBuffer staging) throws IOException {
    new ReadAhead(atLeast(staging, chain.images()))
        .forEach(
            new ChunkNumbers(chain.images()), chain, (number, reading, bytes) -> reading.await());
  }

  /** The checkpoint may have been written with longer chunks than are configured now. */
  private static ByteBuffer atLeast(ByteBuffer staging, List<RegionImage> images) {
    int longest = 0;
    for (RegionImage image : images) {
      longest = Math.max(longest, image.chunks() == 0 ? 0 : image.chunkLength(0));
    }
    return longest <= staging.capacity() ? staging : ByteBuffer.allocateDirect(longest);
  }

  private static Verification refused(CopyChain chain, CheckpointId id, String reason) {
    try {
      chain.close();
      return new Verification.Refused(id, chain.attempts(false), reason, chain.passing());
    } catch (IOException e) {
      return new Verification.Refused(
          id,
          chain.attempts(false),
          reason + "; and not closed: " + e.getMessage(),
          chain.passing());
    }
  }
}
