package io.cairn.spark.peer;

/** The contract authenticated and encrypted. */
class EncryptedPeersTest extends SparkPeersContract {
  EncryptedPeersTest() {
    super(TestSecurity.CRYPTO);
  }
}
