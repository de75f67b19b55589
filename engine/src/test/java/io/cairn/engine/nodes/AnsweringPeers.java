package io.cairn.engine.nodes;

import io.cairn.core.peer.PeerAddress;
import io.cairn.core.peer.PeerTransport;
import io.cairn.core.wire.PeerReply;
import io.cairn.core.wire.PeerRequest;
import io.cairn.core.wire.Wire;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiFunction;

/** Peers, each of which answers a question at once, late, wrongly or never. Thread-safe. */
final class AnsweringPeers implements PeerTransport {
  static final PeerAddress SELF = new PeerAddress("self", 1);

  final List<PeerAddress> asked = new CopyOnWriteArrayList<>();
  private final BiFunction<PeerAddress, PeerRequest, CompletionStage<PeerReply>> behaviour;

  private final Runnable whenClosed;

  AnsweringPeers(BiFunction<PeerAddress, PeerRequest, CompletionStage<PeerReply>> behaviour) {
    this(behaviour, () -> {});
  }

  AnsweringPeers(
      BiFunction<PeerAddress, PeerRequest, CompletionStage<PeerReply>> behaviour,
      Runnable whenClosed) {
    this.behaviour = behaviour;
    this.whenClosed = whenClosed;
  }

  @Override
  public PeerAddress address() {
    return SELF;
  }

  @Override
  public CompletionStage<byte[]> ask(PeerAddress peer, byte[] request) {
    asked.add(peer);
    return behaviour.apply(peer, Wire.decode(request, PeerRequest.class)).thenApply(Wire::encode);
  }

  @Override
  public CompletionStage<Void> push(PeerAddress peer, byte[] header, ByteBuffer body) {
    throw new AssertionError("nothing is pushed to a node");
  }

  @Override
  public void close() {
    whenClosed.run();
  }
}
