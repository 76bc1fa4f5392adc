import { CHECK_OPTION, JSON_OPTION, runCommand, SEED_OPTION } from "../../common/command";
import { printOutcome, textTable } from "../../common/report";
import { runGrowth, type TableGrowth } from "./run";

/** Maximum ratio of a table's size to its size after a rewrite; small tables consist of a few pages in any case. */
const MAX_BLOAT = 2;
const SMALL_BYTES = 512 * 1024;
/** Maximum ratio of submission p99 with 80 % in one workspace to p99 with an even spread. */
const MAX_SKEW_RATIO = 1.5;

const isBloated = ({ bytes, leastBytes }: TableGrowth) => bytes > SMALL_BYTES && bytes > leastBytes * MAX_BLOAT;

await runCommand({
  name: "bench:growth",
  about:
    "Puts constant load from returning devices on a service with an embedded server. Autovacuum and the counting jobs run as often per visit as in a day with 20 visits per second. Measures how much larger frequently updated tables are than after a rewrite, which indexes were never read, and whether submissions are as fast when one workspace has 80 % of them.",
  options: {
    visits: {
      type: "number",
      default: 8000,
      min: 100,
      about: "number of visits, half evenly spread and half skewed, after a warm-up of a quarter as many",
    },
    seed: SEED_OPTION,
    json: JSON_OPTION,
    check: CHECK_OPTION,
  },
  async run(values, cleanUp) {
    const result = await runGrowth(values, cleanUp);
    const { even, skewed, tables, unused } = result;
    return printOutcome(values, {
      result,
      misses: [
        ...tables
          .filter(isBloated)
          .map(({ table, bytes, leastBytes }) => `${table}: ${(bytes / leastBytes).toFixed(1)} x`),
        ...(skewed.p99Ms > even.p99Ms * MAX_SKEW_RATIO
          ? [`one hot workspace: p99 ${skewed.p99Ms.toFixed(1)} ms, evenly spread ${even.p99Ms.toFixed(1)}`]
          : []),
      ],
      lines: () => [
        ...textTable(
          ["table", "updates", "without index", "vacuums", "kB", "kB rewritten", "x"],
          tables.map(({ table, updates, hot, vacuums, bytes, leastBytes }) => [
            ...[table, updates, `${(hot * 100).toFixed(0)} %`, vacuums],
            ...[Math.round(bytes / 1024), Math.round(leastBytes / 1024), (bytes / leastBytes).toFixed(2)],
          ]),
        ),
        "",
        ...textTable(
          ["submissions", "p50 ms", "p99 ms"],
          Object.entries({ evenly: even, "80 % in one workspace": skewed }).map(([name, { p50Ms, p99Ms }]) => [
            name,
            p50Ms.toFixed(1),
            p99Ms.toFixed(1),
          ]),
        ),
        "",
        `Indexes never read: ${unused.map(({ index, bytes }) => `${index} (${Math.round(bytes / 1024)} kB)`).join(", ")}`,
      ],
    });
  },
});
