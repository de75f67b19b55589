package io.cairn.dl4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.RestoreException;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.api.DataSetPreProcessor;
import org.nd4j.linalg.dataset.api.preprocessor.ImageMultiPreProcessingScaler;
import org.nd4j.linalg.dataset.api.preprocessor.ImagePreProcessingScaler;
import org.nd4j.linalg.dataset.api.preprocessor.NormalizerMinMaxScaler;
import org.nd4j.linalg.dataset.api.preprocessor.NormalizerStandardize;
import org.nd4j.linalg.dataset.api.preprocessor.VGG16ImagePreProcessor;
import org.nd4j.linalg.factory.Nd4j;

/** Normalisers as bytes, also bytes that are none. */
class NormalizersTest {
  @Test
  void statisticsComeBack() {
    INDArray mean = Nd4j.createFromArray(new float[][] {{1, 2, 3}});
    NormalizerStandardize normalizer = new NormalizerStandardize(mean, mean.mul(2));

    Bytes encoded = Normalizers.encode(normalizer);

    assertThat(Normalizers.decode(encoded)).isEqualTo(normalizer);
    assertThat(Normalizers.encode(normalizer)).isEqualTo(encoded);
  }

  @Test
  void otherPreprocessorsAreNotSaved() {
    DataSetPreProcessor own = minibatch -> {};

    assertThat(Normalizers.encode(own).isEmpty()).isTrue();
    assertThat(Normalizers.encode(null).isEmpty()).isTrue();
  }

  /** ND4J cannot write them, and they have no statistics. */
  @Test
  void preprocessorsOfImagesWithoutStatisticsAreNotSaved() {
    assertThat(Normalizers.encode(new VGG16ImagePreProcessor()).isEmpty()).isTrue();
    assertThat(Normalizers.encode(new ImageMultiPreProcessingScaler(0)).isEmpty()).isTrue();
    assertThat(Normalizers.encode(new ImagePreProcessingScaler()).isEmpty()).isFalse();
  }

  @Test
  void aNormalizerThatWasNotFittedIsRefused() {
    assertThatThrownBy(() -> Normalizers.encode(new NormalizerMinMaxScaler()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("fit it");
  }

  private static Bytes header(String type, String strategy) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeUTF("NORMALIZER");
    out.writeInt(1);
    out.writeUTF(type);
    out.writeUTF(strategy);
    return Bytes.of(bytes.toByteArray());
  }

  @Test
  void aNormalizerThatNamesAClassIsRefused() throws IOException {
    Bytes named = header("CUSTOM", "java.lang.Object");

    assertThatThrownBy(() -> Normalizers.decode(named))
        .isInstanceOf(RestoreException.class)
        .hasMessageContaining("type CUSTOM");
  }

  @Test
  void otherBytesAreRefused() throws IOException {
    Bytes unknown = header("SOMETHING", "");

    for (Bytes bytes : new Bytes[] {unknown, Bytes.of(new byte[] {1, 2, 3})}) {
      assertThatThrownBy(() -> Normalizers.decode(bytes)).isInstanceOf(RestoreException.class);
    }
  }
}
