import { CHECK_OPTION, type CleanUp, JSON_OPTION, runCommand, SEED_OPTION } from "../../common/command";
import { printOutcome, textTable } from "../../common/report";
import { type Clock, openClock } from "./clock";
import { growPlace } from "./grow";
import { measureVisit } from "./measure";
import { openPlace } from "./place";

/** Maximum bytes per visit, in its first month. */
const MAX_DISK_BYTES = 3_500;
const MAX_LOG_BYTES = 6_000;
/** Maximum error of doctor's forecast. */
const MAX_ERROR = 0.2;

type Visit = Awaited<ReturnType<typeof measureVisit>>;
type Growth = Awaited<ReturnType<typeof growPlace>>;

async function grow(cleanUp: CleanUp, seed: number, visitsPerDay: number): Promise<Growth> {
  let clock: Clock | undefined;
  const place = await openPlace(cleanUp, seed, async (admin) => {
    clock = await openClock(admin);
  });
  if (!clock) throw new Error("the clock was not opened");
  return growPlace(place, clock, visitsPerDay);
}

const percent = (share: number) => `${share < 0 ? "" : "+"}${(share * 100).toFixed(0)} %`;
const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1);

const linesOfVisit = ({ tables, diskBytes, transientBytes, logBytes, logBytesWithoutImages }: Visit) => [
  ...textTable(
    ["bytes per visit", "rows", "TOAST", "indexes", "all"],
    [
      ...tables.map(({ table, heap, toast, indexes, all }) => [table, heap, toast, indexes, all]),
      ["all tables", "", "", "", diskBytes],
    ],
  ),
  "",
  `In addition ${transientBytes} bytes in tables whose rows are kept for minutes.`,
  `Write-ahead log: ${logBytes} bytes after a checkpoint, ${logBytesWithoutImages} without full-page images.`,
];

const linesOfGrowth = ({ days, visitsPerDay, retentionDays, signalsRetentionDays, mostBytes, forecasts }: Growth) => [
  "",
  `${days} days of ${visitsPerDay} visits, kept ${retentionDays} days, raw signals ${signalsRetentionDays}: at most ${megabytes(mostBytes)} MB.`,
  ...textTable(
    ["forecast by doctor", "MB", "error"],
    forecasts.map(({ afterDays, bytes, error }) => [`after ${afterDays} days`, megabytes(bytes), percent(error)]),
  ),
];

const missesOf = ({ diskBytes, logBytes }: Visit, growth: Growth | undefined) => [
  ...(diskBytes > MAX_DISK_BYTES ? [`${diskBytes} bytes on disk, above ${MAX_DISK_BYTES}`] : []),
  ...(logBytes > MAX_LOG_BYTES ? [`${logBytes} bytes of write-ahead log, above ${MAX_LOG_BYTES}`] : []),
  ...(growth?.forecasts ?? []).flatMap(({ afterDays, error }) =>
    Math.abs(error) > MAX_ERROR ? [`the forecast after ${afterDays} days is off by ${percent(error)}`] : [],
  ),
];

await runCommand({
  name: "bench:storage",
  about:
    "Measures the disk space and write-ahead log of a visit: realistic submissions, mostly from returning devices, each Report read once, through the service on an embedded server. Then simulates two months, including the jobs that erase expired data, and compares the database size with doctor's forecasts of the first days.",
  options: {
    visits: { type: "number", default: 6000, about: "visits in each of three phases; the first is a warm-up" },
    grow: { type: "number", default: 160, min: 0, about: "visits on each of the 62 simulated days; 0 skips them" },
    seed: SEED_OPTION,
    json: JSON_OPTION,
    check: CHECK_OPTION,
  },
  async run(values, cleanUp) {
    const { seed } = values;
    const visit = await measureVisit(await openPlace(cleanUp, seed), values.visits);
    const visitsPerDay = values.grow;
    const growth = visitsPerDay === 0 ? undefined : await grow(cleanUp, seed, visitsPerDay);
    return printOutcome(values, {
      result: { visit, growth },
      misses: missesOf(visit, growth),
      lines: () => [...linesOfVisit(visit), ...(growth ? linesOfGrowth(growth) : [])],
    });
  },
});
