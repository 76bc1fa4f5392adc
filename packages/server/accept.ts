import { isSameConnection } from "./address";
import { IMPRINT_PATTERN } from "./contract";
import { isImprintServerError } from "./error";
import type { Settings } from "./options";
import { type Refused, refuse, refuseFor } from "./refusal";
import { ACCEPTANCE_FORM, isAcceptance, readReport, type ReportRead } from "./report";

export type AcceptOptions = {
  /** What the page gave to `run({ surface })` for this action, e.g. `sign-in`; several where pages differ. */
  surface: string | readonly string[];
  /** Origin of the page that may have made the imprint, e.g. `https://shop.example`; several where pages differ. */
  origin: string | readonly string[];
  /** Oldest imprint that is accepted, by the clock of the service. Default: 300. */
  maxAgeSeconds?: number | undefined;
  /** Whether an imprint is accepted for one action only. Default: true. */
  once?: boolean | undefined;
  /**
   * An id of the action, e.g. of the sign-in attempt or the order: 1 to 128 visible ASCII characters without spaces. Asked
   * again with the same id, `acceptImprint` accepts the imprint again. Default: a new one for each call.
   */
  acceptance?: string | undefined;
  /**
   * Address that sends the request to your server, as your framework says it (`req.ip`). It has to be that which made
   * the imprint: the same IPv4 address, or one of the same IPv6 network (/64). Leave it out and nothing is compared; a
   * request whose address is undefined is refused.
   */
  address?: string | undefined;
  /** As in `report`. */
  accountRef?: string | undefined;
  signal?: AbortSignal | undefined;
};

export type Accepted = { accepted: true } & ReportRead;
/** `accepted` says whether this imprint is evidence for this action, never what to do about its risk. */
export type Acceptance = Accepted | Refused;

const DEFAULT_MAX_AGE_SECONDS = 300;
/** The longest imprint of any version; what is longer is refused without looking through it. */
const MAX_LENGTH = 64;

type Expected = {
  surfaces: readonly string[];
  origins: readonly string[];
  maxAgeSeconds: number;
  once: boolean;
  address: string | undefined;
};

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);
const areTexts = (values: readonly unknown[]): values is readonly string[] =>
  values.length > 0 && values.every((value) => typeof value === "string" && value !== "");

/** As a browser sends it; undefined for what is no origin. */
function originOf(text: string): string | undefined {
  try {
    const { origin, pathname, search, hash } = new URL(text);
    return origin !== "null" && pathname === "/" && search === "" && hash === "" ? origin : undefined;
  } catch {
    return undefined;
  }
}

/** What the site expects; a text names the option that is wrong. */
function parseExpected(options: AcceptOptions): Expected | string {
  const { surface, origin, maxAgeSeconds = DEFAULT_MAX_AGE_SECONDS, once = true, acceptance, address } = options;
  const [surfaces, given] = [listOf(surface), listOf(origin)];
  if (!areTexts(surfaces)) return "surface is missing: name the one that the page gives to run()";
  if (!areTexts(given)) return "origin is missing: name that of the page, e.g. https://shop.example";
  const origins = given.flatMap((each) => originOf(each) ?? []);
  if (origins.length < given.length) return "origin has to be scheme, host and port only, e.g. https://shop.example";
  if (typeof maxAgeSeconds !== "number" || !(maxAgeSeconds >= 0)) return "maxAgeSeconds has to be a number from 0";
  if (typeof once !== "boolean") return "once has to be true or false";
  if (acceptance !== undefined && !isAcceptance(acceptance)) return `acceptance has to be ${ACCEPTANCE_FORM}`;
  if (address !== undefined && typeof address !== "string") return "address has to be a text";
  return { surfaces, origins, maxAgeSeconds, once, address: "address" in options ? (address ?? "") : undefined };
}

function newAcceptance(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The address has to be one, and that of the Report. */
function checkAddress({ report }: ReportRead, address: string): Refused | undefined {
  const observed = report.network.observed_ip;
  if (typeof observed !== "string") return refuse("wrong_address", { report, message: "the Report names none" });
  const isSame = isSameConnection(observed, address);
  if (isSame === undefined) return refuse("wrong_address", { report, message: "your server knows none of the sender" });
  return isSame ? undefined : refuse("wrong_address", { report });
}

/** Why a Report is no evidence for this action; undefined when it is. */
function findFault(read: ReportRead, expected: Expected): Refused | undefined {
  const { report, surface, origin, ageSeconds, delivery } = read;
  if (ageSeconds === undefined || (expected.once && delivery === undefined))
    return refuse("misconfigured", {
      report,
      message:
        "the answer lacks Imprint-Age or Imprint-Delivery: upgrade the service, or let the proxy before it pass them",
    });
  if (origin === undefined || !expected.origins.includes(origin))
    return refuse("wrong_origin", { report, message: `made on ${origin ?? "an unknown one"}` });
  if (surface === undefined || !expected.surfaces.includes(surface))
    return refuse("wrong_surface", { report, message: `made for ${surface ?? "an unknown one"}` });
  if (ageSeconds > expected.maxAgeSeconds)
    return refuse("too_old", { report, message: `${ageSeconds} seconds, accepted are ${expected.maxAgeSeconds}` });
  if (expected.once && delivery === "repeat") return refuse("already_used", { report });
  return expected.address === undefined ? undefined : checkAddress(read, expected.address);
}

async function accept(settings: Settings, imprint: unknown, options: AcceptOptions): Promise<Acceptance> {
  if (imprint === undefined || imprint === null || imprint === "") return refuse("missing");
  if (typeof imprint !== "string" || imprint.length > MAX_LENGTH || !IMPRINT_PATTERN.test(imprint))
    return refuse("malformed");
  const given = Object(options) as AcceptOptions;
  const expected = parseExpected(given);
  if (typeof expected === "string") return refuse("misconfigured", { message: expected });
  const { accountRef, signal } = given;
  const acceptance = given.acceptance ?? (expected.once ? newAcceptance() : undefined);
  const read = await readReport(settings, imprint, { accountRef, acceptance, signal });
  return findFault(read, expected) ?? { accepted: true, ...read };
}

/** Never rejects: whatever a visitor sends and whatever becomes of the service, the site goes on. */
export async function acceptImprint(settings: Settings, imprint: unknown, options: AcceptOptions): Promise<Acceptance> {
  try {
    return await accept(settings, imprint, options);
  } catch (error) {
    return isImprintServerError(error) ? refuseFor(error) : refuse("unavailable");
  }
}
