package io.cairn.spark.peer;

/** The contract authenticated by SASL, in the clear. */
class SaslPeersTest extends SparkPeersContract {
  SaslPeersTest() {
    super(TestSecurity.SASL);
  }
}
