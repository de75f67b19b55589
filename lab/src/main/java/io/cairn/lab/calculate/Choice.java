package io.cairn.lab.calculate;

import io.cairn.lab.pattern.CostModel;
import io.cairn.lab.pattern.FailureModel;
import io.cairn.lab.pattern.Optimizer;
import io.cairn.lab.pattern.RecoveryCost;
import java.util.Arrays;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a constant as users write it: in lower case, with hyphens. */
abstract class Choice<E extends Enum<E>> implements ITypeConverter<E> {
  private final E[] constants;

  private Choice(E[] constants) {
    this.constants = constants;
  }

  @Override
  public E convert(String text) {
    for (E constant : constants) {
      if (text(constant).equals(text)) {
        return constant;
      }
    }
    throw new TypeConversionException(
        "expected one of "
            + String.join(", ", Arrays.stream(constants).map(Choice::text).toList())
            + " but was '"
            + text
            + "'");
  }

  static String text(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  static final class Costs extends Choice<CostModel> {
    Costs() {
      super(CostModel.values());
    }
  }

  static final class Failures extends Choice<FailureModel> {
    Failures() {
      super(FailureModel.values());
    }
  }

  static final class Recovery extends Choice<RecoveryCost> {
    Recovery() {
      super(RecoveryCost.values());
    }
  }

  static final class By extends Choice<Optimizer> {
    By() {
      super(Optimizer.values());
    }
  }
}
