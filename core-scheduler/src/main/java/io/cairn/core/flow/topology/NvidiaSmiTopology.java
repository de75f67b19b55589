package io.cairn.core.flow.topology;

import io.cairn.core.flow.Topology;
import io.cairn.core.flow.TopologyBuilder;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Reads the output of {@code nvidia-smi topo -m} into a {@link Topology}. Device {@code i} is the
 * {@code i}-th GPU of the header, whatever its number.
 *
 * <ul>
 *   <li>NV# between two GPUs is a link each way, # times the rate of an NVLink.
 *   <li>If a GPU's row has more NVLinks than one GPU has, and the same number to every peer, the
 *       links lead to an NVSwitch. That number times the rate caps what the device sends, and what
 *       it receives. A small part of a switched machine looks like direct links if a GPU of the
 *       given rates could be wired so; pass the rates of the GPU rather than {@link
 *       LinkRates#UNKNOWN}.
 *   <li>PIX, PXB, PHB, NODE and SYS between two GPUs are no link. Such a transfer would use the
 *       PCIe lanes of the sender's host link, so a schedule that counted both would count those
 *       lanes twice. Many chipsets do not permit it at all.
 *   <li>GPUs share a host link if their paths to the host meet below the host bridge: PIX or PXB
 *       between them, or to the same network card, or to cards of which that holds. All behind one
 *       such bridge share the rate of one PCIe link. NVLinks hide how two GPUs meet; without a
 *       network card that shows it, GPUs that share a link count as if each had its own.
 * </ul>
 *
 * <p>The reader accepts tabs or blanks, underlined headers, legends, affinity columns and SOC of
 * older drivers. It also accepts truncated rows of network cards, and other text around the lines.
 * The text has at most 1 MiB of characters, 16 384 in a line. Time and space are linear in the
 * text. Stateless, thread-safe.
 */
public final class NvidiaSmiTopology {
  private static final int LONGEST_TEXT = 1 << 20;
  private static final int LONGEST_LINE = 1 << 14;
  private static final Pattern TERMINAL_CODES = Pattern.compile("\\x1B\\[[0-9;]{0,16}[A-Za-z]");
  private static final Pattern BLANKS = Pattern.compile("[\\s\\xA0]+");

  private NvidiaSmiTopology() {}

  /** Reads the matrix of unknown GPUs, with the rates {@link LinkRates#UNKNOWN}. */
  public static Topology parse(String text) {
    return parse(text, LinkRates.UNKNOWN);
  }

  /**
   * Reads the matrix of a machine with GPUs of one kind.
   *
   * @param text the output of the command, with or without other text around it
   * @param rates of one GPU's links
   * @throws IllegalArgumentException if there is no matrix, or it is cut, or contradicts itself or
   *     the rates; the message begins with the line number and names the remedy
   */
  public static Topology parse(String text, LinkRates rates) {
    TopoMatrix matrix = matrix(text);
    TopologyBuilder builder = Topology.builder(matrix.gpus()).host(rates.hostBytesPerSecond());
    for (int gpu = 0; gpu < matrix.gpus(); gpu++) {
      link(matrix, gpu, rates, builder);
    }
    for (List<Integer> group : matrix.behindOneSwitch()) {
      builder.sharedHostLink(group, rates.hostBytesPerSecond());
    }
    return builder.build();
  }

  private static TopoMatrix matrix(String text) {
    if (text.length() > LONGEST_TEXT) {
      throw new TopoSyntaxException(
          1, "begins a text of more than 1 MiB; paste the output of nvidia-smi topo -m alone");
    }
    String[] lines = text.split("\n", -1);
    TopoMatrix matrix = null;
    for (int at = 0; at < lines.length; at++) {
      List<String> tokens = tokens(at + 1, lines[at]);
      if (tokens.isEmpty()) {
        continue;
      }
      if (matrix == null) {
        matrix = TopoHeader.parse(at + 1, tokens).map(TopoMatrix::new).orElse(null);
      } else if (tokens.contains("Legend:")) {
        return matrix.complete(at + 1);
      } else {
        matrix.read(at + 1, tokens);
      }
    }
    if (matrix == null) {
      throw new TopoSyntaxException(
          lines.length,
          "ends the text before any line that names GPU0 and the others; paste the output of"
              + " nvidia-smi topo -m");
    }
    return matrix.complete(lines.length);
  }

  private static List<String> tokens(int number, String line) {
    if (line.length() > LONGEST_LINE) {
      throw new TopoSyntaxException(
          number,
          String.format(
              Locale.ROOT,
              "has %d characters, at most %d are read; paste the output with its line ends",
              line.length(),
              LONGEST_LINE));
    }
    String plain = TERMINAL_CODES.matcher(line).replaceAll("");
    return Arrays.stream(BLANKS.split(plain)).filter(token -> !token.isEmpty()).toList();
  }

  private static void link(TopoMatrix matrix, int gpu, LinkRates rates, TopologyBuilder builder) {
    int all = 0;
    int most = 0;
    int peers = 0;
    for (int peer = 0; peer < matrix.gpus(); peer++) {
      int links = matrix.path(gpu, peer).nvLinks();
      if (links > 0) {
        builder.link(gpu, peer, links * rates.nvLinkBytesPerSecond());
        all += links;
        most = Math.max(most, links);
        peers++;
      }
    }
    if (all > rates.nvLinks()) {
      if (most > rates.nvLinks() || all != peers * most) {
        throw new TopoSyntaxException(
            matrix.line(gpu),
            String.format(
                Locale.ROOT,
                "%s has %d NVLinks to one peer and %d to all, but the given rates are of a GPU with"
                    + " %d; name the GPU that the machine has",
                matrix.name(gpu),
                most,
                all,
                rates.nvLinks()));
      }
      double cap = most * rates.nvLinkBytesPerSecond();
      builder.egress(gpu, cap).ingress(gpu, cap);
    }
  }
}
