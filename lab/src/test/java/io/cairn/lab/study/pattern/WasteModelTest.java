package io.cairn.lab.study.pattern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class WasteModelTest {
  private static final Percentage CLOSE = Percentage.withPercentage(1e-10);

  @Test
  void everyReferenceValue() {
    JsonNode file = References.read("waste.json");
    assertThat(file.get("rows")).hasSize(16);
    for (JsonNode row : file.get("rows")) {
      JsonNode params = file.at("/parameters/" + row.get("version").textValue());
      WasteModel model =
          new WasteModel(
              params.get("Ctotal").doubleValue(),
              params.get("Coverhead").doubleValue(),
              params.get("R").doubleValue(),
              params.get("D").doubleValue());
      double mtbf = row.get("mu").doubleValue();
      double period = model.optimalPeriodSeconds(mtbf);
      double least = model.leastWastePeriodSeconds(mtbf);
      assertThat(period).isCloseTo(row.get("Topt").doubleValue(), CLOSE);
      assertThat(model.waste(period, mtbf)).isCloseTo(row.get("waste").doubleValue(), CLOSE);
      assertThat(least).isCloseTo(row.get("Tmin_of_Eq2").doubleValue(), CLOSE);
      assertThat(model.waste(least, mtbf)).isCloseTo(row.get("waste_at_Tmin").doubleValue(), CLOSE);
    }
  }

  @Test
  void refusesByName() {
    assertThatThrownBy(() -> new WasteModel(-1, 1, 0, 0)).hasMessageContaining("Ctotal");
    assertThatThrownBy(() -> new WasteModel(2, 0, 0, 0)).hasMessageContaining("Coverhead");
    assertThatThrownBy(() -> new WasteModel(2, 3, 0, 0)).hasMessageContaining("must not exceed");
    assertThatThrownBy(() -> new WasteModel(2, 1, Double.NaN, 0)).hasMessageContaining("(R)");
    assertThatThrownBy(() -> new WasteModel(2, 1, 0, -1)).hasMessageContaining("(D)");
    WasteModel model = new WasteModel(2, 1, 30, 10);
    assertThatThrownBy(() -> model.optimalPeriodSeconds(40)).hasMessageContaining("(mu)");
    assertThatThrownBy(() -> model.waste(0, 100)).hasMessageContaining("(T)");
  }

  /** Eq. 2 multiplies two parts; where neither leaves any time, they must not look like some. */
  @Test
  void wasteIsNeverFineWhereNothingGetsDone() {
    WasteModel model = new WasteModel(1000, 900, 95, 0);
    assertThat(model.waste(100, 100)).isEqualTo(1);
  }
}
