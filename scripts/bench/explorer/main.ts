import { CHECK_OPTION, JSON_OPTION, progress, runCommand, wholeNumber } from "../../common/command";
import { printOutcome, textTable } from "../../common/report";
import { runBench } from "./run";

/** Every read ends within this, less than half of the deadline that the database keeps. */
const MAX_MS = 2_000;

await runCommand({
  name: "bench:explorer",
  about: "Measures what the Console's pages for exploring visits read, on a workspace with a million of them.",
  options: {
    visits: { type: "string", default: "1000000", value: "N", about: "visits of the workspace, over 90 days" },
    runs: { type: "string", default: "12", value: "N", about: "reads of each page" },
    json: JSON_OPTION,
    check: CHECK_OPTION,
  },
  async run(values) {
    const result = await runBench({
      visits: wholeNumber("visits", values.visits),
      runs: wholeNumber("runs", values.runs),
      progress,
    });
    return printOutcome(values, {
      result,
      misses: result.rows
        .filter(({ maxMs }) => maxMs > MAX_MS)
        .map(({ title, maxMs }) => `${title}: ${maxMs} ms, above ${MAX_MS}`),
      lines: () =>
        textTable(
          [`${result.visits} visits`, "p50 ms", "p99 ms", "max ms"],
          result.rows.map(({ title, p50Ms, p99Ms, maxMs }) => [title, p50Ms, p99Ms, maxMs]),
        ),
    });
  },
});
