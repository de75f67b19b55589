package io.cairn.engine.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.Compression;
import io.cairn.ErrorBound;
import io.cairn.Level;
import io.cairn.core.cadence.AdaptiveSettings;
import io.cairn.core.cadence.CadencePlan;
import io.cairn.core.cadence.CadencePolicy;
import io.cairn.flush.commit.RetentionPolicy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CairnConfigTest {
  private static CairnConfig of(String setting, String value) {
    return CairnConfig.of(Map.of(setting, value));
  }

  /** A number of settings that a page can explain; what nobody tunes is a property of the JVM. */
  @Test
  void thereAreFewSettings() {
    List<String> rows =
        Setting.all().stream()
            .filter(setting -> setting.use() != Setting.Use.PROPERTY)
            .map(Setting::row)
            .distinct()
            .toList();
    assertThat(rows).hasSizeLessThanOrEqualTo(40);
  }

  @Test
  void everySettingIsRead() {
    Map<String, String> values = new TreeMap<>();
    values.put("job", "night-7");
    values.put("store", "hdfs://host/cairn");
    values.put("node.dir", "/n");
    values.put("device.dir", "/d");
    values.put("device.cacheSize", "3m");
    values.put("chunkSize", "64k");
    values.put("device.every", "2");
    values.put("node.every", "6");
    values.put("store.every", "12");
    values.put("cadence", "adaptive:2.5%");
    values.put("device.mtbf", "60s");
    values.put("node.mtbf", "2h");
    values.put("peer.mtbf", "1d");
    values.put("store.mtbf", "10d");
    values.put("node.within", "90s");
    values.put("peer.within", "3m");
    values.put("store.within", "off");
    values.put("sharing", "node");
    values.put("host.cacheSize", "5m");
    values.put("topology", "dgx2");
    values.put("cairn.sharing.window", "7ms");
    values.put("cairn.sharing.patience", "3s");
    values.put("cairn.sharing.silence", "4s");
    values.put("store.patience", "77s");
    values.put("store.required", "start");
    values.put("store.unreadable", "refuse");
    values.put("store.hadoop.dfs.replication", "2");
    values.put("store.hadoop.dfs.blocksize", "32m");
    values.put("cairn.node.expiry", "3d");
    values.put("executor.port", "7100");
    values.put("driver.port", "7101");
    values.put("standby", "2");
    values.put("label", "digits v2");
    values.put("node.patience", "25s");
    values.put("peer", "rs:6+3");
    values.put("peer.domain", "node");
    values.put("rate", "9m");
    values.put("peer.every", "12");
    values.put("resume", "require");
    values.put("keep", "newest:5,highest:3,every:700,younger:6h");
    values.put("certify.every", "500");
    values.put("queueSize", "7m");
    values.put("coordinator", "10.0.0.7:7177");
    values.put("network", "10.1.0.0/16");
    values.put("secret", "sixteen-or-more-letters");
    values.put("joinTimeout", "90s");
    values.put("closeTimeout", "1500ms");
    values.put("node.codec", "lz4");
    values.put("store.codec", "shuffle-zstd");
    values.put("region.codec", "index=none, weights=zstd");
    values.put("region.loss", "moments=0.5%,bias=1e-3");
    values.put("capture.wait", "250ms");
    values.put("cairn.watchdog.after", "90s");
    values.put("cairn.store.threads", "6");
    values.put("store.writers", "3");
    values.put("node.maxLayers", "8");
    values.put("store.maxLayers", "4");
    values.put("staging", "3");
    values.put("accept", "network, data");
    values.put("device.kind", "cuda:2");
    values.put("cairn.device.cudaLibrary", "/opt/libcuda.so");
    values.put("device.reserve", "3g");
    Set<Setting<?>> unread = new HashSet<>(Setting.all());
    unread.removeIf(setting -> values.keySet().stream().anyMatch(setting::isNamed));
    assertThat(unread).extracting(Setting::name).as("this test knows all settings").isEmpty();
    assertThat(ConfigOfJvm.of(values))
        .isEqualTo(
            new CairnConfig(
                "night-7",
                "digits v2",
                ResumePolicy.REQUIRE,
                Set.of("network", "data"),
                "hdfs://host/cairn",
                Map.of("dfs.replication", "2", "dfs.blocksize", "32m"),
                6,
                new WriterSettings(3),
                new StagingSettings(3, List.of(), 9 << 20),
                Path.of("/n"),
                Duration.ofDays(3),
                true,
                Duration.ofSeconds(25),
                new DeviceSettings(DeviceSettings.Kind.CUDA, 2, "/opt/libcuda.so", 3L << 30),
                Path.of("/d"),
                OptionalLong.of(3 << 20),
                64 << 10,
                new CodecSettings(
                    Map.of(Level.NODE, Compression.LZ4, Level.STORE, Compression.SHUFFLE_ZSTD),
                    new RegionSettings(
                        Map.of("index", Compression.NONE, "weights", Compression.ZSTD),
                        Map.of(
                            "moments", ErrorBound.relative(0.005),
                            "bias", ErrorBound.absolute(0.001)))),
                new LayerSettings(Map.of(Level.NODE, 8, Level.STORE, 4)),
                Duration.ofMillis(250),
                Duration.ofSeconds(90),
                CadencePolicy.adaptive(
                    new AdaptiveSettings(
                        Map.of(
                            Level.DEVICE,
                            60.0,
                            Level.NODE,
                            7_200.0,
                            Level.PEER,
                            86_400.0,
                            Level.STORE,
                            864_000.0),
                        0.025,
                        Set.of(Level.values()),
                        Set.of(),
                        Map.of(Level.NODE, 90.0, Level.PEER, 180.0)),
                    CadencePlan.every(2, 6, 12).with(Level.PEER, 12)),
                RetentionPolicy.newest(5)
                    .andEvery(700)
                    .andBest(3, RetentionPolicy.Order.HIGHEST)
                    .andYounger(Duration.ofHours(6)),
                500,
                7 << 20,
                Duration.ofSeconds(77),
                true,
                false,
                Duration.ofSeconds(90),
                Duration.ofMillis(1500),
                7101,
                2,
                new SharingSettings(
                    false,
                    5 << 20,
                    "dgx2",
                    Duration.ofMillis(7),
                    Duration.ofSeconds(3),
                    Duration.ofSeconds(4),
                    7100),
                new PeerSettings(PeerSettings.Scheme.RS, new PeerDomain.Node(), 9 << 20, 6, 3),
                ServedNetwork.TYPE.parse().apply("10.1.0.0/16"),
                Optional.of(
                    new CoordinatorSettings(
                        "10.0.0.7", 7177, Optional.of("sixteen-or-more-letters")))));
  }

  @Test
  void noTextShowsTheValueOfAKeyOfHadoop() {
    assertThat(of("store.hadoop.fs.s3a.secret.key", "hunter2"))
        .hasToString(of("job", "cairn").toString())
        .extracting(CairnConfig::storeHadoop)
        .isEqualTo(Map.of("fs.s3a.secret.key", "hunter2"));
  }

  @Test
  void defaultsAreThoseOfTheTable() {
    CairnConfig config = CairnConfig.defaults();
    assertThat(config.job()).isEqualTo("cairn");
    assertThat(config.cadence().start()).isEqualTo(CadencePlan.every(1, 10, 50));
    assertThat(config.cadence().adaptive().orElseThrow().stallBudget()).isEqualTo(0.01);
    assertThat(config.chunkBytes()).isEqualTo(4 << 20);
    assertThat(config.cacheBytes()).isEmpty();
    assertThat(config.mostCacheBytes(4L << 30)).isEqualTo(1L << 30);
    assertThat(config.mostCacheBytes(3 << 20)).isEqualTo(4 << 20);
    assertThat(config.mostCacheBytes(Long.MAX_VALUE)).isEqualTo(1_000_000L * (4 << 20));
    assertThat(config.keep()).isEqualTo(2);
    assertThat(config.queueBytes()).isEqualTo(1L << 30);
    assertThat(config.storePatience()).isEqualTo(Duration.ofMinutes(2));
    assertThat(config.joinTimeout()).isEqualTo(Duration.ofMinutes(30));
    assertThat(config.closeTimeout()).isEqualTo(Duration.ofMinutes(1));
    assertThat(config.store()).endsWith("/.cairn/store");
    assertThat(config.nodeDirectory()).isNotEqualTo(config.deviceDirectory());
  }

  @ParameterizedTest
  @CsvSource({"1%,0.01", "0.5 %,0.005", "0.2,0.2", "100%,1", "1,1"})
  void parts(String text, double part) {
    assertThat(of("cadence", "adaptive:" + text).cadence().adaptive().orElseThrow().stallBudget())
        .isEqualTo(part);
  }

  @Test
  void aConfiguredPeriodDisablesAdaptation() {
    CadencePolicy fixed = CadencePolicy.fixed(CadencePlan.every(1, 20, 100));
    Map<String, String> periods = Map.of("node.every", "20", "store.every", "100");
    assertThat(CairnConfig.of(periods).cadence()).isEqualTo(fixed);
    Map<String, String> adaptive = new TreeMap<>(periods);
    adaptive.put("cadence", "adaptive");
    assertThat(CairnConfig.of(adaptive).cadence().start()).isEqualTo(fixed.start());
    assertThat(CairnConfig.of(adaptive).cadence().adaptive()).isPresent();
    assertThat(of("cadence", "fixed").cadence())
        .isEqualTo(CadencePolicy.fixed(CadencePlan.every(1, 10, 50)));
  }

  @Test
  void peerIsALevelOnlyIfItHasAScheme() {
    Map<String, String> settings = new TreeMap<>();
    settings.put("node.every", "5");
    settings.put("store.every", "60");
    assertThat(CairnConfig.of(settings).cadence().start().levels())
        .containsExactly(Level.DEVICE, Level.NODE, Level.STORE);

    settings.put("peer", "partner");
    assertThat(CairnConfig.of(settings).cadence().start().periods()).containsEntry(Level.PEER, 5L);

    settings.put("peer.every", "20");
    assertThat(CairnConfig.of(settings).cadence().start().periods()).containsEntry(Level.PEER, 20L);
  }

  @ParameterizedTest
  @CsvSource({"20,10,60", "12,6,60", "7,7,56", "50,10,50"})
  void defaultPeriodsFitThatOfPeer(long peer, long node, long store) {
    Map<String, String> settings = Map.of("peer", "partner", "peer.every", Long.toString(peer));

    assertThat(CairnConfig.of(settings).cadence())
        .isEqualTo(CadencePolicy.fixed(CadencePlan.every(1, node, store).with(Level.PEER, peer)));
  }

  @ParameterizedTest
  @CsvSource({"12", "20"})
  void aPeriodOfPeerFitsTheConfiguredOnes(String every) {
    Map<String, String> settings =
        Map.of("peer", "partner", "node.every", "10", "store.every", "50", "peer.every", every);

    assertThatThrownBy(() -> CairnConfig.of(settings))
        .hasMessageContaining("peer.every is '" + every)
        .hasMessageContaining("a multiple of node.every (10) that divides store.every (50)");
  }

  @Test
  void aPeriodOfPeerWithoutTheLevelIsCheckedAndChangesNothing() {
    assertThatThrownBy(() -> of("peer.every", "abc"))
        .hasMessageContaining("peer.every is 'abc'")
        .hasMessageContaining("1 or more");
    assertThat(of("peer.every", "20").cadence()).isEqualTo(CairnConfig.defaults().cadence());
  }

  @Test
  void failureDomainsComeFromAFileOrAProgram() {
    Map<String, String> map = Map.of("peer.domain", "map:/etc/racks");
    Map<String, String> script = Map.of("peer.domain", "script:/opt/rack.sh");

    assertThat(CairnConfig.of(map).peer().domain())
        .isEqualTo(new PeerDomain.Listed(Path.of("/etc/racks")));
    assertThat(CairnConfig.of(script).peer().domain())
        .isEqualTo(new PeerDomain.Asked(Path.of("/opt/rack.sh")));
  }

  @ParameterizedTest
  @CsvSource({
    "peer.every,0,1 or more",
    "peer,raid,'none, partner, xor:K or rs:K+M, such as rs:4+2'",
    "peer,xor,'none, partner, xor:K or rs:K+M, such as rs:4+2'",
    "peer,xor:0,give numbers from 1 to 64",
    "peer,rs:4+65,give numbers from 1 to 64",
    "peer.domain,rack,'host, node, map:/FILE or script:/FILE'",
    "peer.domain,map:racks.txt,'host, node, map:/FILE or script:/FILE'",
    "peer.domain,disk:/racks.txt,'host, node, map:/FILE or script:/FILE'",
    "rate,fast,a size",
    "sharing,device,set sharing to on or node"
  })
  void settingsOfPeerAreChecked(String name, String value, String message) {
    Map<String, String> settings = new TreeMap<>();
    settings.put("peer", "partner");
    settings.put(name, value);

    assertThatThrownBy(() -> CairnConfig.of(settings)).hasMessageContaining(message);
  }

  @ParameterizedTest
  @CsvSource({"store.codec,gzip", "node.codec,LZ4"})
  void aCodecHasOneOfTheNames(String name, String value) {
    assertThatThrownBy(() -> of(name, value))
        .hasMessageContaining(name)
        .hasMessageContaining("none, lz4, zstd, shuffle-zstd or adaptive");
  }

  @ParameterizedTest
  @CsvSource({
    "region.codec,weights=zst,unknown codec 'zst': did you mean zstd?",
    "region.codec,weights,names of regions with values",
    "region.codec,=zstd,names of regions with values",
    "region.codec,../weights=zstd,names of regions with values",
    "region.codec,'w=zstd,w=lz4',w is named twice",
    "region.loss,weights=0,error bound 0.0",
    "region.loss,weights=-1,'-1' is no error bound",
    "region.loss,weights=NaN,'NaN' is no error bound",
    "region.loss,weights=60%,error bound 0.6",
    "region.loss,weights=1e400,error bound Infinity",
    "region.loss,weights=%,is no error bound"
  })
  void regionsAreNamedWithLegalOptions(String name, String value, String message) {
    assertThatThrownBy(() -> of(name, value))
        .hasMessageContaining("setting " + name + " is '" + value)
        .hasMessageContaining(message);
  }

  @Test
  void defaultPeriodsFitTheConfiguredOnes() {
    assertThat(of("node.every", "15").cadence())
        .isEqualTo(CadencePolicy.fixed(CadencePlan.every(1, 15, 60)));
    assertThat(of("device.every", "7").cadence())
        .isEqualTo(CadencePolicy.fixed(CadencePlan.every(7, 14, 56)));
    assertThat(of("store.every", "64").cadence())
        .isEqualTo(CadencePolicy.fixed(CadencePlan.every(1, 8, 64)));
    assertThat(of("store.every", "55").cadence())
        .isEqualTo(CadencePolicy.fixed(CadencePlan.every(1, 5, 55)));
    assertThat(of("store.every", "7").cadence())
        .isEqualTo(CadencePolicy.fixed(CadencePlan.every(1, 7, 7)));
  }

  @ParameterizedTest
  @CsvSource({
    "device.every,2,node.every,3,a multiple of device.every (2)",
    "node.every,10,store.every,15,a multiple of node.every (10)",
    "device.every,10,store.every,55,a multiple of node.every (10)",
    "node.every,0,store.every,15,1 or more"
  })
  void aPeriodIsAMultipleOfTheOneBelow(
      String lower, String below, String name, String every, String message) {
    assertThatThrownBy(() -> CairnConfig.of(Map.of(lower, below, name, every)))
        .hasMessageContaining(message);
  }

  @Test
  void boundsInTimeHoldForAFixedCadenceIfTheyAreSet() {
    Map<String, String> bounded = Map.of("node.every", "20", "store.within", "2m");

    assertThat(CairnConfig.defaults().cadence().withinSeconds())
        .isEqualTo(Map.of(Level.NODE, 60.0, Level.STORE, 600.0));
    assertThat(of("node.every", "20").cadence().withinSeconds()).isEmpty();
    assertThat(CairnConfig.of(bounded).cadence().withinSeconds())
        .isEqualTo(Map.of(Level.STORE, 120.0));
  }

  @Test
  void peerIsBoundedInTimeIfThereIsPeer() {
    Map<String, String> fixed = Map.of("peer", "partner", "node.every", "20", "peer.within", "2m");

    assertThat(of("peer.within", "2m").cadence().withinSeconds()).doesNotContainKey(Level.PEER);
    assertThat(of("peer", "partner").cadence().withinSeconds())
        .isEqualTo(Map.of(Level.NODE, 60.0, Level.PEER, 300.0, Level.STORE, 600.0));
    assertThat(CairnConfig.of(fixed).cadence().withinSeconds())
        .isEqualTo(Map.of(Level.PEER, 120.0));
  }

  @ParameterizedTest
  @CsvSource({"8192,8192", "8192b,8192", "8k,8192", "8K,8192", "8 kb,8192", "1m,1048576"})
  void sizes(String text, int bytes) {
    assertThat(of("chunkSize", text).chunkBytes()).isEqualTo(bytes);
  }

  /** As other programs print them. */
  @ParameterizedTest
  @CsvSource({
    "1099511627776,1099511627776",
    "999999999999999999,999999999999999999",
    "4194304k,4294967296"
  })
  void largeSizesNeedNoUnit(String text, long bytes) {
    assertThat(Sizes.parse(text)).hasValue(bytes);
  }

  @ParameterizedTest
  @CsvSource({"0s,0", "250ms,250", "3s,3000", "2 m,120000", "1H,3600000", "2d,172800000"})
  void times(String text, long millis) {
    assertThat(of("closeTimeout", text).closeTimeout()).isEqualTo(Duration.ofMillis(millis));
  }

  @ParameterizedTest
  @CsvSource({
    "job,../x",
    "job,''",
    "node.dir,'a\0b'",
    "device.dir,'a\0b'",
    "device.cacheSize,much",
    "device.cacheSize,-1m",
    "device.cacheSize,1k",
    "device.cacheSize,999999999999t",
    "device.cacheSize,5t",
    "device.cacheSize,8000000t",
    "chunkSize,4097",
    "joinTimeout,0s",
    "joinTimeout,999999999d",
    "closeTimeout,36501d",
    "chunkSize,1k",
    "chunkSize,65m",
    "chunkSize,8g",
    "chunkSize,''",
    "device.every,0",
    "device.every,two",
    "node.every,0",
    "node.within,0s",
    "peer.within,0s",
    "store.within,soon",
    "node.every,-10",
    "node.every,1.5",
    "store.every,0",
    "store.every,99999999999999999999",
    "cadence,often",
    "cadence,adaptive:0",
    "cadence,adaptive:101%",
    "cadence,adaptive:1.5",
    "cadence,adaptive:-1%",
    "device.mtbf,0s",
    "node.mtbf,never",
    "peer.mtbf,12",
    "store.mtbf,-3d",
    "sharing,sometimes",
    "host.cacheSize,much",
    "topology,dgx9",
    "executor.port,-1",
    "store.hadoop.,2",
    "staging,1001",
    "driver.port,65536",
    "standby,-1",
    "standby,1001",
    "keep,0",
    "keep,-3",
    "keep,all",
    "queueSize,0",
    "queueSize,1x",
    "store,hdfs://host/a#b",
    "store,hdfs://host:9000",
    "node.dir,hdfs://host/node",
    "device.dir,file:/dev/shm",
    "closeTimeout,60",
    "closeTimeout,-1s",
    "closeTimeout,soon",
    "closeTimeout,9999999999h"
  })
  void anIllegalValueIsRejectedByTheSettingsName(String setting, String value) {
    assertThatThrownBy(() -> of(setting, value))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(setting);
  }

  @ParameterizedTest
  @CsvSource({
    "node.expiry,0s",
    "sharing.window,0s",
    "sharing.patience,soon",
    "sharing.silence,0s",
    "store.threads,65",
    "watchdog.after,never"
  })
  void anIllegalPropertyIsRejectedByName(String name, String value) {
    assertThatThrownBy(() -> ConfigOfJvm.of(Map.of("cairn." + name, value)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("property -Dcairn." + name + " is '" + value + "': give ");
  }

  @ParameterizedTest
  @CsvSource({
    "5,5,0,0,LOWEST,0",
    "'highest:3, newest:1',1,0,3,HIGHEST,0",
    "'every:700,younger:6h',2,700,0,LOWEST,6"
  })
  void rulesOfRetentionAddUp(
      String rules, int newest, long every, int best, RetentionPolicy.Order order, int hours) {
    assertThat(of("keep", rules).retention())
        .isEqualTo(new RetentionPolicy(newest, every, best, order, Duration.ofHours(hours)));
  }

  @ParameterizedTest
  @CsvSource({
    "newest:0,give 1 or more for newest",
    "lowest:-1,give 0 or more for lowest",
    "every:x,give 0 or more for every",
    "younger:soon,give a time such as",
    "'1,newest:2',give each rule once",
    "'lowest:1,highest:1',either lowest or highest",
    "oldest:1,'give rules such as newest:2,lowest:3,every:1000,younger:6h'"
  })
  void anIllegalRuleOfRetentionIsRejected(String rules, String message) {
    assertThatThrownBy(() -> of("keep", rules))
        .hasMessageContaining("setting keep is '" + rules + "': ")
        .hasMessageContaining(message);
  }

  /** Each former name tells what is written now, and what it tells is known. */
  @Test
  void aFormerNameIsRejectedWithWhatIsWrittenNow() {
    for (String former : FormerSettings.names()) {
      assertThatThrownBy(() -> KnownSettings.require(Map.of(former, "1"), "spark.cairn."))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageMatching(
              "setting spark.cairn.%s has another name: write spark.cairn.\\S+.*".formatted(former))
          .satisfies(
              e -> {
                String now = String.valueOf(e.getMessage()).split("write spark.cairn.", 2)[1];
                assertThat(KnownSettings.isKnown(now.replaceAll("[, ].*", ""))).as(now).isTrue();
              });
    }
    assertThatThrownBy(() -> of("peer.scheme", "partner"))
        .hasMessageEndingWith("write peer, such as peer=partner, peer=xor:4 or peer=rs:4+2");
    assertThatThrownBy(() -> of("node.expiry", "7d"))
        .hasMessage(
            "setting node.expiry is a property of the JVM: give it the option"
                + " -Dcairn.node.expiry=VALUE, under Spark to the driver and to all executors"
                + " alike");
  }

  @ParameterizedTest
  @CsvSource({
    "spark.cairn.job,job",
    "spark.cairn.store.every,store.every",
    "spark.cairn.node.evry,node.every"
  })
  void aNameWithSparksPrefixIsRejectedWithTheNameWithout(String full, String name) {
    assertThatThrownBy(() -> of(full, "1"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(full)
        .hasMessageContaining("leave out the prefix spark.cairn.")
        .hasMessageEndingWith("did you mean " + name + "?");
  }

  @Test
  void anUnknownPropertyIsRejectedWithTheNearestName() {
    assertThatThrownBy(
            () -> KnownSettings.requireProperties(Set.of("cairn.log", "cairn.node.expire")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("unknown property -Dcairn.node.expire: did you mean cairn.node.expiry?");
    KnownSettings.requireProperties(Set.of("cairn.log", "cairn.store.threads", "java.home"));
  }

  @Test
  void aBlankKeyOfHadoopCountsAsNone() {
    assertThat(of("store.hadoop.dfs.replication", " ").storeHadoop()).isEmpty();
  }

  @Test
  void aNullValueIsRejectedByName() {
    Map<String, String> values = new TreeMap<>();
    values.put("store", null);

    assertThatThrownBy(() -> CairnConfig.of(values))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("store is null");
  }

  @ParameterizedTest
  @CsvSource({
    "node.evry,node.every",
    "Store,store",
    "device.cachesize,device.cacheSize",
    "chunksize,chunkSize",
    "close.timeout,closeTimeout",
    "keeps,keep"
  })
  void anUnknownSettingIsRejectedWithTheNearestName(String unknown, String nearest) {
    assertThatThrownBy(() -> of(unknown, "1"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("unknown setting " + unknown + ": did you mean " + nearest + "?");
  }
}
