package io.cairn.engine.coordination;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.Level;
import io.cairn.core.cadence.CadencePlan;
import io.cairn.core.protocol.CoordinatorMessage;
import io.cairn.core.protocol.RankSurvey;
import io.cairn.core.wire.ExchangeReply.Messages;
import io.cairn.core.wire.ExchangeReply.ToMember;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MailboxesTest {
  private final Mailboxes mailboxes = new Mailboxes();

  private void put(String incarnation, String text) {
    mailboxes.put(incarnation, new CoordinatorMessage.Fenced(text));
  }

  private static List<String> texts(Messages reply) {
    return reply.messages().stream()
        .map(ToMember::message)
        .map(message -> ((CoordinatorMessage.Fenced) message).reason())
        .toList();
  }

  @Test
  void messagesWaitInOrderUntilTheyAreKnownToBeReceived() {
    mailboxes.locate("a", "1");
    mailboxes.locate("b", "1");
    put("a", "x");
    put("b", "y");
    assertThat(texts(mailboxes.fetch("1", 0))).containsExactly("x", "y");
    assertThat(texts(mailboxes.fetch("1", 0))).as("its answer was lost").containsExactly("x", "y");
    put("a", "z");
    assertThat(texts(mailboxes.fetch("1", 2))).containsExactly("z");
    assertThat(mailboxes.fetch("1", 3)).isEqualTo(new Messages(3, List.of()));
  }

  @Test
  void aProcessThatIsGoneIsForgotten() {
    mailboxes.locate("a", "1");
    put("a", "x");

    mailboxes.gone("1");

    assertThat(mailboxes.size()).isZero();
  }

  @Test
  void eachExecutorGetsItsOwnAndNobodyGetsWhatIsForTheUnknown() {
    mailboxes.locate("a", "1");
    mailboxes.locate("b", "2");
    put("a", "x");
    put("stranger", "y");
    assertThat(texts(mailboxes.fetch("2", 0))).isEmpty();
    assertThat(texts(mailboxes.fetch("3", 0))).isEmpty();
    assertThat(texts(mailboxes.fetch("1", 0))).containsExactly("x");
    mailboxes.locate("a", "2");
    put("a", "moved");
    assertThat(texts(mailboxes.fetch("2", 0))).containsExactly("moved");
  }

  @Test
  void anExecutorThatFetchesNothingLosesWhatIsTooMuchAndNoMore() {
    mailboxes.locate("a", "1");
    for (int i = 0; i < Mailboxes.MAX_WAITING + 5; i++) {
      put("a", Integer.toString(i));
    }
    Messages reply = mailboxes.fetch("1", 17);
    assertThat(texts(reply)).containsExactly("100000", "100001", "100002", "100003", "100004");
    assertThat(reply.after(17)).hasSize(5);
  }

  @Test
  void oneAnswerIsBoundedAndTheRestFollows() {
    mailboxes.locate("a", "1");
    for (int i = 0; i < Mailboxes.MAX_FETCHED + 2; i++) {
      put("a", Integer.toString(i));
    }
    Messages first = mailboxes.fetch("1", 0);
    assertThat(first.messages()).hasSize(Mailboxes.MAX_FETCHED);
    assertThat(texts(mailboxes.fetch("1", first.last()))).containsExactly("1000", "1001");
  }

  @Test
  void aRequestThatWaitsReceivesAllThatCameTogether() {
    mailboxes.locate("a", "1");
    mailboxes.locate("b", "1");
    CompletableFuture<Messages> asked = mailboxes.await("1", 0);

    put("a", "x");
    put("b", "y");
    assertThat(asked).isNotDone();
    mailboxes.flush();

    assertThat(texts(asked.join())).containsExactly("x", "y");
  }

  @Test
  void aRequestThatWaitsReceivesAtOnceWhatIsThere() {
    mailboxes.locate("a", "1");
    put("a", "x");
    put("a", "y");

    assertThat(texts(mailboxes.await("1", 1).join())).containsExactly("y");
  }

  @Test
  void oneRequestOfAProcessWaitsAndTheEarlierIsReleased() {
    mailboxes.locate("a", "1");
    CompletableFuture<Messages> earlier = mailboxes.await("1", 0);

    CompletableFuture<Messages> later = mailboxes.await("1", 0);
    put("a", "x");
    mailboxes.flush();

    assertThat(texts(earlier.join())).isEmpty();
    assertThat(texts(later.join())).containsExactly("x");
  }

  @Test
  void messagesOfALostReplyComeWithTheNext() {
    mailboxes.locate("a", "1");
    CompletableFuture<Messages> lost = mailboxes.await("1", 0);
    put("a", "x");
    mailboxes.flush();

    put("a", "y");

    assertThat(lost).isDone();
    assertThat(texts(mailboxes.await("1", 0).join())).containsExactly("x", "y");
  }

  @Test
  void nobodyWaitsForAProcessThatIsGone() {
    CompletableFuture<Messages> asked = mailboxes.await("1", 0);

    mailboxes.gone("1");

    assertThat(texts(asked.join())).isEmpty();
    assertThat(mailboxes.size()).isZero();
  }

  @Test
  void aReplyThatComesAgainIsNewOnlyFromWhereItWasReceived() {
    List<ToMember> messages =
        IntStream.rangeClosed(4, 6)
            .mapToObj(i -> new ToMember("m" + i, new CoordinatorMessage.Fenced("")))
            .toList();
    Messages reply = new Messages(6, messages);
    assertThat(reply.after(0)).isEqualTo(messages);
    assertThat(reply.after(3)).isEqualTo(messages);
    assertThat(reply.after(5)).extracting(ToMember::incarnation).containsExactly("m6");
    assertThat(reply.after(6)).isEmpty();
    assertThat(reply.after(99)).isEmpty();
  }

  @Test
  void surveysAreSpreadOverSeveralAnswers() {
    mailboxes.locate("a", "1");
    CoordinatorMessage joined =
        new CoordinatorMessage.Joined(
            1,
            new CadencePlan(0, 0, Map.of(Level.DEVICE, 1L)),
            Optional.of(new RankSurvey(List.of())));
    for (int i = 0; i < Mailboxes.MAX_SURVEYS + 2; i++) {
      mailboxes.put("a", joined);
    }

    Messages first = mailboxes.fetch("1", 0);

    assertThat(first.messages()).hasSize(Mailboxes.MAX_SURVEYS);
    assertThat(mailboxes.fetch("1", first.last()).messages()).hasSize(2);
  }
}
