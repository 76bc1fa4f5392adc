import { spawn } from "node:child_process";
import type { Readable } from "node:stream";

import { progress } from "../../common/command";
import { environmentWith } from "../../common/processes";
import { makeFolder, removeFolder } from "../../common/process-group";
import { assessCapture, type VisitedService } from "./service";
import type { Site } from "./site";
import type { Kit, Outcome, Variant } from "./variant";

const VISIT_TIMEOUT_MS = 90_000;
const ATTEMPTS = 2;
const DEFAULT_SCREEN = "1366x768";

/** Starts a virtual screen that picks its own display number; `display` is undefined if it does not start. */
async function openScreen(xvfb: string, size: string) {
  const child = spawn(xvfb, ["-displayfd", "3", "-screen", "0", `${size}x24`, "-nolisten", "tcp"], {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  const number = await new Promise<string | undefined>((resolve) => {
    const end = () => {
      resolve(undefined);
    };
    const pipe = child.stdio[3] as Readable; // safe: the program writes to this one
    pipe.once("data", (chunk: Buffer) => {
      resolve(chunk.toString().trim());
    });
    child.once("error", end).once("exit", end);
  });
  return { display: number === undefined ? undefined : `:${number}`, close: () => child.kill("SIGTERM") };
}

/** Virtual screens by size, opened on first use. */
export function screensOf(xvfb: string | undefined) {
  const open = new Map<string, Awaited<ReturnType<typeof openScreen>>>();
  return {
    async displayOf(size = DEFAULT_SCREEN): Promise<string | undefined> {
      if (xvfb === undefined) return undefined;
      const screen = open.get(size) ?? (await openScreen(xvfb, size));
      open.set(size, screen);
      return screen.display;
    },
    close: () => {
      for (const screen of open.values()) screen.close();
    },
  };
}

function limited<T>(promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new Error("its page did not report in time"));
    }, VISIT_TIMEOUT_MS);
  });
  return Promise.race([promise, late]).finally(() => {
    clearTimeout(timer);
  });
}

export type Context = { kit: Kit; site: Site; screens: ReturnType<typeof screensOf>; service: VisitedService };

/** Makes one visit with a variant; returns what its page reported. */
async function visitOnce(variant: Variant, attempt: number, { kit, site, screens, service }: Context) {
  service.setVisitorAddress(variant.address);
  const folder = makeFolder(`risk-${variant.id}`);
  const { url, outcome } = site.expect(`${variant.id}-${attempt}`);
  const display = await screens.displayOf(variant.screen);
  // Must not depend on this machine's time zone; variants set their own.
  const env = environmentWith({ TZ: "UTC", LANG: "en_US.UTF-8", ...(display && { DISPLAY: display }) });
  try {
    return await variant.visit(kit, { url, outcome: limited(outcome), env, folder });
  } finally {
    removeFolder(folder);
  }
}

/** Requirements of the variant that this machine lacks. */
export const lackingOf = ({ needs, packages }: Variant, { programs, tools }: Kit): string[] => [
  ...needs.filter((name) => programs[name] === undefined),
  ...packages.filter((name) => !tools.has(name)),
];

const present = (...texts: (string | undefined)[]) => texts.filter(Boolean).join(" ");

async function read(outcome: Outcome, service: VisitedService) {
  const { imprint, botd, fpscanner } = outcome;
  if (typeof imprint !== "string") throw new Error(`the component failed: ${JSON.stringify(imprint)}`);
  const capture = service.captureOf(imprint);
  const { risk, browser, operating_system: system } = await service.reportOf(imprint);
  const assessment = assessCapture(capture);
  const scanned = new Map<string, unknown>(Object.entries(fpscanner ?? {}));
  return {
    status: risk.status,
    reasons: risk.reasons,
    rules: [...new Set(assessment.evidence.map(({ ruleId }) => ruleId))],
    profile: assessment.profile,
    browser: present(browser.name, browser.version),
    system: present(system.name, system.version),
    botd,
    fpscanner: scanned.get("bot") ?? fpscanner,
    fpscannerNames: scanned.get("names") ?? [],
    capture,
  };
}

export type Result = Pick<Variant, "id" | "tool" | "part" | "isDefinitive"> & {
  isClean: boolean;
  isReplayed: boolean;
} & Awaited<ReturnType<typeof read>>;
export type Failure = { id: string; reason: string };

/** Visits with every variant in turn; a failed visit is retried once, then reported. */
export async function visitAll(variants: readonly Variant[], context: Context) {
  const [results, failures]: [Result[], Failure[]] = [[], []];
  for (const [index, variant] of variants.entries()) {
    progress(`${index + 1} of ${variants.length}: ${variant.id}`);
    const { id, tool, part, isDefinitive, isClean = false, address } = variant;
    let failure: string | undefined;
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      try {
        const found = await read(await visitOnce(variant, attempt, context), context.service);
        results.push({ id, tool, part, isDefinitive, isClean, isReplayed: address !== undefined, ...found });
        failure = undefined;
        break;
      } catch (error) {
        failure = error instanceof Error ? error.message : String(error);
      }
    }
    if (failure !== undefined) failures.push({ id, reason: failure });
  }
  return { results, failures };
}
