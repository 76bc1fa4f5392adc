/** The first release of each engine with each feature of `FEATURES`, from MDN's browser compatibility data. */
import { createRequire } from "node:module";

import { build } from "esbuild";

import { ROOT } from "../build/layout.mjs";

const require = createRequire(import.meta.url);
const data = require("@mdn/browser-compat-data");

/** The browsers of MDN's data that show an engine's releases, the one with the fuller list first. */
const BROWSERS = {
  blink: ["chrome", "chrome_android"],
  gecko: ["firefox", "firefox_android"],
  webkit: ["safari", "safari_ios"],
};

/** Where MDN keeps a feature whose path below the global object does not tell. */
const PLACES = {
  "WebAssembly.promising": "webassembly.api.promising_static",
};

const DAY_MS = 24 * 60 * 60_000;
const PACE_SAMPLE = 8;
/** What lies behind this many releases is old by any measure. */
const LATEST_RELEASES = 60;

async function readFeatures() {
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: ["lib/contract/signal-lists.ts"],
    bundle: true,
    write: false,
    format: "esm",
    logLevel: "silent",
  });
  const { FEATURES } = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
  return FEATURES;
}

const at = (place) => place.split(".").reduce((node, key) => node?.[key], data)?.__compat?.support;

/** A feature is a part of the language, a property of `navigator` or another member of the page's global object. */
function placeOf(feature) {
  const [head, ...rest] = feature.split(".").filter((part) => part !== "prototype");
  if (PLACES[feature]) return PLACES[feature];
  if (head === "navigator") return ["api.Navigator", ...rest].join(".");
  const language = ["javascript.builtins", head, ...rest].join(".");
  if (at(language)) return language;
  return rest.length === 0 && !/^[A-Z]/.test(head) ? `api.Window.${head}` : ["api", head, ...rest].join(".");
}

const inOrder = (one, other) => {
  const [a, b] = [one, other].map((version) => version.split(".").map(Number));
  return a[0] - b[0] || (a[1] ?? 0) - (b[1] ?? 0);
};

/** Statements about releases that have the feature as it stands, without a flag; the one that still holds comes first. */
const plain = (support) =>
  [support]
    .flat()
    .filter((one) => one && !one.flags && !one.prefix && !one.alternative_name && isRelease(one.version_added));
const isRelease = (version) => /^\d[\d.]*$/.test(version);

/** The earliest release on any device, taken back or not: what is early there is early everywhere. */
function firstIn(engine, place) {
  const support = at(place) ?? {};
  const statements = BROWSERS[engine].flatMap((browser) => plain(support[browser]));
  return statements.map(({ version_added: version }) => version).toSorted(inOrder)[0];
}

/** The release since which no browser of the engine has been without it; undefined where they differ. */
function alwaysIn(engine, place) {
  const support = at(place) ?? {};
  const current = BROWSERS[engine].map((browser) => {
    const statement = plain(support[browser])[0];
    return statement?.version_removed || statement?.partial_implementation ? undefined : statement?.version_added;
  });
  return current.every((version) => version === current[0]) ? current[0] : undefined;
}

/** The engine's releases with the days between two majors, at their fastest of late. */
function releasesOf(engine) {
  const { releases } = data.browsers[BROWSERS[engine][0]];
  const all = Object.keys(releases).toSorted(inOrder);
  const majors = all.filter((version) => !version.includes(".") && releases[version].release_date);
  const days = majors.slice(-PACE_SAMPLE).map((version) => Date.parse(releases[version].release_date) / DAY_MS);
  const gaps = days.slice(1).map((day, index) => day - days[index]);
  return { fewestDaysBetweenMajors: Math.min(...gaps), latest: all.slice(-LATEST_RELEASES).join(" ") };
}

/** What the generated file holds. */
export async function featureReleases() {
  const features = await readFeatures();
  const engines = Object.keys(BROWSERS);
  const known = features.flatMap((feature) => {
    const place = placeOf(feature);
    const inEngines = (read) => Object.fromEntries(engines.map((engine) => [engine, read(engine, place)]));
    const first = inEngines(firstIn);
    if (!Object.values(first).some(Boolean)) return [];
    // An interface may be switched off by a setting or a policy; a part of the language never is.
    return [[feature, { place, first, always: place.startsWith("javascript.") ? inEngines(alwaysIn) : {} }]];
  });
  const { version, timestamp } = data.__meta;
  return {
    source: `@mdn/browser-compat-data ${version}`,
    date: timestamp.slice(0, 10),
    releases: Object.fromEntries(engines.map((engine) => [engine, releasesOf(engine)])),
    features: Object.fromEntries(known),
  };
}
