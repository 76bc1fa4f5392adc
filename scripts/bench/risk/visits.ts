import { makeFolder, openScreen, removeFolder } from "./processes.mjs";

const VISIT_TIMEOUT_MS = 90_000;
const ATTEMPTS = 2;
const DEFAULT_SCREEN = "1366x768";

/** Virtual screens by size, opened when first needed. */
export function screensOf(xvfb) {
  const open = new Map();
  return {
    async displayOf(size = DEFAULT_SCREEN) {
      if (xvfb === undefined) return undefined;
      if (!open.has(size)) open.set(size, await openScreen(xvfb, size));
      return open.get(size).display;
    },
    close: () => [...open.values()].forEach((screen) => screen.close()),
  };
}

const limited = (promise) => {
  let timer;
  const late = new Promise((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error("its page did not report in time")), VISIT_TIMEOUT_MS);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
};

/** One visit of one variant: what its page reported. */
async function visitOnce(variant, attempt, { kit, site, screens, service }) {
  service.setVisitorAddress(variant.address);
  const folder = makeFolder(variant.id);
  const { url, outcome } = site.expect(`${variant.id}-${attempt}`);
  const display = await screens.displayOf(variant.screen);
  // The zone of this machine must not decide: variants name their own.
  const env = { ...process.env, TZ: "UTC", LANG: "en_US.UTF-8", ...(display ? { DISPLAY: display } : {}) };
  try {
    return await variant.visit(kit, { url, outcome: limited(outcome), env, folder });
  } finally {
    removeFolder(folder);
  }
}

/** What the variant cannot do without and this machine lacks. */
export const lackingOf = (variant, { programs, tools }) => [
  ...variant.needs.filter((name) => programs[name] === undefined),
  ...variant.packages.filter((name) => !tools.has(name)),
];

async function read(outcome, { service, rules }) {
  const imprint = outcome.imprint;
  if (typeof imprint !== "string") throw new Error(`the component failed: ${JSON.stringify(imprint)}`);
  const capture = service.captureOf(imprint);
  const report = await service.reportOf(imprint);
  const assessment = rules.assess(capture);
  return {
    status: report.risk.status,
    reasons: report.risk.reasons,
    rules: [...new Set(assessment.evidence.map(({ ruleId }) => ruleId))],
    profile: assessment.profile,
    browser: [report.browser.name, report.browser.version].filter(Boolean).join(" "),
    system: [report.operating_system.name, report.operating_system.version].filter(Boolean).join(" "),
    botd: outcome.botd,
    fpscanner: outcome.fpscanner?.bot ?? outcome.fpscanner,
    fpscannerNames: outcome.fpscanner?.names ?? [],
    capture,
  };
}

/** Visits with every variant in turn; a visit that fails is tried once more, then named. */
export async function visitAll(variants, context, progress) {
  const results = [];
  const failures = [];
  for (const [index, variant] of variants.entries()) {
    progress(`${index + 1} of ${variants.length}: ${variant.id}`);
    let failure = "";
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      try {
        const { id, tool, part, isDefinitive, isClean = false, address } = variant;
        const found = await read(await visitOnce(variant, attempt, context), context);
        results.push({ id, tool, part, isDefinitive, isClean, isReplayed: address !== undefined, ...found });
        failure = "";
        break;
      } catch (error) {
        failure = error.message;
      }
    }
    if (failure !== "") failures.push({ id: variant.id, reason: failure });
  }
  return { results, failures };
}
