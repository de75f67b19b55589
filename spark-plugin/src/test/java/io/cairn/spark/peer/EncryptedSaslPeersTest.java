package io.cairn.spark.peer;

/** The contract authenticated and encrypted by SASL. */
class EncryptedSaslPeersTest extends SparkPeersContract {
  EncryptedSaslPeersTest() {
    super(TestSecurity.SASL_ENCRYPTED);
  }
}
