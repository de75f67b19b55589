package io.cairn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RegionTest {
  @Test
  void memoryOfADeviceIsNamedByDeviceAddressAndOrder() {
    DeviceName device = new DeviceName("cuda", 1);

    Region region = Region.of("weights", device, 0x7f00L, 64, new ReadyAfter.Stream(0), this);

    assertThat(region).isInstanceOf(Region.Span.class);
    assertThat(device).hasToString("cuda:1");
  }

  @ParameterizedTest
  @CsvSource({"0, 8", "4096, -1"})
  void aSpanHasAnAddressAndALength(long address, long bytes) {
    DeviceName device = new DeviceName("cuda", 0);
    ReadyAfter after = new ReadyAfter.Nothing();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Region.of("weights", device, address, bytes, after, this))
        .withMessageContaining("region weights: address " + address + ", " + bytes + " bytes");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Region.of("weights", address, bytes, this));
  }

  /** Native libraries give empty tensors no memory. */
  @Test
  void anEmptySpanNeedsNoAddress() {
    DeviceName device = new DeviceName("cuda", 0);

    assertThat(Region.of("bias", 0, 0, this)).isInstanceOf(Region.Address.class);
    assertThat(Region.of("bias", device, 0, 0, new ReadyAfter.Nothing(), this))
        .isInstanceOf(Region.OnDevice.class);
  }

  @ParameterizedTest
  @CsvSource({"CUDA, 0", "'', 0", "cuda, -1"})
  void aDeviceHasAKindAndANumber(String kind, int number) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new DeviceName(kind, number))
        .withMessageContaining("device '" + kind + "' number " + number);
  }

  @Test
  void noEventHasHandleZero() {
    assertThatIllegalArgumentException().isThrownBy(() -> new ReadyAfter.Event(0));
  }
}
