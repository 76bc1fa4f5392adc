import { pageClaim } from "../claims";
import type { EngineFamily } from "../families";
import { type Engine, FEATURE_SOURCE, foreignFeatures } from "../feature-versions";
import { releaseOf } from "../releases";
import type { Compared } from "../evidence";
import type { Rule } from "../rule";
import { groupValue, type Visit } from "../visit";

/** A polyfill may add one interface; several come from another engine. */
const LIMITS = { leastInterfaces: 2 };

/** Members of `navigator` that only one engine has. Source: MDN browser compatibility data. */
const OWNERS: Readonly<Record<"deviceMemory" | "oscpu" | "userAgentData", Engine>> = {
  deviceMemory: "blink",
  oscpu: "gecko",
  userAgentData: "blink",
};

/** The places where a visit has such members. */
function membersOf({
  signals,
}: Visit): { place: string; member: keyof typeof OWNERS; value: string | number | undefined }[] {
  const page = groupValue(signals, "navigator");
  const worker = groupValue(signals, "worker");
  const frame = groupValue(signals, "iframe");
  return [
    { place: "page", member: "deviceMemory", value: page?.deviceMemory },
    { place: "worker", member: "deviceMemory", value: worker?.deviceMemory },
    { place: "frame", member: "deviceMemory", value: frame?.deviceMemory },
    { place: "page", member: "oscpu", value: page?.oscpu },
    { place: "page", member: "userAgentData", value: groupValue(signals, "uaData")?.platform },
    { place: "worker", member: "userAgentData", value: worker?.uaPlatform },
  ];
}

const foreignMembers = (visit: Visit, engine: EngineFamily): Compared[] =>
  membersOf(visit).flatMap(({ place, member, value }) =>
    value === undefined || OWNERS[member] === engine
      ? []
      : [{ label: `navigator.${member}, ${place}`, value: String(value), isOdd: true }],
  );

/**
 * Members and built-in interfaces of a different engine from the claimed one, which no release of the claimed browser
 * has.
 */
export const identityForeignMembers: Rule = {
  id: "identity.foreign-members",
  reason: "BROWSER_IDENTITY_MISMATCH",
  source: FEATURE_SOURCE,
  harmlessCauses: ["An extension that changes the user agent", "A library that imitates another browser"],
  limits: LIMITS,
  check(visit, _identity, _profile, limits) {
    const { leastInterfaces } = { ...LIMITS, ...limits };
    const page = pageClaim(visit);
    if (page === undefined || page.parsed.engine === "unknown") return undefined;
    const release = releaseOf(page.parsed);
    const bits = groupValue(visit.signals, "features") ?? "";
    const interfaces = release ? foreignFeatures(bits, release.engine, release.version, "nowhere") : [];
    const compared = [
      ...foreignMembers(visit, page.parsed.engine),
      ...(interfaces.length < leastInterfaces
        ? []
        : [{ label: "Interfaces of other browsers", value: interfaces.join(", "), isOdd: true }]),
    ];
    if (compared.length === 0) return undefined;
    return {
      status: "SUSPICIOUS",
      explanation: "The browser has features that only other kinds of browser have.",
      compared: [{ label: page.label, value: page.userAgent, isOdd: false }, ...compared],
    };
  },
};
