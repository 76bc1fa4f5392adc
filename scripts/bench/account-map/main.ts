import { CHECK_OPTION, JSON_OPTION, progress, runCommand, SEED_OPTION } from "../../common/command";
import { printOutcome, textTable } from "../../common/report";
import { runBench } from "./run";

/** p99 limits in milliseconds at a million links. */
const MAX_P99_MS: Readonly<Record<string, number>> = { typical: 10, hotDevice: 50 };

await runCommand({
  name: "bench:account-map",
  about: "Checks Account Map against its definition with 50 concurrent clients, then measures its speed on many links.",
  options: {
    seeds: {
      type: "number",
      default: 100,
      about: "number of seeds, of about 4,000 links each, checked against the definition",
    },
    seed: { ...SEED_OPTION, about: "first seed, also used to generate the measured links" },
    links: { type: "number", default: 1_000_000, about: "number of links in the measured table" },
    samples: { type: "number", default: 2000, about: "measured links in the typical case" },
    json: JSON_OPTION,
    check: CHECK_OPTION,
  },
  async run(values) {
    const result = await runBench({ ...values, progress });
    const { seeds, calls, aborted, checked, compared, violations } = result.correctness;
    return printOutcome(values, {
      result,
      misses: [
        ...violations.slice(0, 10),
        ...result.cases.flatMap(({ name, title, p99Ms }) => {
          const most = MAX_P99_MS[name] ?? Number.POSITIVE_INFINITY;
          return p99Ms > most ? [`${title}: p99 ${p99Ms} ms, above ${most} ms`] : [];
        }),
      ],
      lines: () => [
        `${seeds} seeds, 50 connections: ${calls} links, ${aborted} of them aborted once`,
        `${checked} answers within their bounds while running, ${compared} compared afterwards: ${violations.length} violations`,
        "",
        ...textTable(
          [`Among ${result.links} links`, "related rows", "runs", "p50 ms", "p99 ms", "max ms"],
          result.cases.map(({ title, related, runs, p50Ms, p99Ms, maxMs }) => {
            return [title, related === 0 ? "-" : related, runs, p50Ms, p99Ms, maxMs];
          }),
        ),
      ],
    });
  },
});
