package io.cairn.flush.restore;

import io.cairn.CheckpointId;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.core.model.Fingerprint;
import io.cairn.core.model.OpenParts;
import io.cairn.core.model.StagingBuffer;
import io.cairn.flush.restore.Landing.Landed;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Finds checkpoints to restore and verifies them. Remembers bad copies and bad chunks for its
 * lifetime, and does not read them again. Not thread-safe.
 *
 * <p>The caller takes a {@linkplain #candidates plan}, agrees within the group on a checkpoint, and
 * {@linkplain #verify verifies} it. If any rank's verification is refused, the group agrees on the
 * next older one.
 */
public final class RestorePlanner {
  /** A thread that reads less saves less than it costs. */
  private static final long LEAST_LANE_BYTES = 16 << 20;

  private final List<CopySource> sources;
  private final long leastLaneBytes;
  private final Map<CopyKey, CopyHealth> healths = new HashMap<>();

  private record CopyKey(int source, CheckpointId id, int rank) {}

  /**
   * Creates a planner.
   *
   * @param nearestFirst sources of copies
   */
  public RestorePlanner(List<CopySource> nearestFirst) {
    this(nearestFirst, LEAST_LANE_BYTES);
  }

  RestorePlanner(List<CopySource> nearestFirst, long leastLaneBytes) {
    this.sources = List.copyOf(nearestFirst);
    this.leastLaneBytes = leastLaneBytes;
  }

  /** The candidates according to the sources' manifests; reads no container. */
  public Plan candidates(Member member) {
    GroupSurvey survey = new GroupSurvey(member);
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

  /**
   * One rank's data, each chunk from its nearest good copy. A chunk is compared when it is read.
   *
   * @return a copy that the caller closes; empty if none is usable
   */
  public Optional<Copy> copy(CheckpointId id, Member member) {
    CopyChain chain = chain(id, member);
    return chain.open()
        ? Optional.of(new Copy(chain.source(), chain.images(), chain.program(), chain, chain))
        : Optional.empty();
  }

  /** The programs that wrote the ranks of a checkpoint of this size. Reads no container. */
  public SavedPrograms programs(CheckpointId id, int size) {
    return SavedPrograms.of(sources, id, size);
  }

  /**
   * One rank's data, to read some of its chunks. Sources that serve the asking rank alone, such as
   * other nodes, are left out.
   *
   * @param rank of the group that wrote the checkpoint
   * @return a copy that the caller closes, usable or not
   */
  public PartialCopy partialCopy(CheckpointId id, int rank) {
    return new PartialCopy(chain(id, rank, CopySource::ofAllRanks));
  }

  private CopyChain chain(CheckpointId id, Member member) {
    return chain(id, member.rank(), source -> true);
  }

  private CopyChain chain(CheckpointId id, int rank, Predicate<CopySource> which) {
    CopyChain chain = new CopyChain(id, rank);
    for (int source = 0; source < sources.size(); source++) {
      if (which.test(sources.get(source))) {
        CopyKey key = new CopyKey(source, id, rank);
        chain.add(sources.get(source), healths.computeIfAbsent(key, k -> new CopyHealth()));
      }
    }
    return chain;
  }

  /** Like the other, and reads every chunk again when it is used. */
  public Verification verify(CheckpointId id, Member member, StagingBuffer staging) {
    return verify(id, member, staging, Landing.NONE);
  }

  /**
   * Reads every chunk of one rank's data, each from its nearest good copy. Writes only to the
   * landing or the staging buffer. Several threads read at once where the nearest source has a use
   * for them.
   *
   * @param staging overwritten
   * @param landing takes the chunks, so that they are not read again; unused for copies at DEVICE
   * @return a {@link VerifiedCopy}, which the caller closes, or {@link Verification.Refused}
   */
  public Verification verify(
      CheckpointId id, Member member, StagingBuffer staging, Landing landing) {
    CopyChain chain = chain(id, member);
    Lanes lanes = new Lanes(chain);
    Optional<Landed> landed = Optional.empty();
    try {
      if (!chain.open()) {
        return refused(chain, lanes, id, "no usable copy of rank " + member.rank());
      }
      landed = chain.level() == Level.DEVICE ? landed : landing.take(chain.images());
      lanes.widen(() -> chain(id, member), leastLaneBytes);
      lanes.verify(staging, landed);
      return new VerifiedCopy(id, lanes, landed);
    } catch (IOException e) {
      landed.ifPresent(Landed::close);
      return refused(chain, lanes, id, String.valueOf(e.getMessage()));
    } catch (RuntimeException e) {
      landed.ifPresent(Landed::close);
      OpenParts.closeAfter(lanes, e);
      throw e;
    }
  }

  private static Verification refused(CopyChain chain, Lanes open, CheckpointId id, String reason) {
    try {
      open.close();
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
