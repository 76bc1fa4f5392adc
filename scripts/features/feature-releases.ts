/** The first release of each engine with each feature of `FEATURES`, from MDN's browser compatibility data. */
import data, {
  type CompatStatement,
  type Identifier,
  type ReleaseStatement,
  type SimpleSupportStatement,
  type SupportStatement,
} from "@mdn/browser-compat-data" with { type: "json" };

import { FEATURES } from "@/lib/contract/signal-lists";

/** The browsers in MDN's data that show an engine's releases, the one with the fuller list first. */
const BROWSERS = {
  blink: ["chrome", "chrome_android"],
  gecko: ["firefox", "firefox_android"],
  webkit: ["safari", "safari_ios"],
} as const;
type Engine = keyof typeof BROWSERS;
const ENGINES = ["blink", "gecko", "webkit"] as const satisfies readonly Engine[];

/** MDN paths of features whose path does not follow from their name. */
const PLACES: Readonly<Record<string, string>> = {
  "WebAssembly.promising": "webassembly.api.promising_static",
};

const DAY_MS = 24 * 60 * 60_000;
const PACE_SAMPLE = 8;
/** Number of releases to list; anything older is outdated by any measure. */
const LATEST_RELEASES = 60;

type Support = CompatStatement["support"];

/** The support statement at a path in MDN's data. */
function supportAt(place: string): Support | undefined {
  const start = data as unknown;
  const node = place.split(".").reduce<unknown>((at, key) => new Map(Object.entries(at ?? {})).get(key), start);
  return (node as Identifier | undefined)?.__compat?.support; // safe: every place of the tree is an identifier
}

/** MDN path of a feature: a part of the language, a property of `navigator`, or another member of the global object. */
function placeOf(feature: string): string {
  const [head = "", ...rest] = feature.split(".").filter((part) => part !== "prototype");
  const known = PLACES[feature];
  if (known !== undefined) return known;
  if (head === "navigator") return ["api.Navigator", ...rest].join(".");
  const language = ["javascript.builtins", head, ...rest].join(".");
  if (supportAt(language)) return language;
  return rest.length === 0 && !/^[A-Z]/.test(head) ? `api.Window.${head}` : ["api", head, ...rest].join(".");
}

function inOrder(one: string, other: string): number {
  const [a, b] = [one.split(".").map(Number), other.split(".").map(Number)];
  return (a[0] ?? 0) - (b[0] ?? 0) || (a[1] ?? 0) - (b[1] ?? 0);
}

type Released = SimpleSupportStatement & { version_added: string };
const isReleased = (one: SimpleSupportStatement): one is Released =>
  typeof one.version_added === "string" && /^\d[\d.]*$/.test(one.version_added);

/** Statements about releases that have the feature without a flag; the one still in force comes first. */
const plain = (support: SupportStatement | undefined): Released[] =>
  [support ?? []]
    .flat()
    .filter((one) => !one.flags && !one.prefix && !one.alternative_name)
    .filter(isReleased);

/** The earliest release on any device, even if support was later removed: a minimum for all devices. */
function firstIn(engine: Engine, place: string): string | undefined {
  const support = supportAt(place);
  const statements = BROWSERS[engine].flatMap((browser) => plain(support?.[browser]));
  return statements.map(({ version_added: version }) => version).toSorted(inOrder)[0];
}

/** The release since which every browser of the engine has had the feature; undefined if they differ. */
function alwaysIn(engine: Engine, place: string): string | undefined {
  const support = supportAt(place);
  const current = BROWSERS[engine].map((browser) => {
    const statement = plain(support?.[browser])[0];
    return statement?.version_removed || statement?.partial_implementation ? undefined : statement?.version_added;
  });
  return current.every((version) => version === current[0]) ? current[0] : undefined;
}

/** Whether MDN says that no release of a browser has the feature, not even behind a flag or in a preview. */
function isWithout(place: string, browser: (typeof BROWSERS)[Engine][number]): boolean {
  const support = supportAt(place)?.[browser];
  return support !== undefined && [support].flat().every((one) => one.version_added === false);
}

const isNowhereIn = (engine: Engine, place: string) => BROWSERS[engine].every((browser) => isWithout(place, browser));

/** Whether the engine has it on computers but not on phones. */
function isOnDesktopsOnly(engine: Engine, place: string): boolean {
  const [desktop, phone] = BROWSERS[engine];
  return plain(supportAt(place)?.[desktop]).length > 0 && isWithout(place, phone);
}

/** The engine's releases, with the days between two major versions at their recent fastest. */
function releasesOf(engine: Engine) {
  const releases: Readonly<Record<string, ReleaseStatement>> = data.browsers[BROWSERS[engine][0]].releases;
  const all = Object.keys(releases).toSorted(inOrder);
  const days = all
    .filter((version) => !version.includes("."))
    .flatMap((version) => releases[version]?.release_date ?? [])
    .slice(-PACE_SAMPLE)
    .map((date) => Date.parse(date) / DAY_MS);
  const gaps = days.slice(1).map((day, index) => day - (days[index] ?? Number.NaN));
  return { fewestDaysBetweenMajors: Math.min(...gaps), latest: all.slice(-LATEST_RELEASES).join(" ") };
}

/** Contents of the generated file. */
export function featureReleases() {
  const known = FEATURES.flatMap((feature) => {
    const place = placeOf(feature);
    const inEngines = (read: typeof firstIn) =>
      Object.fromEntries(ENGINES.map((engine) => [engine, read(engine, place)]));
    const first = inEngines(firstIn);
    if (!Object.values(first).some(Boolean)) return [];
    // An interface can be disabled by a setting or a policy; language features cannot.
    const always = place.startsWith("javascript.") ? inEngines(alwaysIn) : {};
    const enginesWhere = (holds: typeof isNowhereIn) => ENGINES.filter((engine) => holds(engine, place)).join(" ");
    const [nowhere, onDesktopsOnly] = [enginesWhere(isNowhereIn), enginesWhere(isOnDesktopsOnly)];
    const absences = { ...(nowhere && { nowhere }), ...(onDesktopsOnly && { onDesktopsOnly }) };
    return [[feature, { place, first, always, ...absences }] as const];
  });
  const { version, timestamp } = data.__meta;
  return {
    source: `@mdn/browser-compat-data ${version}`,
    date: timestamp.slice(0, 10),
    releases: Object.fromEntries(ENGINES.map((engine) => [engine, releasesOf(engine)])),
    features: Object.fromEntries(known),
  };
}
