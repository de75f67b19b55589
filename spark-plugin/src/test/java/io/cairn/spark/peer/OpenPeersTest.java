package io.cairn.spark.peer;

/** The contract in the clear, and nobody proves who he is. */
class OpenPeersTest extends SparkPeersContract {
  OpenPeersTest() {
    super(TestSecurity.OPEN);
  }
}
