package io.cairn.dl4j.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.RestoreException;
import io.cairn.dl4j.SavedTraining;
import io.cairn.dl4j.TestNets;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.deeplearning4j.nn.api.Model;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that no writer of ours wrote. */
class HostileSafetensorsTest {
  @TempDir Path directory;
  private Path good;
  private String configuration = "";

  @BeforeEach
  void writeAGoodFile() throws IOException {
    Model model = SampleNets.filled(TestNets.adam());
    SavedTraining training = new SavedTraining(model, Optional.empty());
    configuration = training.configuration();
    good = directory.resolve("good");
    Safetensors.write(training, Map.of(), good);
    good = withoutMetadata(good, good);
  }

  /** Replaces the header's text, and keeps the tensors' bytes. */
  static Path rewritten(Path from, Path to, UnaryOperator<String> change) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(from)).order(ByteOrder.LITTLE_ENDIAN);
    byte[] header = new byte[(int) bytes.getLong()];
    bytes.get(header);
    byte[] other =
        change.apply(new String(header, StandardCharsets.UTF_8)).getBytes(StandardCharsets.UTF_8);
    ByteBuffer all =
        ByteBuffer.allocate(Long.BYTES + other.length + bytes.remaining())
            .order(ByteOrder.LITTLE_ENDIAN)
            .putLong(other.length)
            .put(other)
            .put(bytes);
    return Files.write(to, all.array());
  }

  static Path withoutMetadata(Path from, Path to) throws IOException {
    return rewritten(from, to, text -> "{" + text.substring(text.indexOf("},\"") + 2));
  }

  private void assertRefused(Path file, String... parts) {
    assertThatThrownBy(() -> Safetensors.read(file, Optional.of(configuration)))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith(file.toString())
        .hasMessageContainingAll(parts);
  }

  private Path changed(String from, String to) throws IOException {
    return rewritten(
        good,
        directory.resolve("bad"),
        text -> {
          assertThat(text).contains(from);
          return text.replace(from, to);
        });
  }

  @Test
  void theGoodFileIsRead() throws IOException {
    assertThat(Safetensors.read(good, Optional.of(configuration)).iteration()).isZero();
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 100_000_001, 1L << 40, -1, Long.MIN_VALUE})
  void aHeaderThatIsLongerThanTheFileIsRefused(long length) throws IOException {
    byte[] bytes = Files.readAllBytes(good);
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putLong(0, length);

    assertRefused(
        Files.write(directory.resolve("bad"), bytes),
        "a header of " + Long.toUnsignedString(length) + " bytes");
  }

  /** The first tensor, 0_W, is F32[6, 8], in the bytes 0 to 192; 0_b follows up to 224. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[0,192] | [0,200] | '0_b' has the offsets 192 to 224, which overlap",
        "[0,192] | [0,184] | '0_b' has the offsets 192 to 224, which leave a gap",
        "[0,192] | [8,192] | '0_W' has the offsets 8 to 192, which leave a gap",
        "[0,192] | [192,0] | '0_W' has the offsets 192 to 0",
        "[0,192] | [-1,192] | '0_W' has the negative number -1",
        "[0,192] | [0,192.5] | '0_W' is of another form",
        "[0,192] | [0] | '0_W' needs a dtype, a shape and two data_offsets",
        "[0,192] | [0,99999999999999999999] | the header is no JSON",
        "[6,8] | [8,6] | '0_W' is F32[8, 6] in 192 bytes, and the network's parameter F32[6, 8]",
        "[6,8] | [6] | '0_W' is F32[6]",
        "{\"dtype\":\"F32\",\"shape\":[6,8] | {\"dtype\":\"I32\",\"shape\":[6,8] | '0_W' is I32[6,"
            + " 8]",
        "{\"dtype\":\"F32\",\"shape\":[6,8] | {\"shape\":[6,8] | '0_W' needs a dtype",
        "{\"dtype\":\"F32\",\"shape\":[6,8] | {\"dtype\":{},\"shape\":[6,8] | '0_W' is of another"
            + " form",
        "\"0_W\" | \"0_V\" | tensors are missing: [0_W]; the network has no parameters [0_V]",
        "\"0_W\" | \"0_b\" | the header is no JSON: Duplicate field '0_b'",
        "\"0_W\":{ | \"0_W\":{\"x\":1, | '0_W' has a member 'x'"
      })
  void aTensorThatDoesNotFitIsRefusedByName(String from, String to, String reason)
      throws IOException {
    assertRefused(changed(from, to), reason);
  }

  @Test
  void bytesBehindTheTensorsAreRefused() throws IOException {
    byte[] bytes = Files.readAllBytes(good);

    assertRefused(
        Files.write(directory.resolve("bad"), java.util.Arrays.copyOf(bytes, bytes.length + 8)),
        "bytes behind the header");
  }

  @Test
  void aNetworkThatIsTooLargeForTheFileTakesNoMemory() {
    String huge = configuration.replace("\"nout\" : 8", "\"nout\" : 1000000000");

    assertThat(huge).isNotEqualTo(configuration);
    assertThatThrownBy(() -> Safetensors.read(good, Optional.of(huge)))
        .isInstanceOf(RestoreException.class)
        .hasMessageContaining("parameters");
  }

  @Test
  void aConfigurationOfAnotherFormIsRefused() {
    for (String other : new String[] {"{}", "[]", "x", "{\"vertices\":1}", "{\"confs\":[{}]}"}) {
      assertThatThrownBy(() -> Safetensors.read(good, Optional.of(other)))
          .as(other)
          .isInstanceOf(RestoreException.class)
          .hasMessageContaining("no network can be built");
    }
  }

  /** Any byte of the header may be another one: the file is read, or refused by an exception. */
  @RepeatedTest(60)
  void damagedHeadersEndInARefusalOrInANetwork(RepetitionInfo repetition) throws IOException {
    long seed = repetition.getCurrentRepetition();
    Random random = new Random(seed);
    byte[] bytes = Files.readAllBytes(good);
    int header = (int) ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong(0);
    for (int i = 0; i <= random.nextInt(3); i++) {
      bytes[random.nextInt(Long.BYTES + header)] = (byte) random.nextInt(128);
    }
    Path file = Files.write(directory.resolve("damaged"), bytes);
    try {
      Safetensors.read(file, Optional.of(configuration));
    } catch (IOException refused) {
      assertThat(refused).as("seed " + seed).hasMessageContaining(file.toString());
    }
  }
}
