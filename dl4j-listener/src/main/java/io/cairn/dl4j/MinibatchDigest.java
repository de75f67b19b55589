package io.cairn.dl4j;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.api.DataSet;
import org.nd4j.linalg.dataset.api.MultiDataSet;

/**
 * Tells minibatches apart by all of their values: the first 64 bits of a SHA-256 of types, shapes
 * and elements of features, labels and masks. Reads each element once, in logical order. Stateless.
 */
final class MinibatchDigest {
  private MinibatchDigest() {}

  static long of(DataSet minibatch) {
    MessageDigest sha = ModelDigest.sha256();
    update(sha, minibatch.getFeatures());
    update(sha, minibatch.getLabels());
    update(sha, minibatch.getFeaturesMaskArray());
    update(sha, minibatch.getLabelsMaskArray());
    return first(sha);
  }

  static long of(MultiDataSet minibatch) {
    MessageDigest sha = ModelDigest.sha256();
    update(sha, minibatch.getFeatures());
    update(sha, minibatch.getLabels());
    update(sha, minibatch.getFeaturesMaskArrays());
    update(sha, minibatch.getLabelsMaskArrays());
    return first(sha);
  }

  private static void update(MessageDigest sha, @Nullable INDArray @Nullable [] arrays) {
    sha.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, arrays == null ? -1 : arrays.length));
    if (arrays != null) {
      for (INDArray array : arrays) {
        update(sha, array);
      }
    }
  }

  private static void update(MessageDigest sha, @Nullable INDArray array) {
    String kind = array == null ? "none" : array.dataType() + Arrays.toString(array.shape());
    sha.update(kind.getBytes(UTF_8));
    if (array != null) {
      ModelDigest.update(sha, array.dup('c')); // a view's elements do not follow each other
    }
  }

  private static long first(MessageDigest sha) {
    return ByteBuffer.wrap(sha.digest()).getLong();
  }
}
