import { CHECK_OPTION, JSON_OPTION, progress, runCommand } from "../../common/command";
import { printOutcome, textTable } from "../../common/report";
import { runBench } from "./run";

await runCommand({
  name: "bench:explorer",
  about: "Measures what the Console's pages for exploring visits read, on a workspace with many of them.",
  options: {
    visits: { type: "number", default: 1_000_000, about: "visits of the workspace, over 90 days" },
    runs: { type: "number", default: 12, about: "reads of each page" },
    database: {
      type: "string",
      value: "URL",
      about: "an empty database, which is filled and kept, or one of an earlier run (default: one of its own, removed)",
    },
    only: { type: "string", value: "TEXT", about: "reads whose title has this text" },
    json: JSON_OPTION,
    check: CHECK_OPTION,
  },
  async run(values) {
    const result = await runBench({ ...values, url: values.database, progress });
    return printOutcome(values, {
      result,
      misses: result.rows.flatMap(({ title, firstMs, p99Ms, limitMs }) => [
        ...(firstMs === undefined ? [`${title}: the first read ended by the deadline of a statement`] : []),
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
