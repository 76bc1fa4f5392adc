import { CHECK_OPTION, JSON_OPTION, progress, runCommand } from "../../common/command";
import { printOutcome, textTable } from "../../common/report";
import { runBench } from "./run";

await runCommand({
  name: "bench:explorer",
  about: "Measures the queries of the Console pages for exploring visits, on a workspace with many visits.",
  options: {
    visits: { type: "number", default: 1_000_000, about: "visits in the workspace, over 90 days" },
    runs: { type: "number", default: 12, about: "reads per page" },
    database: {
      type: "string",
      value: "URL",
      about: "an empty database, which is filled and kept, or one from an earlier run (default: a temporary one)",
    },
    only: { type: "string", value: "TEXT", about: "only measure reads whose title contains this text" },
    json: JSON_OPTION,
    check: CHECK_OPTION,
  },
  async run(values) {
    const result = await runBench({ ...values, url: values.database, progress });
    return printOutcome(values, {
      result,
      misses: result.rows.flatMap(({ title, firstMs, p99Ms, limitMs }) => [
        ...(firstMs === undefined ? [`${title}: the first read hit the statement deadline`] : []),
        ...(p99Ms > limitMs ? [`${title}: ${p99Ms} ms, above ${limitMs}`] : []),
      ]),
      lines: () =>
        textTable(
          [`${result.visits} visits`, "first ms", "p50 ms", "p99 ms", "max ms", "limit ms"],
          result.rows.map(({ title, firstMs, p50Ms, p99Ms, maxMs, limitMs }) => [
            title,
            firstMs ?? "too long",
            p50Ms,
            p99Ms,
            maxMs,
            limitMs,
          ]),
        ),
    });
  },
});
