import { pageClaim } from "../claims";
import { systemOfPlatform, unquote } from "../client-hints";
import { EMBEDDED_FAMILIES } from "../families";
import { systemsAgree } from "../platforms";
import type { Rule } from "../rule";
import { groupValue } from "../visit";

/** System of the user agent compared with that of the client hints in page, worker and request header. */
export const systemClientHints: Rule = {
  id: "system.client-hints",
  reason: "OS_ENVIRONMENT_MISMATCH",
  source: "WICG User-Agent Client Hints, Sec-CH-UA-Platform",
  harmlessCauses: ["An extension that changes the user agent", "A phone that asks for the desktop site"],
  explainedBy: ["tor", "gecko-rfp", "gecko-fpp", "webkit"],
  check(visit) {
    const page = pageClaim(visit);
    if (page === undefined || EMBEDDED_FAMILIES.includes(page.parsed.family)) return undefined;
    const hints = [
      { label: "Client hints, platform", value: groupValue(visit.signals, "uaData")?.platform },
      { label: "Client hints in a worker, platform", value: groupValue(visit.signals, "worker")?.uaPlatform },
      { label: "Sec-CH-UA-Platform header", value: unquote(visit.request.clientHints.platform) },
    ].flatMap(({ label, value }) => {
      const system = systemOfPlatform(value);
      if (value === undefined || system === undefined) return [];
      return [{ label, value, isOdd: !systemsAgree(page.parsed.operatingSystem, system) }];
    });
    if (!hints.some(({ isOdd }) => isOdd)) return undefined;
    return {
      status: "DECEPTIVE",
      explanation: "The browser names two different operating systems in one visit.",
      compared: [{ label: page.label, value: page.userAgent, isOdd: false }, ...hints],
    };
  },
};
