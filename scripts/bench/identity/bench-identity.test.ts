import { expect, test } from "vitest";

import { checkFigures } from "./figures";
import { similarity, stalkerLinker } from "./fp-stalker";
import { replayRows } from "./fp-stalker-dump";
import { measure } from "./metrics";
import { seededRandom } from "../../common/random";
import { runStream } from "./run";
import { readSqlRows } from "./sql-dump";

const quiet = () => undefined;

test(
  "a world of identical machines of different people does not lower precision, and recall is never below the token's",
  { timeout: 240_000 },
  async () => {
    for (const world of ["companies", "internet-cafe", "pairs"] as const) {
      const result = await runStream({ world, seed: 33, rate: 1.5, devices: 250 }, quiet, ["imprint", "token only"]);
      expect(result.visits).toBeGreaterThan(2_000);
      expect(result.figures["imprint"]?.newWronglyLinkedBySystem).toEqual(
        result.figures["token only"]?.newWronglyLinkedBySystem,
      );
      expect(checkFigures(result).filter((miss) => !miss.includes("linked wrongly"))).toEqual([]);
    }
  },
);

test("an ordinary site learns to link, without a wrong link", { timeout: 240_000 }, async () => {
  const result = await runStream({ world: "site", seed: 34, rate: 1, devices: 1_500 }, quiet, [
    "imprint",
    "token only",
  ]);
  const { imprint, "token only": token } = result.figures;
  expect(imprint?.newWronglyLinked.value).toBeLessThan(0.005);
  expect(imprint?.pairPrecision.value).toBeGreaterThan(0.995);
  expect((imprint?.pairRecall.value ?? 0) - (token?.pairRecall.value ?? 1)).toBeGreaterThan(0.1);
  expect(token).toMatchObject({ newWronglyLinked: { value: 0 }, recovered: { value: 0 } });
});

test("a stream with merged or split devices is reported as a miss", async () => {
  const result = await runStream({ world: "site", seed: 23, rate: 1, devices: 60 }, quiet);
  const { imprint, ...others } = result.figures;
  const swapped = { ...result, figures: { ...others, imprint: result.figures["exact hash"] ?? imprint } };
  expect(checkFigures(swapped as typeof result).join("\n")).toContain("linked wrongly");
  const split = { ...result, figures: { ...others, imprint: result.figures["token only"] ?? imprint } };
  expect(checkFigures(split as typeof result).join("\n")).toContain("pair recall");
});

test("the same seed gives the same stream and the same figures", async () => {
  const run = async () => JSON.stringify(await runStream({ world: "site", seed: 24, rate: 1, devices: 40 }, quiet));
  expect(await run()).toBe(await run());
});

test("pairs, B-cubed and first visits are counted as defined", () => {
  const row = (device: number, id: number, isFirst = false, hasKnownToken = true) => ({
    device,
    id,
    isFirst,
    hasKnownToken,
    system: "ios",
  });
  // Device 1 is split over ids 1 and 2; id 2 also got device 2.
  const figures = measure([row(1, 1, true), row(1, 1), row(1, 2, false, false), row(2, 2, true), row(2, 2), row(2, 2)]);
  expect(figures.pairPrecision.value).toBeCloseTo((1 + 3) / (1 + 6));
  expect(figures.pairRecall.value).toBeCloseTo((1 + 3) / (3 + 3));
  expect(figures.bCubedPrecision).toBeCloseTo((2 * 1 + 1 / 4 + 3 * (3 / 4)) / 6);
  expect(figures).toMatchObject({
    mergedIds: 0.5,
    newWronglyLinked: { value: 0.5 },
    recovered: { value: 0 },
    tokenless: 1,
    idsPerDevice: 1.5,
  });
});

test("random numbers are determined by the seed, uniform and within bounds", () => {
  const random = seededRandom(5);
  const drawn = Array.from({ length: 20_000 }, () => random.next());
  expect(Math.min(...drawn)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...drawn)).toBeLessThan(1);
  expect(drawn.reduce((sum, value) => sum + value, 0) / drawn.length).toBeCloseTo(0.5, 1);
  expect(seededRandom(5).next()).toBe(seededRandom(5).next());
});

test("similarity equals that of python-Levenshtein", () => {
  expect(similarity("lewenstein", "levenshtein")).toBeCloseTo(0.857, 3);
  expect(similarity("", "")).toBe(1);
  expect(similarity("abc", "xyz")).toBe(0);
});

test("FP-Stalker's rules link an update, refuse a changed canvas and give an ambiguous print a new id", () => {
  const link = stalkerLinker();
  const print = {
    system: "Linux",
    platform: "Linux",
    browser: "Firefox",
    version: 60,
    fixed: "a",
    similar: ["Firefox 60"],
    free: ["x"],
  };
  const first = link(print, 0);
  expect(link(print, 1)).toBe(first);
  expect(link({ ...print, version: 61, similar: ["Firefox 61"] }, 2)).toBe(first);
  expect(link({ ...print, version: 59 }, 3)).not.toBe(first);
  expect(link({ ...print, fixed: "b" }, 3)).not.toBe(first);
});

const COLUMNS = ["id", "creationDate", "userAgentHttp", "osDetailed", "platformJS", "canvasJSHashed", "languageHttp"];
const dump = (tuples: string[]) =>
  `CREATE TABLE \`fingerprints\` (\n${COLUMNS.map((name) => `  \`${name}\` text,`).join("\n")}\n  PRIMARY KEY (\`id\`)\n);\nINSERT INTO \`fingerprints\` VALUES ${tuples.join(",")};\n`;

test("rows of a MySQL dump are read with quotes, escapes and NULL", () => {
  const rows = readSqlRows(dump([`('it''s', '2016-01-01 00:00:00', 'a\\'b\\\\c,(d)', NULL, 'x', 'y', 1)`]));
  expect(rows).toEqual([
    {
      id: "it's",
      creationDate: "2016-01-01 00:00:00",
      userAgentHttp: "a'b\\c,(d)",
      osDetailed: null,
      platformJS: "x",
      canvasJSHashed: "y",
      languageHttp: "1",
    },
  ]);
});

test("a replayed dump shows how long each linker tracks a browser", () => {
  const agent = "Mozilla/5.0 (X11; Linux x86_64; rv:60.0) Gecko/20100101 Firefox/60.0";
  const days = Array.from({ length: 20 }, (_, index) =>
    new Date(Date.UTC(2016, 0, 1 + index * 2)).toISOString().slice(0, 10),
  );
  const tuples = ["a", "b"].flatMap((id) =>
    days.map(
      (day, index) =>
        `('${id}', '${day} 00:00:00', '${agent}', 'Linux 4', 'Linux', '${id}', '${index < 15 ? "en" : "en-US"}')`,
    ),
  );
  const { browsers, rows } = replayRows(readSqlRows(dump(tuples)), () => undefined);
  expect(browsers).toBe(2);
  const of = (linker: string) => rows.find((row) => row.linker === linker && row.everyDays === 2);
  expect(of("exact hash")).toMatchObject({ idsPerBrowser: 2, ownership: 1 });
  expect(of("FP-Stalker rules")?.ownership).toBe(1);
});
