package io.cairn.flush.restore;

import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.ChunkNumbers;
import io.cairn.core.model.Fingerprint;
import io.cairn.core.model.Member;
import io.cairn.core.model.ReadAhead;
import io.cairn.core.model.StagingBuffer;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds checkpoints to restore and verifies them. Remembers bad copies and bad chunks for its
 * lifetime, and does not read them again. Not thread-safe.
 *
 * <p>The caller takes a {@linkplain #candidates plan}, agrees within the group on a checkpoint, and
 * {@linkplain #verify verifies} it. If any rank's verification is refused, the group agrees on the
 * next older one.
 */
public final class RestorePlanner {
  private final List<CopySource> sources;
  private final Map<CopyKey, CopyHealth> healths = new HashMap<>();

  private record CopyKey(int source, CheckpointId id, int rank) {}

  /**
   * Creates a planner.
   *
   * @param nearestFirst sources of copies
   */
  public RestorePlanner(List<CopySource> nearestFirst) {
    this.sources = List.copyOf(nearestFirst);
  }

  /** The candidates according to the sources' manifests; reads no container. */
  public Plan candidates(Member member) {
    Survey survey = new Survey(member);
    sources.forEach(survey::add);
    return survey.plan();
  }

  /**
   * The program that wrote a rank's data, according to the nearest usable copy; empty if there is
   * none, or it does not say. Reads no chunk.
   */
  public Fingerprint program(CheckpointId id, Member member) {
    try (CopyChain chain = chain(id, member)) {
      chain.open();
      return chain.program();
    } catch (IOException e) {
      // nothing was written through the copy, so only the close failed
      return Fingerprint.NONE;
    }
  }

  private CopyChain chain(CheckpointId id, Member member) {
    CopyChain chain = new CopyChain(id, member.rank());
    for (int source = 0; source < sources.size(); source++) {
      CopyKey key = new CopyKey(source, id, member.rank());
      chain.add(sources.get(source), healths.computeIfAbsent(key, k -> new CopyHealth()));
    }
    return chain;
  }

  /**
   * Reads every chunk of one rank's data, each from its nearest good copy. Writes only to the
   * staging buffer.
   *
   * @param staging overwritten
   * @return a {@link VerifiedCopy}, which the caller closes, or {@link Verification.Refused}
   */
  public Verification verify(CheckpointId id, Member member, StagingBuffer staging) {
    CopyChain chain = chain(id, member);
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

  private static void readAll(CopyChain chain, StagingBuffer staging) throws IOException {
    new ReadAhead(staging.forChunksOf(chain.images()))
        .forEach(
            new ChunkNumbers(chain.images()), chain, (number, reading, bytes) -> reading.await());
  }

  private static Verification refused(CopyChain chain, CheckpointId id, String reason) {
    try {
      chain.close();
      return new Verification.Refused(id, chain.attempts(false), reason, chain.retryable());
    } catch (IOException e) {
      return new Verification.Refused(
          id,
          chain.attempts(false),
          reason + "; closing failed: " + e.getMessage(),
          chain.retryable());
    }
  }
}
