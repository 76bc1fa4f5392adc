import { CHECK_OPTION, type CleanUp, JSON_OPTION, runCommand, SEED_OPTION } from "../../common/command";
import { printOutcome, textTable } from "../../common/report";
import { type Clock, openClock } from "./clock";
import { growPlace } from "./grow";
import { measureVisit } from "./measure";
import { openPlace } from "./place";

/** Bytes of a visit, in its first month. */
const MAX_DISK_BYTES = 3_500;
const MAX_LOG_BYTES = 6_000;
/** Of doctor's forecast. */
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
    ["bytes of a visit", "rows", "TOAST", "indexes", "all"],
    [
      ...tables.map(({ table, heap, toast, indexes, all }) => [table, heap, toast, indexes, all]),
      ["all tables", "", "", "", diskBytes],
    ],
  ),
  "",
  `Beside them ${transientBytes} in tables whose rows are kept for minutes.`,
  `Written ahead: ${logBytes} after a checkpoint, ${logBytesWithoutImages} without images of pages.`,
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
  ...(diskBytes > MAX_DISK_BYTES ? [`${diskBytes} bytes on the disk, above ${MAX_DISK_BYTES}`] : []),
  ...(logBytes > MAX_LOG_BYTES ? [`${logBytes} bytes written ahead, above ${MAX_LOG_BYTES}`] : []),
  ...(growth?.forecasts ?? []).flatMap(({ afterDays, error }) =>
    Math.abs(error) > MAX_ERROR ? [`the forecast after ${afterDays} days is off by ${percent(error)}`] : [],
  ),
];

await runCommand({
  name: "bench:storage",
  about:
    "Measures what a visit takes on the disk and in the write-ahead log: submissions as browsers send them, most of devices that return, each Report read once, through the service on an embedded server. Then lets two months pass, with the jobs that erase what is over, and compares the database with what doctor forecast in the first days.",
  options: {
    visits: { type: "number", default: 6000, about: "of each of three phases; the first one is not measured" },
    grow: { type: "number", default: 160, min: 0, about: "visits of each of the 62 days; 0 leaves them out" },
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
