import type { Figures, Share } from "./metrics";
import type { Result } from "./run";
import { type WorldName, WORLDS } from "./worlds";

/** Limits for every stream of every world. */
const FIGURES = {
  pairPrecision: 0.985,
  newWronglyLinked: 0.01,
  /** Limit for the upper end of its 95 % interval. */
  newWronglyLinkedUpper: 0.015,
  newWronglyLinkedIos: 0,
};

/** Required recall above that of the token alone; in other worlds it must not be lower. */
const RECALL_ABOVE_TOKEN: Partial<Record<WorldName, number>> = {
  site: 0.15,
  crowd: 0.1,
  "copies-5": 0.1,
  "copies-20": 0.1,
};

const NOTHING: Share = { value: 0, low: 0, high: 0 };
const NONE: Figures = {
  pairPrecision: NOTHING,
  pairRecall: NOTHING,
  bCubedPrecision: 0,
  bCubedRecall: 0,
  idsPerDevice: 0,
  mergedIds: 0,
  newWronglyLinked: { value: 1, low: 1, high: 1 },
  newWronglyLinkedBySystem: {},
  recovered: NOTHING,
  tokenless: 0,
};

const percent = ({ value, low, high }: Share) =>
  `${(value * 100).toFixed(2)} % (${(low * 100).toFixed(2)} to ${(high * 100).toFixed(2)})`;

const nameOf = ({ world, seed, rate }: Result) => `${world}, seed ${seed}, rates x${rate}`;

type Check = readonly [isMet: boolean, text: string];

function checkWorld({ world, figures }: Result): Check[] {
  const { imprint = NONE, "token only": token = NONE } = figures;
  const above = RECALL_ABOVE_TOKEN[world] ?? 0;
  const ios = imprint.newWronglyLinkedBySystem["ios"]?.wrong ?? 0;
  const { pairPrecision, pairRecall, newWronglyLinked } = imprint;
  return [
    [
      pairPrecision.value >= FIGURES.pairPrecision,
      `pair precision ${pairPrecision.value.toFixed(4)} below ${FIGURES.pairPrecision}`,
    ],
    [
      pairRecall.value >= token.pairRecall.value + above,
      `pair recall ${pairRecall.value.toFixed(4)} below token alone ${token.pairRecall.value.toFixed(4)} + ${above}`,
    ],
    [
      newWronglyLinked.value <= FIGURES.newWronglyLinked && newWronglyLinked.high <= FIGURES.newWronglyLinkedUpper,
      `new devices linked wrongly: ${percent(newWronglyLinked)}`,
    ],
    [ios <= FIGURES.newWronglyLinkedIos, `${ios} new iOS devices linked wrongly`],
  ];
}

function checkPeers({ figures: { imprint = NONE, ...others } }: Result): Check[] {
  return ["exact hash", "FP-Stalker rules"].flatMap((name): Check[] => {
    const peer = others[name];
    if (peer === undefined) return [];
    return [[imprint.pairPrecision.value > peer.pairPrecision.value, `pair precision not above that of ${name}`]];
  });
}

/** Descriptions of the limits that a stream misses. */
export const checkFigures = (result: Result): string[] =>
  [...checkWorld(result), ...checkPeers(result)]
    .filter(([isMet]) => !isMet)
    .map(([, text]) => `${nameOf(result)}: ${text}`);

const ranged = ({ value, low, high }: Share) => `${value.toFixed(3)} (${low.toFixed(3)}-${high.toFixed(3)})`;

const COLUMNS: readonly (readonly [title: string, width: number, of: (figures: Figures) => string])[] = [
  ["pair P (95 %)", 22, ({ pairPrecision }) => ranged(pairPrecision)],
  ["pair R (95 %)", 22, ({ pairRecall }) => ranged(pairRecall)],
  ["B3 P", 8, ({ bCubedPrecision }) => bCubedPrecision.toFixed(3)],
  ["B3 R", 8, ({ bCubedRecall }) => bCubedRecall.toFixed(3)],
  ["ids/device", 12, ({ idsPerDevice }) => idsPerDevice.toFixed(2)],
  ["merged ids", 12, ({ mergedIds }) => `${(mergedIds * 100).toFixed(2)} %`],
  ["new wrong (95 %)", 26, ({ newWronglyLinked }) => percent(newWronglyLinked)],
  ["recovered", 11, ({ recovered }) => `${(recovered.value * 100).toFixed(1)} %`],
];

export function printResult(result: Result): void {
  const { world, devices, visits, figures, reliability } = result;
  console.log(`\n${nameOf(result)}: ${devices} devices, ${visits} visits; ${WORLDS[world].about}`);
  console.log(`${"".padEnd(18)}${COLUMNS.map(([title, width]) => title.padStart(width)).join("")}`);
  for (const [name, row] of Object.entries(figures))
    console.log(`${name.padEnd(18)}${COLUMNS.map(([, width, of]) => of(row).padStart(width)).join("")}`);
  const systems = Object.entries(figures["imprint"]?.newWronglyLinkedBySystem ?? {});
  console.log(
    `New devices linked wrongly by imprint: ${systems.map(([name, { wrong, devices: all }]) => `${name} ${wrong} of ${all}`).join(", ")}`,
  );
  const bins = Object.entries(reliability).sort();
  console.log(
    `Links by evidence, right of all: ${bins.map(([confidence, { right, links }]) => `at ${confidence} ${right} of ${links}`).join(", ") || "none"}`,
  );
}

/** Confidence against outcome over all streams: the stated confidence, and how often the link was right. */
export function printReliability(results: readonly Result[]): void {
  const bins: Record<string, { links: number; right: number }> = {};
  for (const { reliability } of results)
    for (const [confidence, { links, right }] of Object.entries(reliability)) {
      const bin = (bins[confidence] ??= { links: 0, right: 0 });
      bin.links += links;
      bin.right += right;
    }
  console.log("\nStated confidence, links, correct");
  for (const [confidence, { links, right }] of Object.entries(bins).sort())
    console.log(`${confidence.padEnd(8)}${String(links).padStart(8)}${(right / links).toFixed(4).padStart(9)}`);
}
