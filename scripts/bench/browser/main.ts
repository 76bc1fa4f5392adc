import { mkdtemp, readFile, rm } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";

import { build } from "esbuild";
import { type Browser, chromium } from "playwright-core";

import { ROOT } from "../../build/layout.mjs";
import { CHECK_OPTION, JSON_OPTION, progress, runCommand } from "../../common/command";
import { markdownTable, median, quantile } from "../../common/report";
import { buildComponent } from "../../component/build.mjs";
import { findChromium } from "../../test/chromium.mjs";
import { type MainThread, measureMainThread, measureTime, measuringScript, THROTTLING } from "./main-thread";
import { PEERS } from "./peers";
import { startSite } from "./service";

const OWN = "Imprint";
const RIVAL = "FingerprintJS";
const FIGURES = { brotliBytes: 6000, payloadBytes: 4096, medianMs: 150, medianToRival: 0.6, longestTaskMs: 50 };

const CHROMIUM_ARGS = [
  "--no-sandbox",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

type Subject = { name: string; version: string; script: string; measure: string };
type Sample = { ms: number; bytes: number; readyMs: number; mainThread: MainThread };
/** The component locates its service by its script URL. */
const scriptPath = ({ name }: Subject) => (name === OWN ? "/v1/imprint.js" : `/${name}.js`);

type Bench = { browser: Browser; site: Awaited<ReturnType<typeof startSite>> };

async function buildOwn(): Promise<Subject> {
  const outDir = await mkdtemp(join(tmpdir(), "imprint-bench-"));
  try {
    const { version } = await buildComponent({ outDir });
    const script = await readFile(join(outDir, "v1/imprint.js"), "utf8");
    const measure = `globalThis.measure = () => Imprint.createImprint({ environmentId: "env_${"0".repeat(32)}" }).run();`;
    return { name: OWN, version, script, measure };
  } finally {
    await rm(outDir, { recursive: true });
  }
}

async function buildPeer({ name, package: packageName, source }: (typeof PEERS)[number]): Promise<Subject> {
  const manifest = await readFile(join(ROOT, "node_modules", packageName, "package.json"), "utf8");
  const { version } = JSON.parse(manifest) as { version: string }; // safe: every package has one
  const result = await build({
    stdin: { contents: source, resolveDir: ROOT },
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    target: "es2020",
    legalComments: "none",
  });
  return { name, version, script: result.outputFiles[0]?.text ?? "", measure: "/* The bundle has set it. */" };
}

/** Path of a page that measures one subject in isolation. */
const ownPagePath = ({ name }: Subject) => `/alone/${name}`;

const ownPage = (subject: Subject, settleMs: number) =>
  [
    "<!doctype html><title>Bench</title><body><p>Bench</p>",
    `<script src="${scriptPath(subject)}"></script><script>${subject.measure}</script>`,
    `<script>${measuringScript(settleMs)}</script>`,
  ].join("\n");

async function measureOnce({ browser, site }: Bench, subject: Subject): Promise<Sample> {
  const url = `${site.origin}${ownPagePath(subject)}`;
  const { ms, bytes } = await measureTime(browser, url, site.nextMeasured());
  const own = subject.name === OWN ? site.lastSubmission() : { bytes, readyMs: ms };
  return { ms, ...own, mainThread: await measureMainThread(browser, url, site.nextMeasured()) };
}

const round = (value: number) => Math.round(value * 10) / 10;

/** Medians of the throttled runs. */
const mainThreadOf = (samples: readonly Sample[]) => {
  const of = (name: keyof MainThread) => round(median(samples.map(({ mainThread }) => mainThread[name])));
  return { longestTaskMs: of("longestTaskMs"), blockingMs: of("blockingMs"), mainThreadMs: of("totalMs") };
};

function summarise({ name, version, script }: Subject, samples: readonly Sample[]) {
  const times = samples.map(({ ms }) => ms);
  return {
    name,
    version,
    minifiedBytes: Buffer.byteLength(script),
    gzipBytes: gzipSync(script, { level: 9 }).length,
    brotliBytes: brotliCompressSync(script).length,
    payloadBytes: Math.max(...samples.map(({ bytes }) => bytes)),
    medianMs: round(median(times)),
    minMs: round(Math.min(...times)),
    p95Ms: round(quantile(times, 0.95)),
    /** Median time until there is something to submit; peers submit nothing. */
    readyMs: round(median(samples.map(({ readyMs }) => readyMs))),
    ...mainThreadOf(samples),
  };
}
type Row = ReturnType<typeof summarise>;

/** Measures every subject in each run, rotating the order by one. */
async function measureAll(browser: Browser, subjects: readonly Subject[], runs: number, settleMs: number) {
  const scripts = subjects.map((subject): [string, string] => [scriptPath(subject), subject.script]);
  const pages = subjects.map((subject): [string, string] => [ownPagePath(subject), ownPage(subject, settleMs)]);
  const site = await startSite(Object.fromEntries(scripts), Object.fromEntries(pages));
  const bench = { browser, site };
  const measured = subjects.map((subject) => ({ subject, samples: [] as Sample[] }));
  try {
    for (const subject of subjects) await measureOnce(bench, subject);
    for (let run = 0; run < runs; run += 1) {
      const first = run % subjects.length;
      for (const { subject, samples } of [...measured.slice(first), ...measured.slice(0, first)]) {
        progress(`round ${run + 1} of ${runs}: ${subject.name}`);
        samples.push(await measureOnce(bench, subject));
      }
    }
  } finally {
    await site.close();
  }
  return measured.map(({ subject, samples }) => summarise(subject, samples));
}

function compareFigures(rows: readonly Row[]) {
  const medianOf = (name: string) => rows.find((row) => row.name === name)?.medianMs ?? Number.NaN;
  const ratio = medianOf(OWN) / medianOf(RIVAL);
  const own = rows.find(({ name }) => name === OWN);
  const figure = (text: string, value = Number.NaN, most: number) => ({
    figure: text,
    value: Math.round(value * 100) / 100,
    isMet: value <= most,
  });
  return [
    figure(`brotli <= ${FIGURES.brotliBytes} B`, own?.brotliBytes, FIGURES.brotliBytes),
    figure(`payload <= ${FIGURES.payloadBytes} B`, own?.payloadBytes, FIGURES.payloadBytes),
    figure(`median <= ${FIGURES.medianMs} ms`, own?.medianMs, FIGURES.medianMs),
    figure(
      `longest task <= ${FIGURES.longestTaskMs} ms, CPU ${THROTTLING} times slower`,
      own?.longestTaskMs,
      FIGURES.longestTaskMs,
    ),
    figure(`median <= ${FIGURES.medianToRival} x ${RIVAL}`, ratio, FIGURES.medianToRival),
  ];
}

const tableOf = (rows: readonly Row[]) =>
  markdownTable(
    [
      "library",
      "min B",
      "gzip",
      "brotli",
      "median ms",
      "min",
      "p95",
      "ready ms",
      "payload B",
      "longest task ms",
      "blocking ms",
      "main thread ms",
    ],
    rows.map((row) => [
      ...[`${row.name} ${row.version}`, row.minifiedBytes, row.gzipBytes, row.brotliBytes],
      ...[row.medianMs, row.minMs, row.p95Ms, row.readyMs, row.payloadBytes],
      ...[row.longestTaskMs, row.blockingMs, row.mainThreadMs],
    ]),
  );

await runCommand({
  name: "bench:browser",
  about:
    "Compares the browser component with its peers: same page, same browser, rotating order, a fresh context each time, whose window has become quiet, nothing attached to the page. The last three columns come from a second run with the CPU throttled 4 times: the longest main-thread task, the total time by which tasks exceed 50 ms, and the total time of all tasks.",
  options: {
    runs: { type: "number", default: 20, about: "runs per library" },
    settle: {
      type: "number",
      default: 500,
      min: 0,
      value: "MS",
      about:
        "wait after page load before each run, as people sign in on loaded pages. With 0, every library also pays for the browser's remaining work on the new page",
    },
    json: JSON_OPTION,
    check: CHECK_OPTION,
  },
  async run(values, cleanUp) {
    const { runs, settle: settleMs } = values;
    progress("building");
    const subjects = [await buildOwn(), ...(await Promise.all(PEERS.map(buildPeer)))];
    const browser = await chromium.launch({ executablePath: await findChromium(), args: CHROMIUM_ARGS });
    cleanUp.push(() => browser.close());
    const rows = await measureAll(browser, subjects, runs, settleMs);
    const figures = compareFigures(rows);
    const about = { date: new Date().toISOString().slice(0, 10), browser: browser.version(), cpuCount: cpus().length };
    if (values.json) console.log(JSON.stringify({ ...about, runs, settleMs, rows, figures }));
    else {
      const title = `Browser component and peers, ${about.date}, Chromium ${about.browser}, ${about.cpuCount} cores, ${runs} runs each, ${settleMs} ms after page load`;
      const results = figures.map(({ figure, value, isMet }) => `${isMet ? "met   " : "MISSED"} ${figure}: ${value}`);
      console.log(["", title, "", ...tableOf(rows), "", ...results].join("\n"));
    }
    return values.check && figures.some(({ isMet }) => !isMet) ? 1 : 0;
  },
});
