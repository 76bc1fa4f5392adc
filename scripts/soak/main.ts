import { CHECK_OPTION, JSON_OPTION, runCommand } from "../common/command";
import { useTestBuild } from "../common/processes";
import { printOutcome, textTable } from "../common/report";
import { missesOf, soak } from "./soak";

await runCommand({
  name: "soak",
  about:
    "Makes visits while pages are flooded, slow clients hold connections of every kind, and the database fails over to its standby in the middle. No acknowledged visit may be lost, the p99 of re-reads may at most double, and memory must recover within a minute.",
  options: {
    minutes: { type: "number", default: 30, about: "minutes under load" },
    slow: { type: "number", default: 1000, min: 0, about: "connections per kind of slow client" },
    "no-failover": { type: "boolean", about: "keep the primary running" },
    json: JSON_OPTION,
    check: CHECK_OPTION,
  },
  async run(values, cleanUp) {
    useTestBuild();
    const { minutes } = values;
    const half = minutes * 30;
    const result = await soak(
      {
        quietSeconds: Math.max(20, Math.min(120, minutes * 12)),
        loadedSeconds: half,
        slow: values.slow,
        hasFailover: values["no-failover"] !== true,
      },
      cleanUp,
    );
    const { rows, memory, memoryAllowedMb, visits, lost, pages, slowConnections, outcomes } = result;
    return printOutcome(values, {
      result: { minutes, ...result },
      misses: missesOf(result),
      lines: () => [
        ...textTable(
          ["", "re-reads", "p50 ms", "p99 ms"],
          rows.map(({ name, rereads, p50Ms, p99Ms }) => [name, rereads, p50Ms.toFixed(1), p99Ms.toFixed(1)]),
        ),
        `memory ${memory.before} MB before, ${memory.most} maximum, ${memory.after} after (allowed ${memoryAllowedMb})`,
        `${visits} visits, ${lost.length} lost; ${pages} pages; ${slowConnections} slow connections`,
        ...Object.entries(outcomes).map(([outcome, count]) => `${String(count).padStart(8)}  ${outcome}`),
      ],
    });
  },
});
