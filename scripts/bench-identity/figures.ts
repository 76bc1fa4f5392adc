import type { Figures } from "./metrics";
import type { Result } from "./run";

/** What every stream has to reach. */
export const FIGURES = {
  pairPrecision: 0.985,
  recallAboveToken: 0.22,
  newWronglyLinked: 0.01,
  newWronglyLinkedIos: 0.003,
};

const NONE: Figures = {
  pairPrecision: 0,
  pairRecall: 0,
  bCubedPrecision: 0,
  bCubedRecall: 0,
  idsPerDevice: 0,
  mergedIds: 0,
  newWronglyLinked: 1,
  newWronglyLinkedBySystem: {},
  recovered: 0,
  tokenless: 0,
};

const wrongShare = ({ newWronglyLinkedBySystem: rows }: Figures, system: string): number => {
  const row = rows[system];
  return row === undefined || row.devices === 0 ? 0 : row.wrong / row.devices;
};

/** The figures that a stream misses, each in a sentence. */
export function checkFigures({ seed, rate, figures }: Result): string[] {
  const {
    imprint = NONE,
    "token only": token = NONE,
    "exact hash": hash = NONE,
    "FP-Stalker rules": rules = NONE,
  } = figures;
  const ios = wrongShare(imprint, "ios");
  const checks: [boolean, string][] = [
    [
      imprint.pairPrecision >= FIGURES.pairPrecision,
      `pair precision ${imprint.pairPrecision.toFixed(4)} below ${FIGURES.pairPrecision}`,
    ],
    [
      imprint.pairRecall >= token.pairRecall + FIGURES.recallAboveToken,
      `pair recall ${imprint.pairRecall.toFixed(4)} below token alone ${token.pairRecall.toFixed(4)} + ${FIGURES.recallAboveToken}`,
    ],
    [
      imprint.newWronglyLinked <= FIGURES.newWronglyLinked,
      `${(imprint.newWronglyLinked * 100).toFixed(2)} % of new devices linked wrongly`,
    ],
    [ios <= FIGURES.newWronglyLinkedIos, `${(ios * 100).toFixed(2)} % of new iOS devices linked wrongly`],
    [
      imprint.pairPrecision > hash.pairPrecision && imprint.pairRecall > hash.pairRecall,
      "not above the exact hash in both",
    ],
    [
      imprint.pairPrecision > rules.pairPrecision && imprint.pairRecall > rules.pairRecall,
      "not above FP-Stalker's rules in both",
    ],
  ];
  return checks.filter(([isMet]) => !isMet).map(([, text]) => `seed ${seed}, rates x${rate}: ${text}`);
}

const COLUMNS: readonly (readonly [title: string, of: (figures: Figures) => string])[] = [
  ["pair P", ({ pairPrecision }) => pairPrecision.toFixed(3)],
  ["pair R", ({ pairRecall }) => pairRecall.toFixed(3)],
  ["B3 P", ({ bCubedPrecision }) => bCubedPrecision.toFixed(3)],
  ["B3 R", ({ bCubedRecall }) => bCubedRecall.toFixed(3)],
  ["ids/device", ({ idsPerDevice }) => idsPerDevice.toFixed(2)],
  ["merged ids", ({ mergedIds }) => `${(mergedIds * 100).toFixed(2)} %`],
  ["new wrong", ({ newWronglyLinked }) => `${(newWronglyLinked * 100).toFixed(2)} %`],
  ["recovered", ({ recovered }) => `${(recovered * 100).toFixed(1)} %`],
];

export function printResult({ seed, rate, devices, visits, figures }: Result): void {
  console.log(`\nSeed ${seed}, change rates x${rate}: ${devices} devices, ${visits} visits`);
  console.log(`${"".padEnd(18)}${COLUMNS.map(([title]) => title.padStart(11)).join("")}`);
  for (const [name, row] of Object.entries(figures))
    console.log(`${name.padEnd(18)}${COLUMNS.map(([, of]) => of(row).padStart(11)).join("")}`);
  const systems = Object.entries(figures["imprint"]?.newWronglyLinkedBySystem ?? {});
  console.log(
    `New devices linked wrongly by imprint: ${systems.map(([name, { wrong, devices: all }]) => `${name} ${wrong} of ${all}`).join(", ")}`,
  );
}
