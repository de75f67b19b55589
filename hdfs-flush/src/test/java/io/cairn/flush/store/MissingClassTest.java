package io.cairn.flush.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The jars of classes that file systems of clouds need, in each release of Hadoop's client. */
class MissingClassTest {
  @ParameterizedTest
  @CsvSource({
    "org.apache.hadoop.fs.s3a.S3AFileSystem,hadoop-aws",
    "org/apache/hadoop/fs/s3a/S3AFileSystem,hadoop-aws",
    "software.amazon.awssdk.core.exception.SdkException,software.amazon.awssdk:bundle",
    "org.apache.hadoop.fs.azurebfs.AzureBlobFileSystem,hadoop-azure",
    "com.google.cloud.hadoop.fs.gcs.GoogleHadoopFileSystem,gcs-connector",
    "org.apache.hadoop.fs.gs.GoogleHadoopFileSystem,hadoop-gcp",
    "org.apache.hadoop.fs.obs.OBSFileSystem,hadoop-huaweicloud",
    "org.apache.hadoop.fs.cosn.CosNFileSystem,hadoop-cos",
    "org.apache.hadoop.fs.tosfs.TosFileSystem,hadoop-tos",
    "org.apache.hadoop.hdfs.DistributedFileSystem,hadoop-client-runtime",
    "com.example.OtherFileSystem,the jar that has it"
  })
  void aClassNamesItsJar(String name, String jar) {
    var failure = new IllegalStateException(new ClassNotFoundException("Class " + name));

    assertThat(MissingClass.refusal("any://bucket/cairn", failure))
        .hasValueSatisfying(
            refusal ->
                assertThat(refusal)
                    .hasCause(failure)
                    .hasMessageContainingAll("any://bucket/cairn", "add", jar));
  }

  @ParameterizedTest
  @CsvSource({"java.lang.IllegalStateException", "java.io.IOException"})
  void anotherCauseIsNoMissingClass(Class<? extends Exception> cause) throws Exception {
    assertThat(MissingClass.refusal("any://x", cause.getConstructor().newInstance())).isEmpty();
  }
}
