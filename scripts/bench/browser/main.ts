/**
 * Compares the browser component with its peers: same page, same browser, order rotated, a fresh context each time.
 *
 *   npm run bench:browser -- [--runs 20] [--settle 500] [--json] [--check]
 *
 * `--settle` is for how many milliseconds a page has stood before it runs: people sign in on pages that have loaded.
 * With 0, every library also pays for what the browser still does for the new page.
 * `--json` prints one JSON object on stdout; `--check` exits 1 when a figure is missed.
 */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { brotliCompressSync, gzipSync } from "node:zlib";

import { build } from "esbuild";
import { chromium } from "playwright-core";

import { PEERS } from "./bench-browser/peers.mjs";
import { startService } from "./bench-browser/service.mjs";
import { buildComponent } from "./build-component.mjs";
import { findChromium } from "./test/chromium.mjs";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..");
const OWN = "Imprint";
const RIVAL = "FingerprintJS";
const FIGURES = { brotliBytes: 6000, payloadBytes: 4096, medianMs: 150, medianToRival: 0.6 };

const CHROMIUM_ARGS = [
  "--no-sandbox",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

const { values: options } = parseArgs({
  options: {
    runs: { type: "string", default: "20" },
    settle: { type: "string", default: "500" },
    json: { type: "boolean" },
    check: { type: "boolean" },
  },
});
const runs = Number(options.runs);
if (!Number.isInteger(runs) || runs < 1) throw new Error("--runs must be a whole number above 0.");
const settleMs = Number(options.settle);
if (!Number.isInteger(settleMs) || settleMs < 0) throw new Error("--settle must be a whole number of milliseconds.");

const progress = (text) => process.stderr.write(process.stderr.isTTY ? `\r${text.padEnd(60)}` : `${text}\n`);

const buildOwn = async () => {
  const outDir = await mkdtemp(join(tmpdir(), "imprint-bench-"));
  try {
    const { version } = await buildComponent({ outDir });
    const script = await readFile(join(outDir, "v1/imprint.js"), "utf8");
    const measure = `globalThis.measure = () => Imprint.createImprint({ environmentId: "env_${"0".repeat(32)}" }).run();`;
    return { name: OWN, version, script, measure };
  } finally {
    await rm(outDir, { recursive: true });
  }
};

const buildPeer = async ({ name, package: packageName, source }) => {
  const { version } = JSON.parse(await readFile(join(ROOT, "node_modules", packageName, "package.json"), "utf8"));
  const result = await build({
    stdin: { contents: source, resolveDir: ROOT },
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    target: "es2020",
    legalComments: "none",
  });
  return { name, version, script: result.outputFiles[0].text, measure: "/* The bundle has set it. */" };
};

const measureOnce = async (browser, service, subject) => {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.goto(service.origin);
    await page.addScriptTag({ url: `/${subject.name}.js` });
    await page.addScriptTag({ content: subject.measure });
    await page.waitForTimeout(settleMs);
    const { ms, bytes } = await page.evaluate(async () => {
      const startedMs = performance.now();
      const result = await globalThis.measure();
      const ms = performance.now() - startedMs;
      return { ms, bytes: new Blob([JSON.stringify(result)]).size };
    });
    return { ms, ...(subject.name === OWN ? service.lastSubmission() : { bytes, readyMs: ms }) };
  } finally {
    await context.close();
  }
};

const quantile = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? NaN;
const medianOf = (sorted) => (quantile(sorted, 0.5) + sorted[Math.floor(sorted.length / 2)]) / 2;
const ascending = (values) => [...values].sort((a, b) => a - b);
const round = (value) => Math.round(value * 10) / 10;

const summarise = ({ name, version, script }, samples) => {
  const sorted = ascending(samples.map(({ ms }) => ms));
  return {
    name,
    version,
    minifiedBytes: Buffer.byteLength(script),
    gzipBytes: gzipSync(script, { level: 9 }).length,
    brotliBytes: brotliCompressSync(script).length,
    payloadBytes: Math.max(...samples.map(({ bytes }) => bytes)),
    medianMs: round(medianOf(sorted)),
    minMs: round(sorted[0]),
    p95Ms: round(quantile(sorted, 0.95)),
    /** Median until there is something to submit; a peer submits nothing. */
    readyMs: round(medianOf(ascending(samples.map(({ readyMs }) => readyMs)))),
  };
};

const measureAll = async (browser, service, subjects) => {
  const samples = Object.fromEntries(subjects.map(({ name }) => [name, []]));
  for (const subject of subjects) await measureOnce(browser, service, subject);
  for (let run = 0; run < runs; run++) {
    for (let i = 0; i < subjects.length; i++) {
      const subject = subjects[(run + i) % subjects.length];
      progress(`round ${run + 1} of ${runs}: ${subject.name}`);
      samples[subject.name].push(await measureOnce(browser, service, subject));
    }
  }
  progress("");
  return subjects.map((subject) => summarise(subject, samples[subject.name]));
};

const judge = (rows) => {
  const own = rows.find(({ name }) => name === OWN);
  const ratio = own.medianMs / rows.find(({ name }) => name === RIVAL).medianMs;
  return [
    {
      figure: `brotli <= ${FIGURES.brotliBytes} B`,
      value: own.brotliBytes,
      isMet: own.brotliBytes <= FIGURES.brotliBytes,
    },
    {
      figure: `payload <= ${FIGURES.payloadBytes} B`,
      value: own.payloadBytes,
      isMet: own.payloadBytes <= FIGURES.payloadBytes,
    },
    { figure: `median <= ${FIGURES.medianMs} ms`, value: own.medianMs, isMet: own.medianMs <= FIGURES.medianMs },
    {
      figure: `median <= ${FIGURES.medianToRival} x ${RIVAL}`,
      value: Math.round(ratio * 100) / 100,
      isMet: ratio <= FIGURES.medianToRival,
    },
  ];
};

const printTable = ({ date, browser, cpuCount, rows, figures }) => {
  console.log(
    `\nBrowser component and peers, ${date}, Chromium ${browser}, ${cpuCount} cores, ${runs} runs each, ${settleMs} ms after the page has loaded\n`,
  );
  console.log("| library | min B | gzip | brotli | median ms | min | p95 | ready ms | payload B |");
  console.log("|---|---|---|---|---|---|---|---|---|");
  for (const row of rows)
    console.log(
      `| ${row.name} ${row.version} | ${row.minifiedBytes} | ${row.gzipBytes} | ${row.brotliBytes} | ${row.medianMs} | ${row.minMs} | ${row.p95Ms} | ${row.readyMs} | ${row.payloadBytes} |`,
    );
  console.log("");
  for (const { figure, value, isMet } of figures) console.log(`${isMet ? "met   " : "MISSED"} ${figure}: ${value}`);
};

progress("building");
const subjects = [await buildOwn(), ...(await Promise.all(PEERS.map(buildPeer)))];
const service = await startService(Object.fromEntries(subjects.map(({ name, script }) => [`/${name}.js`, script])));
const browser = await chromium.launch({ executablePath: await findChromium(), args: CHROMIUM_ARGS });
try {
  const rows = await measureAll(browser, service, subjects);
  const figures = judge(rows);
  const report = {
    date: new Date().toISOString().slice(0, 10),
    browser: browser.version(),
    cpuCount: cpus().length,
    runs,
    settleMs,
    rows,
    figures,
  };
  if (options.json) console.log(JSON.stringify(report));
  else printTable(report);
  if (options.check && figures.some(({ isMet }) => !isMet)) process.exitCode = 1;
} finally {
  await browser.close();
  service.close();
}
