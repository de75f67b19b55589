package io.cairn.core.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.Level;
import io.cairn.core.cadence.CadencePlan;
import io.cairn.core.protocol.CoordinatorMessage;
import io.cairn.core.protocol.MemberMessage;
import io.cairn.core.protocol.Proof;
import io.cairn.core.protocol.RankHolding;
import io.cairn.core.protocol.RankSurvey;
import io.cairn.core.sharing.DeskMessage;
import io.cairn.core.sharing.LeaseAnswer;
import io.cairn.core.sharing.LeaseId;
import io.cairn.core.sharing.LeaseRequest;
import io.cairn.core.sharing.PlanAnswer;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class WireTest {
  private static final int SEEDS = 100;

  /** The first byte of every message; another one is refused for that alone. */
  private static final byte VERSION = Wire.encode(new PeerRequest.Greet())[0];

  private static final CheckpointId CHECKPOINT = new CheckpointId(new GroupId("j", "g"), 1, 1);
  private static final LeaseId LEASE = new LeaseId("h", 1, CHECKPOINT, 0);

  /** A family that is sent by itself, with its way to bytes and back. */
  private record Family<T>(
      Class<T> type, Function<T, byte[]> encoder, Function<byte[], T> decoder, String noun) {
    byte[] encode(Object message) {
      return encoder.apply(type.cast(message));
    }

    Object decode(byte[] bytes) {
      return decoder.apply(bytes);
    }
  }

  private static final List<Family<?>> FAMILIES =
      List.of(
          new Family<>(
              PeerRequest.class, Wire::encode, Wire::decodePeerRequest, "not a peer's request"),
          new Family<>(PeerReply.class, Wire::encode, Wire::decodePeerReply, "not a peer's reply"),
          new Family<>(ChunkSpan.class, Wire::encode, Wire::decodeSpan, "not a span of a chunk"),
          new Family<>(
              ExchangeRequest.class,
              Wire::encode,
              Wire::decodeExchangeRequest,
              "not an executor's request"),
          new Family<>(
              ExchangeReply.class, Wire::encode, Wire::decodeExchangeReply, "not a driver's reply"),
          new Family<>(
              StandbyRequest.class,
              Wire::encode,
              Wire::decodeStandbyRequest,
              "not a request to the desk of standbys"),
          new Family<>(
              StandbyReply.class,
              Wire::encode,
              Wire::decodeStandbyReply,
              "not a reply of the desk of standbys"));

  /** Families that are sent within those. */
  private static final List<Class<?>> CARRIED =
      List.of(
          MemberMessage.class,
          CoordinatorMessage.class,
          LeaseRequest.class,
          LeaseAnswer.class,
          DeskMessage.class,
          PlanAnswer.class);

  private static Stream<Class<?>> leaves() {
    return Stream.concat(FAMILIES.stream().map(Family::type), CARRIED.stream())
        .flatMap(family -> SeededValues.leaves(family).stream());
  }

  private static LongStream seeds() {
    return LongStream.range(0, SEEDS);
  }

  /** A message of each record of a family. */
  private static List<Object> messages(Family<?> family, SeededValues values)
      throws ReflectiveOperationException {
    List<Object> messages = new ArrayList<>();
    for (Class<?> leaf : SeededValues.leaves(family.type())) {
      messages.add(values.of(leaf));
    }
    return messages;
  }

  @Test
  void everyPermittedSubclassComesBackAsItWas() throws ReflectiveOperationException {
    Set<Class<?>> walked = new HashSet<>();

    for (long seed = 0; seed < SEEDS; seed++) {
      SeededValues values = new SeededValues(seed);
      for (Family<?> family : FAMILIES) {
        for (Object message : messages(family, values)) {
          assertThat(family.decode(family.encode(message))).as("seed %d", seed).isEqualTo(message);
        }
      }
      walked.addAll(values.made());
    }

    assertThat(walked).containsAll(leaves().toList());
  }

  /** The rank then asks the store itself. */
  @Test
  void aSurveyThatIsTooLongForAMessageIsLeftOut() {
    CadencePlan cadence = new CadencePlan(0, 0, Map.of(Level.DEVICE, 1L));
    for (int checkpoints : List.of(1, 10, 1_000)) {
      Optional<RankSurvey> survey = Optional.of(survey(checkpoints));
      ExchangeReply.Messages sent =
          new ExchangeReply.Messages(
              1,
              List.of(
                  new ExchangeReply.ToMember(
                      "i", new CoordinatorMessage.Joined(7, cadence, survey))));

      byte[] bytes = Wire.encode(sent);

      assertThat(bytes.length).isLessThan(CoordinatorWire.MOST_SURVEY_BYTES + 200);
      assertThat(Wire.decodeExchangeReply(bytes).toString())
          .contains(checkpoints < 1_000 ? "e1-i" + (checkpoints - 1) : "atStore=Optional.empty");
    }
  }

  private static RankSurvey survey(int checkpoints) {
    return new RankSurvey(
        IntStream.range(0, checkpoints)
            .mapToObj(
                iteration ->
                    new RankHolding(
                        new CheckpointId(CHECKPOINT.group(), 1, iteration),
                        0,
                        Optional.empty(),
                        List.of(),
                        "could not obtain block",
                        Proof.PASSING))
            .toList());
  }

  @Test
  void aSurveyThatNamesACheckpointTwiceIsRefused() {
    RankHolding holding = survey(1).holdings().get(0);

    assertThatThrownBy(() -> new RankSurvey(List.of(holding, holding)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("twice");
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void damagedMessagesAreRefused(long seed) throws ReflectiveOperationException {
    SeededValues values = new SeededValues(seed);
    for (Family<?> family : FAMILIES) {
      Damage damage = new Damage(family.noun(), seed);
      for (Object message : messages(family, values)) {
        damage.of(family.encode(message), family::decode);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void garbageIsRefused(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 50; i++) {
      byte[] garbage = new byte[random.nextInt(2, 200)];
      random.nextBytes(garbage);
      garbage[0] = VERSION;
      garbage[1] = (byte) random.nextInt(1, 128);
      for (Family<?> family : FAMILIES) {
        new Damage(family.noun(), seed).readOrRefused(garbage, family::decode, "garbage " + i);
      }
    }
  }

  /** A grant is never read as a claim, nor a plan as a report. */
  @ParameterizedTest
  @MethodSource("seeds")
  void noMessageIsReadAsOneOfAnotherFamily(long seed) throws ReflectiveOperationException {
    SeededValues values = new SeededValues(seed);
    for (Family<?> own : FAMILIES) {
      for (Object message : messages(own, values)) {
        byte[] bytes = own.encode(message);
        for (Family<?> other : FAMILIES) {
          if (!other.equals(own)) {
            assertThatThrownBy(() -> other.decode(bytes))
                .as("seed %d, %s", seed, message)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("has kind " + bytes[1]);
          }
        }
      }
    }
  }

  @Test
  void aRefusalNamesOffsetLengthAndReason() {
    byte[] bytes = Wire.encode(new PeerRequest.Vacate(LEASE));

    assertThatThrownBy(() -> Wire.decodePeerRequest(new byte[] {VERSION, 7, 1}))
        .hasMessage("not a peer's request (offset 2 of 3 bytes): no peer's request has kind 7");
    assertThatThrownBy(() -> Wire.decodePeerRequest(Arrays.copyOf(bytes, 9)))
        .hasMessage("not a peer's request (offset 9 of 9 bytes): the message ends within a field");
    assertThatThrownBy(() -> Wire.decodePeerRequest(Arrays.copyOf(bytes, bytes.length + 3)))
        .hasMessage(
            String.format(
                Locale.ROOT,
                "not a peer's request (offset %d of %d bytes): bytes left over",
                bytes.length,
                bytes.length + 3));
  }

  /** A list that claims more entries than there are bytes for is not made room for. */
  @Test
  void aListLengthThatLiesIsRefusedAtOnce() {
    byte[] flushed = Wire.encode(new PeerRequest.Flushed(LEASE, List.of()));
    byte[] send = Wire.encode(new ExchangeRequest.Send("e", 1, 0, List.of()));

    for (int claimed : new int[] {-1, 1, 1_000_001, Integer.MAX_VALUE}) {
      String reason = "a list of " + claimed + " entries in 0 bytes";
      assertThatThrownBy(() -> Wire.decodePeerRequest(lying(flushed, claimed)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(reason);
      assertThatThrownBy(() -> Wire.decodeExchangeRequest(lying(send, claimed)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(reason);
    }
  }

  private static byte[] lying(byte[] emptyListLast, int claimed) {
    byte[] lying = emptyListLast.clone();
    ByteBuffer.wrap(lying).putInt(lying.length - Integer.BYTES, claimed);
    return lying;
  }

  @Test
  void aLongReasonIsClipped() {
    PlanAnswer.Refused sent = new PlanAnswer.Refused(CHECKPOINT, 0, "€".repeat(100_000));

    PeerReply.Planned arrived =
        Wire.decodePeerReply(Wire.encode(new PeerReply.Planned(sent)), PeerReply.Planned.class);

    assertThat(((PlanAnswer.Refused) arrived.answer()).reason())
        .hasSizeBetween(1000, 4000)
        .startsWith("€€€");
  }

  @Test
  void aReplyOfAnotherClassIsRefused() {
    byte[] done = Wire.encode(new PeerReply.Done());

    assertThatThrownBy(() -> Wire.decodePeerReply(done, PeerReply.Greeting.class))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a peer replied Done, not Greeting");
  }
}
