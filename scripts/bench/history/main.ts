import { CHECK_OPTION, JSON_OPTION, progress, runCommand } from "../../common/command";
import { printOutcome, textTable } from "../../common/report";
import { runBench } from "./run";

/**
 * Maximum page reads of a busy device relative to a quiet one: its indexes are deeper, and the quiet one has days
 * without visits.
 */
const MAX_PAGES_RATIO = 3;

await runCommand({
  name: "bench:history",
  about: "Compares History on a device with a million visits with one with a hundred, and with counting every visit.",
  options: {
    events: { type: "number", default: 1_000_000, about: "visits of the busy device, over 90 days" },
    runs: { type: "number", default: 400, about: "reads per range" },
    json: JSON_OPTION,
    check: CHECK_OPTION,
  },
  async run(values) {
    const { rows } = await runBench({ ...values, progress });
    const byPosition = rows.filter(({ title }) => title === "by position");
    const misses = byPosition
      .filter(({ events, days, pages }) => {
        const quiet = byPosition.find((row) => row.days === days && row.events < events);
        return quiet !== undefined && pages > MAX_PAGES_RATIO * quiet.pages;
      })
      .map(
        ({ days, pages }) =>
          `${days} days: ${pages} pages on the busy device, more than ${MAX_PAGES_RATIO} x the quiet one`,
      );
    return printOutcome(values, {
      result: { rows },
      misses,
      lines: () =>
        textTable(
          ["", "visits", "days", "rows read", "pages", "p50 ms", "p99 ms"],
          rows.map(({ title, events, days, rowsRead, pages, p50Ms, p99Ms }) => {
            return [title, events, days, rowsRead, pages, p50Ms, p99Ms];
          }),
        ),
    });
  },
});
