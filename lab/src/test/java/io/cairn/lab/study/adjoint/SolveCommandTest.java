package io.cairn.lab.study.adjoint;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cairn.adjoint.schedule.Schedule;
import io.cairn.adjoint.schedule.Schedules;
import io.cairn.cli.ExitCodes;
import io.cairn.lab.Laboratory;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code adjoint solve} as users call it, on all values that other programs computed. */
class SolveCommandTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final int CASES = 395;

  @TempDir Path directory;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void answersAsTheOracle() throws IOException {
    JsonNode cases = oracle();
    assertThat(cases).hasSize(CASES);
    List<JsonNode> answers = solve(problems(cases));
    assertThat(answers).hasSize(CASES);
    for (int i = 0; i < CASES; i++) {
      JsonNode expected = cases.get(i);
      JsonNode line = answers.get(i);
      assertThat(line.get("id")).isEqualTo(expected.get("id"));
      for (String name : names(expected.get("answer"))) {
        check(expected, line.required("answer"), name);
      }
    }
  }

  private static void check(JsonNode expected, JsonNode answer, String name) {
    JsonNode value = expected.get("answer").get(name);
    if (name.equals("firstPlaces")) {
      List<Integer> places = new ArrayList<>();
      value.forEach(place -> places.add(place.intValue()));
      if (places.isEmpty()) {
        assertThat(answer.has("firstPlace")).as("%s", expected).isFalse();
      } else {
        assertThat(answer.required("firstPlace").intValue()).as("%s", expected).isIn(places);
      }
    } else if (!name.equals("proof")) {
      assertThat(answer.required(name)).as("%s of %s", name, expected).isEqualTo(value);
    }
  }

  @Test
  void printsActionsThatReachTheCosts() throws IOException {
    JsonNode cases = oracle();
    List<JsonNode> answers = solve(problems(cases));
    int judged = 0;
    for (int i = 0; i < CASES; i++) {
      String kind = cases.get(i).get("kind").asText();
      boolean expected =
          Set.of("binomial", "tiers", "disk", "online").contains(kind)
              && cases.get(i).at("/problem/n").asInt() <= 1000;
      assertThat(answers.get(i).has("actions")).as("%s", cases.get(i)).isEqualTo(expected);
      if (expected) {
        judge(kind, cases.get(i).get("problem"), answers.get(i));
        judged++;
      }
    }
    assertThat(judged).isGreaterThan(200);
  }

  private static void judge(String kind, JsonNode problem, JsonNode line) {
    JsonNode answer = line.get("answer");
    long steps = problem.get("n").asLong();
    long forward = problem.path("uf").asLong(1);
    long reversals = problem.path("ub").asLong(0) * steps;
    int[] slots = {problem.path("s").asInt()};
    int[] writeCosts = {0};
    int[] readCosts = {0};
    String cost = kind.equals("online") ? "total" : "advances";
    if (kind.equals("tiers")) {
      slots = numbers(problem.get("caps"));
      writeCosts = numbers(problem.get("w"));
      readCosts = numbers(problem.get("r"));
      cost = answer.has("optimum") ? "optimum" : "levelOrdered";
    } else if (kind.equals("overlap")) {
      slots = numbers(problem.get("caps")); // its transfers cost nothing, and its reversals neither
      writeCosts = new int[slots.length];
      readCosts = new int[slots.length];
      forward = 1;
      reversals = 0;
    } else if (kind.equals("disk")) {
      slots = new int[] {problem.get("ram").asInt(), -1};
      writeCosts = new int[] {0, problem.get("wd").asInt()};
      readCosts = new int[] {0, problem.get("rd").asInt()};
      cost = "readOften";
    }
    assertThat(
            ActionJudge.cost(line.get("actions"), steps, slots, writeCosts, readCosts, forward)
                + reversals)
        .as("%s %s", kind, problem)
        .isEqualTo(answer.required(cost).asLong());
  }

  @Test
  void printsActionsThatReachTheCostsOfRandomProblems() throws IOException {
    List<ObjectNode> problems = IntStream.range(0, 300).mapToObj(RandomProblem::of).toList();
    List<JsonNode> answers = solve(lines(problems));
    int better = 0;
    for (int seed = 0; seed < problems.size(); seed++) {
      String kind = problems.get(seed).get("kind").asText();
      JsonNode answer = answers.get(seed).get("answer");
      judge(kind, problems.get(seed).get("problem"), answers.get(seed));
      if (answer.has("optimum")) {
        assertThat(answer.get("optimum").asLong())
            .as("%s", problems.get(seed))
            .isLessThanOrEqualTo(answer.get("levelOrdered").asLong());
        better += answer.get("optimum").equals(answer.get("levelOrdered")) ? 0 : 1;
      }
    }
    assertThat(better).as("problems whose level-ordered schedules are not optimal").isPositive();
  }

  @Test
  void printsTheBestLevelOrderedActionsOfAProblemThatIsTooLarge() throws IOException {
    String problem =
        "{\"kind\": \"tiers\", \"problem\": {\"n\": 900, \"caps\": [20, 20], \"w\": [1, 0], \"r\":"
            + " [0, 0], \"uf\": 1, \"ub\": 1}}";

    JsonNode line = solve(problem).get(0);

    assertThat(line.get("answer").has("optimum")).isFalse();
    judge("tiers", MAPPER.readTree(problem).get("problem"), line);
  }

  /** The answer is a closed form, and no actions are printed. */
  @Test
  void answersHowOftenStepsOfPeriodsRun() throws IOException {
    List<ObjectNode> problems = IntStream.range(0, 100).mapToObj(RandomProblem::periodic).toList();
    List<JsonNode> answers = solve(lines(problems));
    for (int seed = 0; seed < problems.size(); seed++) {
      JsonNode problem = problems.get(seed).get("problem");
      int steps = problem.get("n").asInt();
      int[] slots = {problem.get("ram").asInt(), -1};
      Schedule schedule = Schedules.periodic(steps, problem.get("period").asInt(), slots[0]);
      JsonNode actions = ActionJson.list(schedule, steps);
      assertThat(answers.get(seed).at("/answer/advances").asLong())
          .as("%s", problem)
          .isEqualTo(ActionJudge.cost(actions, steps, slots, new int[2], new int[2], 1));
    }
  }

  private static String lines(List<ObjectNode> problems) {
    return problems.stream().map(ObjectNode::toString).collect(Collectors.joining("\n"));
  }

  private static int[] numbers(JsonNode list) {
    int[] numbers = new int[list.size()];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = list.get(i).asInt(-1);
    }
    return numbers;
  }

  /** Without copies, a tier below takes as many states as a blocking one, and hides them. */
  @Test
  void hidesTransfersBesideThePrograms() throws IOException {
    String problem =
        "\"problem\": {\"n\": 60, \"caps\": [3, 60], \"w\": [0, 2], \"r\": [0, 2], \"uf\": 2,"
            + " \"ub\": 4}}";

    List<JsonNode> answers =
        solve("{\"kind\": \"overlap\", " + problem + "\n{\"kind\": \"tiers\", " + problem);

    JsonNode overlapped = answers.get(0).get("answer");
    assertThat(overlapped.get("time").asLong()).isEqualTo(59 * 2 + 60 * 4);
    assertThat(overlapped.get("leastTime")).isEqualTo(overlapped.get("time"));
    assertThat(answers.get(1).at("/answer/optimum").asLong()).isGreaterThan(59 * 2 + 60 * 4);
    long transfers =
        ActionJudge.cost(
            answers.get(0).get("actions"), 60, new int[] {3, 60}, new int[2], new int[2], 2);
    assertThat(transfers).isEqualTo(59 * 2);
  }

  @Test
  void drawsSchedules() throws IOException {
    Path pictures = directory.resolve("pictures");
    Path file = directory.resolve("problems.jsonl");
    Files.writeString(
        file,
        """
        {"id": "a/b", "kind": "tiers", "problem": {"n": 30, "caps": [2, 4], "w": [0, 2], "r": [0, 2], "uf": 1, "ub": 1}}
        {"kind": "online", "problem": {"n": 20, "s": 3}}
        {"kind": "onlineUntil", "problem": {"s": 3}}
        """);
    assertThat(run("--input", file.toString(), "--picture", pictures.toString()))
        .as(err.toString())
        .isEqualTo(ExitCodes.GOOD);
    assertThat(pictures.toFile().list())
        .containsExactlyInAnyOrder(
            "0001-a_b.svg", "0001-a_b.png", "0002-problem.svg", "0002-problem.png");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"kind\": \"binomial\"}|\"problem\" must be an object",
        "{\"kind\": \"binomal\", \"problem\": {}}|\"kind\" must be one of [binomial,",
        "{\"kind\": \"binomial\", \"problem\": {\"n\": 0, \"s\": 1}}|\"n\" must be from 1 to",
        "{\"kind\": \"binomial\", \"problem\": {\"n\": 3}}|no \"s\"",
        "{\"kind\": \"moves\", \"problem\": {\"n\": 3, \"caps\": []}}|\"caps\" must be a list of 1",
        "{\"kind\": \"moves\", \"problem\": {\"n\": 3, \"caps\": [\"x\"]}}|\"caps\"[0] must be from"
            + " 0",
        "{\"kind\": \"nextUse\", \"problem\": {\"sizes\": [9], \"capacity\": 8}}|\"sizes\"[0] must"
            + " be",
        "{\"kind\": \"pipe\", \"problem\": {\"n\": 2, \"slots\": 1, \"forward\": [1], \"backward\":"
            + " 1, \"down\": 1, \"up\": 1, \"copy\": 0}}|\"forward\" must have 2 entries",
        "{\"kind\": \"mixed\", \"problem\": {\"n\": 5, \"s\": 0}}|unit"
      })
  void namesWhatIsWrong(String line, String message) throws IOException {
    Path file = directory.resolve("problems.jsonl");
    Files.writeString(file, line);
    assertThat(run("--input", file.toString())).isNotEqualTo(ExitCodes.GOOD);
    assertThat(err.toString()).contains("line 1", message);
  }

  private static JsonNode oracle() throws IOException {
    try (InputStream file = SolveCommandTest.class.getResourceAsStream("/oracles/adjoint.json")) {
      return MAPPER.readTree(Objects.requireNonNull(file)).path("cases");
    }
  }

  private static List<String> names(JsonNode object) {
    List<String> names = new ArrayList<>();
    object.fieldNames().forEachRemaining(names::add);
    return names;
  }

  private static String problems(JsonNode cases) {
    StringBuilder lines = new StringBuilder();
    for (JsonNode one : cases) {
      ObjectNode problem = one.deepCopy();
      problem.remove("answer");
      lines.append(problem).append('\n');
    }
    return lines.toString();
  }

  private List<JsonNode> solve(String lines) throws IOException {
    Path file = directory.resolve("problems.jsonl");
    Files.writeString(file, lines);
    assertThat(run("--input", file.toString())).as(err.toString()).isEqualTo(ExitCodes.GOOD);
    List<JsonNode> answers = new ArrayList<>();
    for (String line : out.toString().lines().toList()) {
      answers.add(MAPPER.readTree(line));
    }
    return answers;
  }

  private int run(String... arguments) {
    List<String> all = new ArrayList<>(List.of("adjoint", "solve"));
    all.addAll(List.of(arguments));
    return Laboratory.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(all.toArray(String[]::new));
  }
}
