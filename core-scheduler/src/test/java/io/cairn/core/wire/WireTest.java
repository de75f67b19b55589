package io.cairn.core.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.Level;
import io.cairn.Outcome;
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

  /** Families that are sent by themselves. */
  private static final List<Class<? extends Message>> FAMILIES =
      Stream.of(Message.class.getPermittedSubclasses())
          .<Class<? extends Message>>map(family -> family.asSubclass(Message.class))
          .toList();

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
    return Stream.concat(FAMILIES.stream(), CARRIED.stream())
        .flatMap(family -> SeededValues.leaves(family).stream());
  }

  /** Fewer in the locale with other digits, which matters to texts alone. */
  private static LongStream seeds() {
    return LongStream.range(0, "fa".equals(Locale.getDefault().getLanguage()) ? SEEDS / 4 : SEEDS);
  }

  /** A message of each record of a family. */
  private static List<Message> messages(Class<?> family, SeededValues values)
      throws ReflectiveOperationException {
    List<Message> messages = new ArrayList<>();
    for (Class<?> leaf : SeededValues.leaves(family)) {
      messages.add((Message) values.of(leaf));
    }
    return messages;
  }

  private static Damage damage(Class<?> family, long seed) {
    return new Damage("not a " + family.getSimpleName() + " (", seed);
  }

  @Test
  void everyPermittedSubclassComesBackAsItWas() throws ReflectiveOperationException {
    Set<Class<?>> walked = new HashSet<>();

    for (long seed = 0; seed < SEEDS; seed++) {
      SeededValues values = new SeededValues(seed);
      for (Class<? extends Message> family : FAMILIES) {
        for (Message message : messages(family, values)) {
          assertThat(Wire.decode(Wire.encode(message), family))
              .as("seed %d", seed)
              .isEqualTo(message);
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

      assertThat(bytes.length).isLessThan((32 << 10) + 200);
      assertThat(Wire.decode(bytes, ExchangeReply.class).toString())
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
    for (Class<? extends Message> family : FAMILIES) {
      for (Message message : messages(family, values)) {
        damage(family, seed).of(Wire.encode(message), bytes -> Wire.decode(bytes, family));
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
      for (Class<? extends Message> family : FAMILIES) {
        damage(family, seed)
            .readOrRefused(garbage, bytes -> Wire.decode(bytes, family), "garbage " + i);
      }
    }
  }

  /** A grant is never read as a claim, nor a plan as a report. */
  @ParameterizedTest
  @MethodSource("seeds")
  void noMessageIsReadAsOneOfAnotherFamily(long seed) throws ReflectiveOperationException {
    SeededValues values = new SeededValues(seed);
    for (Class<? extends Message> own : FAMILIES) {
      for (Message message : messages(own, values)) {
        byte[] bytes = Wire.encode(message);
        for (Class<? extends Message> other : FAMILIES) {
          if (!other.equals(own)) {
            String refusal = refusal(bytes, other);
            if (!refusal.startsWith("not a " + other.getSimpleName())
                || !refusal.endsWith("it is a " + message.getClass().getSimpleName())) {
              throw new AssertionError("seed " + seed + ", " + message + ": " + refusal);
            }
          }
        }
      }
    }
  }

  /** The decoder's, or that there is none. */
  private static String refusal(byte[] bytes, Class<? extends Message> family) {
    try {
      return "read as " + Wire.decode(bytes, family);
    } catch (IllegalArgumentException e) {
      return String.valueOf(e.getMessage());
    }
  }

  @Test
  void aRefusalNamesOffsetLengthAndReason() {
    byte[] bytes = Wire.encode(new PeerRequest.Vacate(LEASE));

    assertThatThrownBy(() -> Wire.decode(new byte[] {VERSION, -56, 1}, PeerRequest.class))
        .hasMessage("not a PeerRequest (offset 2 of 3 bytes): no Message has kind 200");
    assertThatThrownBy(() -> Wire.decode(Arrays.copyOf(bytes, 9), PeerRequest.class))
        .hasMessage(
            "not a PeerRequest (Vacate.lease.nonce, offset 9 of 9 bytes):"
                + " the message ends within a field");
    assertThatThrownBy(() -> Wire.decode(Arrays.copyOf(bytes, bytes.length + 3), PeerRequest.class))
        .hasMessage(
            String.format(
                Locale.ROOT,
                "not a PeerRequest (offset %d of %d bytes): bytes left over",
                bytes.length,
                bytes.length + 3));
    bytes[0]++;
    assertThatThrownBy(() -> Wire.decode(bytes, PeerRequest.class))
        .hasMessageContaining("version " + bytes[0] + ", this is " + VERSION)
        .hasMessageEndingWith("give all processes the same one");
  }

  /** The record's constructor says why, the codec where. */
  @Test
  void aRefusalOfARecordNamesItsField() {
    byte[] bytes = Wire.encode(new PeerRequest.Vacate(LEASE));
    ByteBuffer.wrap(bytes).putInt(bytes.length - Integer.BYTES, -1);

    assertThatThrownBy(() -> Wire.decode(bytes, PeerRequest.class))
        .isExactlyInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("not a PeerRequest (Vacate.lease, offset ")
        .hasMessageContaining("a rank");
  }

  /** A list that claims more entries than there are bytes for is not made room for. */
  @Test
  void aListLengthThatLiesIsRefusedAtOnce() {
    byte[] flushed = Wire.encode(new PeerRequest.Flushed(LEASE, List.of()));
    byte[] send = Wire.encode(new ExchangeRequest.Send("e", 1, 0, List.of()));

    for (int claimed : new int[] {-1, 1, 1_000_001, Integer.MAX_VALUE}) {
      String reason = "a list of " + claimed + " entries in 0 bytes";
      assertThatThrownBy(() -> Wire.decode(lying(flushed, claimed), PeerRequest.class))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(reason);
      assertThatThrownBy(() -> Wire.decode(lying(send, claimed), ExchangeRequest.class))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(reason);
    }
  }

  private static byte[] lying(byte[] emptyListLast, int claimed) {
    byte[] lying = emptyListLast.clone();
    ByteBuffer.wrap(lying).putInt(lying.length - Integer.BYTES, claimed);
    return lying;
  }

  /** A ticket has these outcomes, a level has not. */
  @Test
  void noLevelSettlesAsCapturedOrFenced() {
    for (Outcome outcome : List.<Outcome>of(new Outcome.Captured(1), new Outcome.Fenced("by e2"))) {
      assertThatThrownBy(() -> new CoordinatorMessage.Settled(1, 1, Level.NODE, outcome))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("no level settles as " + outcome);
    }
  }

  @Test
  void aLongReasonIsClipped() {
    PlanAnswer.Refused sent = new PlanAnswer.Refused(CHECKPOINT, 0, "€".repeat(100_000));

    PeerReply.Planned arrived =
        Wire.decode(Wire.encode(new PeerReply.Planned(sent)), PeerReply.Planned.class);

    assertThat(((PlanAnswer.Refused) arrived.answer()).reason())
        .hasSizeBetween(1000, 4000)
        .startsWith("€€€");
  }

  @Test
  void aReplyOfAnotherClassIsRefused() {
    byte[] done = Wire.encode(new PeerReply.Done());

    assertThatThrownBy(() -> Wire.decode(done, PeerReply.Greeting.class))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("not a Greeting (offset 2 of 2 bytes): it is a Done");
  }
}
