package io.cairn.lab.prove;

import io.cairn.Cairn;
import io.cairn.Digest;
import io.cairn.dl4j.CairnTraining;
import io.cairn.dl4j.ModelDigest;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.deeplearning4j.nn.api.Model;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.api.preprocessor.NormalizerStandardize;
import org.nd4j.linalg.factory.Nd4j;

/**
 * A control: one part is left out of a restore, and the training must end otherwise than the
 * undisturbed one. The same training with a whole restore must end alike. Stateless.
 *
 * @param omission the part
 */
record ControlTraining(Omission omission) {
  private static final double MEAN = 0.25;
  private static final double OTHER_MEAN = 0.125;
  private static final double DEVIATION = 2;

  /** Whether the comparison notices the omission, and nothing without it. */
  boolean noticed(Cairn cairn) {
    Digest undisturbed = training("").undisturbed();
    return resumed(cairn, "whole", restored -> {}).equals(undisturbed)
        && !resumed(cairn, "in-part", omission::leaveOut).equals(undisturbed);
  }

  private ProofTraining training(String group) {
    return new ProofTraining(omission.trained(), data(), group);
  }

  private Digest resumed(Cairn cairn, String group, Consumer<Omission.Restored> afterRestore) {
    training(group).untilException(cairn);
    Nd4j.getRandom().setSeed(1);
    ProofCase one = omission.trained();
    ProofData data = otherData().get();
    Model model = one.network().create(one.updater());
    ProofTraining.listen(model, training(group).slowingDown());
    try (CairnTraining run = ProofNetwork.resume(model, data, cairn.join(group))) {
      afterRestore.accept(
          new Omission.Restored(one, model, one.network().create(one.updater()), data));
      run.fit(ProofTraining.EPOCHS);
      return ModelDigest.of(model);
    }
  }

  /** The data of the training. */
  Supplier<ProofData> data() {
    return data(normalizer(MEAN));
  }

  /** The data as another process reads them, before a restore. */
  Supplier<ProofData> otherData() {
    return data(otherNormalizer());
  }

  private Supplier<ProofData> data(NormalizerStandardize normalizer) {
    return () -> {
      ProofData data = omission.trained().network().data();
      if (omission == Omission.NORMALIZER) {
        data.pairs().setPreProcessor(normalizer);
      }
      return data;
    };
  }

  /** The statistics of a process that has fitted its normaliser to other data. */
  static NormalizerStandardize otherNormalizer() {
    return normalizer(OTHER_MEAN);
  }

  private static NormalizerStandardize normalizer(double mean) {
    INDArray ones = Nd4j.ones(1, ProofData.INPUTS);
    return new NormalizerStandardize(ones.mul(mean), ones.mul(DEVIATION));
  }
}
