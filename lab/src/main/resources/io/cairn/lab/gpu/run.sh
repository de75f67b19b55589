#!/bin/sh
# Tries and measures Cairn on this machine's GPU; --help lists the options. It needs NVIDIA's driver
# and glibc 2.34 or later. Exit status: 0 if all passed, 1 if not, 2 for wrong arguments.
here="$(cd "$(dirname "$0")" && pwd -P)"
report=gpu-report.json
previous=
for word in "$@"; do
  [ "$previous" != --output ] || report="$word"
  previous="$word"
done

# Where containers have the driver, if the system's loader does not know.
LD_LIBRARY_PATH="${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}/usr/local/nvidia/lib64:/usr/lib/wsl/lib"
export LD_LIBRARY_PATH

# Warnings go to the output by the logger of Log4j's API.
LOG4J_LOGGER_CONTEXT_FACTORY=org.apache.logging.log4j.simple.SimpleLoggerContextFactory
LOG4J_SIMPLELOG_LEVEL=WARN
export LOG4J_LOGGER_CONTEXT_FACTORY LOG4J_SIMPLELOG_LEVEL

if ! said="$("$here/runtime/bin/java" -version 2>&1)"; then
  reason="the runtime does not start; it needs x86-64, glibc 2.34, libz and libstdc++"
  echo "gpu-kit: $reason: $said" >&2
  said="$(printf '%s' "$said" | tr -d '"\\' | tr '\n\t' '  ')"
  printf '{"passed": false, "reason": "%s: %s", "parts": []}\n' "$reason" "$said" > "$report"
  exit 1
fi
exec "$here/runtime/bin/java" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx256m \
  -cp "$here/lib/*" io.cairn.lab.gpu.kit.Kit "$@"
