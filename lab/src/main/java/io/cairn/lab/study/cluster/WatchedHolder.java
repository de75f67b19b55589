package io.cairn.lab.study.cluster;

import io.cairn.core.peer.PeerService;
import io.cairn.core.peer.PeerSink;
import io.cairn.core.sharing.FilledChunk;
import io.cairn.core.sharing.LeaseAnswer;
import io.cairn.core.sharing.LeaseId;
import io.cairn.core.sharing.LeaseRequest;
import io.cairn.core.wire.ChunkSpan;
import io.cairn.core.wire.PeerReply;
import io.cairn.core.wire.PeerRequest;
import io.cairn.core.wire.Wire;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletionStage;

/**
 * A process that shares device memory, whose leases and pushes the device learns of.
 *
 * @param faults counts the reads of lent chunks
 * @param lender the process
 */
record WatchedHolder(SimulatedDevice device, Faults faults, Actor lender, PeerService service)
    implements PeerService {
  @Override
  public CompletionStage<byte[]> answer(byte[] request) {
    PeerRequest question = Wire.decode(request, PeerRequest.class);
    if (question instanceof PeerRequest.Read) {
      return service.answer(request).thenApply(this::read);
    } else if (question instanceof PeerRequest.Flushed flushed) {
      faults.count(PeerNetwork.LENT_FLUSHED);
      device.over(lender, flushed.lease(), flushed.positions());
    } else if (question instanceof PeerRequest.Lease lease) {
      if (lease.request() instanceof LeaseRequest.Release release) {
        device.released(release.id());
      } else if (lease.request() instanceof LeaseRequest.Filled filled) {
        device.filled(
            lender, filled.id(), filled.chunks().stream().map(FilledChunk::position).toList());
      }
      return service.answer(request).thenApply(this::leased);
    }
    return service.answer(request);
  }

  private byte[] read(byte[] reply) {
    if (Wire.decode(reply, PeerReply.class) instanceof PeerReply.Piece) {
      faults.count(PeerNetwork.LENT_READ);
    }
    return reply;
  }

  private byte[] leased(byte[] reply) {
    if (Wire.decode(reply, PeerReply.class) instanceof PeerReply.Leased leased) {
      says(leased.answer());
    }
    return reply;
  }

  /** The lender sends something about a lease, on its own or as an answer. */
  void says(LeaseAnswer answer) {
    if (answer instanceof LeaseAnswer.Granted granted) {
      if (device.isNear(lender, granted.id())) {
        faults.count(PeerNetwork.LENT_NEAR);
      }
      device.granted(lender, granted.id(), granted.slots());
    } else if (answer instanceof LeaseAnswer.Acknowledged kept) {
      device.acknowledged(lender, kept.id(), kept.positions());
    } else if (answer instanceof LeaseAnswer.Revoked revoked) {
      device.over(lender, revoked.id(), revoked.positions());
    } else if (answer instanceof LeaseAnswer.Rejected) {
      faults.count(PeerNetwork.REJECTED);
    }
  }

  @Override
  public PeerSink receive(byte[] header, long bytes) throws IOException {
    LeaseId lease = Wire.decode(header, ChunkSpan.class).lease();
    PeerSink sink;
    try {
      sink = service.receive(header, bytes);
    } catch (IOException e) {
      faults.count(PeerNetwork.LATE_PUSH);
      throw e;
    }
    return new PeerSink() {
      @Override
      public void data(ByteBuffer slice) throws IOException {
        device.push(lease, () -> sink.data(slice));
      }

      @Override
      public void complete() throws IOException {
        sink.complete();
      }

      @Override
      public void failed(String reason) {
        sink.failed(reason);
      }
    };
  }
}
