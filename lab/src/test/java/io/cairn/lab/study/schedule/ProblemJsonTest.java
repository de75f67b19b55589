package io.cairn.lab.study.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.core.flow.Topology;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a line may hold, and what it may not. */
class ProblemJsonTest {
  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[1000,0] | [1000,-1] | remainderBytes[1] must be a whole number from 0",
        "[1000,0] | [1000,0.5] | remainderBytes[1] must be a whole number",
        "[1000,0] | [1000,1e300] | remainderBytes[1] must be a whole number",
        "[1000,0] | [1000,99999999999999999999] | remainderBytes[1] must be a whole number",
        "[1000,0] | [1000,NaN] | NaN",
        "[1000,0] | [1000,null] | remainderBytes[1] must be a whole number",
        "[1000,0] | [1000,\"0\"] | remainderBytes[1] must be a whole number",
        "[1000,0] | {} | remainderBytes must be an array, but is an object",
        "[1000,0] | [1000,5] | device 1 has a remainder of 5 bytes and 2000 bytes to spare",
        "[1000,0] | [1000,0,0] | remainderBytes has 3 values for 2 devices",
        "[100,100] | [100] | hostLinkBytesPerSecond has 1 values for 2 devices",
        "[100,100] | [100,-1] | hostLinkBytesPerSecond[1] must be 0 or a number from",
        "[100,100] | [100,1e-300] | hostLinkBytesPerSecond[1] must be 0 or a number from",
        "[100,100] | [100,1e999] | hostLinkBytesPerSecond[1] must be 0 or a number from",
        "[[0,1,300]] | [[0,1]] | linkBytesPerSecond[0] must be [from, to, bytesPerSecond]",
        "[[0,1,300]] | [[0,1,3,4]] | linkBytesPerSecond[0] has more than 3 entries",
        "[[0,1,300]] | [[0,2,300]] | there is no device 2",
        "[[0,1,300]] | [[1,1,300]] | linked to itself",
        "[[0,1,300]] | [[0,1,300],[0,1,5]] | links 0 to 1 twice",
        "[[0,1,300]] | [[-1,1,300]] | linkBytesPerSecond[0][0] must be",
        "\"devices\":2 | \"devices\":0 | devices must be a whole number from 1",
        "\"devices\":2 | \"devices\":2000000000 | devices must be a whole number from 1",
        "\"devices\":2 | \"devices\":2,\"devices\":2 | uplicate",
        "\"devices\":2, | '' | has no devices",
        "\"chunkBytes\":1 | \"chunkBytes\":0 | chunkBytes must be a whole number from 1",
        "chunkBytes | chunkBites | unknown key 'chunkBites'; did you mean 'chunkBytes'?",
        "\"a\" | 7 | id must be a text, but is 7",
        "\"devices\":2 | \"devices\":2,\"nodes\":[{}] | nodes[0] needs 'devices'",
        "\"devices\":2 | \"devices\":2,\"nodes\":[{\"nic\":1}] | nodes[0] has an unknown key 'nic'",
        "\"devices\":2 |"
            + " \"devices\":2,\"hostLinkGroups\":[{\"devices\":[0,0],\"bytesPerSecond\":1}] |"
            + " device 0",
        "\"devices\":2 | \"devices\":2,\"egressBytesPerSecond\":[1] | egressBytesPerSecond has 1"
            + " values",
        "\"chunkBytes\":1} | \"chunkBytes\":1}} | no JSON",
        "\"chunkBytes\":1} | \"chunkBytes\":1} {} | something follows",
        "\"chunkBytes\":1} | \"chunkBytes\":1 | no JSON",
      })
  void whatIsWrongIsNamed(String good, String bad, String message) {
    String line = Instances.small("a");
    assertThat(line).contains(good);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> read(line.replace(good, bad)))
        .withMessageContaining(message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1e3", "1000.0", "1000"})
  void wholeNumbersMayBeWrittenInAnyWay(String number) throws IOException {
    ProblemDraft draft = read(Instances.small("a").replace("1000", number));
    assertThat(draft.problem().remainderBytes(0)).isEqualTo(1000);
  }

  @Test
  void whatIsRefusedKeepsItsNameIfThatCameFirst() {
    ProblemDraft draft = new ProblemDraft();
    InputStream in = stream("{\"id\":\"b\",\"devices\":-1}");
    assertThatIllegalArgumentException().isThrownBy(() -> ProblemJson.read(in, draft));
    assertThat(draft.id).isEqualTo("b");
  }

  @Test
  void anArrayOfAnyLengthTakesNoMemory() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> readEndless("{\"remainderBytes\":[", "1,"))
        .withMessage("remainderBytes has more than 100000 entries");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> readEndless("{\"linkBytesPerSecond\":[", "[1,2,3],"))
        .withMessage("linkBytesPerSecond has more than 16777216 entries");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> readEndless("{\"nodes\":[", "{\"devices\":[1],\"nicBytesPerSecond\":1},"))
        .withMessage("nodes has more than 100000 entries");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"", "{\"id\":\"", "{\"devices\":", "{\"devices\":1."})
  void aNameOrNumberOfAnyLengthTakesNoMemory(String start) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> readEndless(start, "1111111111"))
        .withMessageMatching(".*(more than 16384 bytes|ength .*exceeds).*");
  }

  @RepeatedTest(60)
  void aDamagedLineIsReadOrRefusedAndNothingElse(RepetitionInfo repetition) throws IOException {
    byte[] line = Instances.small("a").getBytes(StandardCharsets.UTF_8);
    Random random = new Random(repetition.getCurrentRepetition());
    for (int flips = 0; flips < 3; flips++) {
      line[random.nextInt(line.length)] =
          (byte) " 0[]{},:\"-9eE.x\\\u0000".charAt(random.nextInt(17));
    }
    try {
      ProblemDraft draft = new ProblemDraft();
      ProblemJson.read(new ByteArrayInputStream(line), draft);
      assertThat(draft.problem().devices()).isBetween(1, Limits.DEVICES);
    } catch (IllegalArgumentException e) {
      assertThat(e).hasMessageMatching("(?s).+");
    }
  }

  @Test
  void aTopologyIsAProblemWithoutSizes() throws IOException {
    Path file =
        Files.writeString(
            directory.resolve("machine.json"),
            """
            {"devices": 3, "linkBytesPerSecond": [[0, 1, 5e9]],
             "hostLinkBytesPerSecond": [1e9, 2e9, 3e9], "egressBytesPerSecond": [1, 2, 3],
             "ingressBytesPerSecond": [4, 5, 6],
             "hostLinkGroups": [{"bytesPerSecond": 7, "devices": [0, 2]}],
             "nodes": [{"devices": [0, 1], "nicBytesPerSecond": 8},
                       {"devices": [2], "nicBytesPerSecond": 9}]}
            """);
    Topology topology = ProblemJson.topology(file);
    assertThat(topology.devices()).isEqualTo(3);
    assertThat(topology.linkBytesPerSecond(0, 1)).isEqualTo(5e9);
    assertThat(topology.linkBytesPerSecond(1, 0)).isZero();
    assertThat(topology.hostBytesPerSecond(2)).isEqualTo(3e9);
    assertThat(topology.egressBytesPerSecond(1)).isEqualTo(2);
    assertThat(topology.ingressBytesPerSecond(1)).isEqualTo(5);
    assertThat(topology.sharedHostLinkOf(2)).isZero();
    assertThat(topology.nodes().get(1).inBytesPerSecond()).isEqualTo(9);
    assertThat(topology.viaNetwork(1, 2)).isTrue();
  }

  @Test
  void aTopologyWithSizesIsRefusedWithItsFile() throws IOException {
    Path file = Files.writeString(directory.resolve("machine.json"), Instances.small("a"));
    assertThatThrownBy(() -> ProblemJson.topology(file))
        .isInstanceOf(IOException.class)
        .hasMessage(file + ": a topology has no id");
  }

  private static ProblemDraft read(String line) throws IOException {
    ProblemDraft draft = new ProblemDraft();
    assertThat(ProblemJson.read(stream(line), draft)).isTrue();
    draft.problem();
    return draft;
  }

  private static void readEndless(String start, String repeated) throws IOException {
    byte[] pattern = repeated.getBytes(StandardCharsets.UTF_8);
    InputStream endless =
        new InputStream() {
          private int at;

          @Override
          public int read() {
            return pattern[at++ % pattern.length];
          }

          @Override
          public int read(byte[] into, int offset, int length) {
            for (int i = 0; i < length; i++) {
              into[offset + i] = (byte) read();
            }
            at %= pattern.length;
            return length;
          }
        };
    ProblemJson.read(new SequenceInputStream(stream(start), endless), new ProblemDraft());
  }

  private static InputStream stream(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
  }
}
