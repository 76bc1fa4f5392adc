import { pageClaim } from "../claims";
import { browserOfBrands, systemOfPlatform } from "../client-hints";
import type { OperatingSystemFamily } from "../families";
import type { Compared } from "../evidence";
import type { Rule } from "../rule";
import { groupValue } from "../visit";

const COMPUTERS: readonly (OperatingSystemFamily | undefined)[] = ["windows", "macos", "linux", "chromeos"];
/** Vendors whose user agent has `Mobile` exactly if their client hints say so; measured on 98 Android devices. */
const EXACT: readonly string[] = ["chrome", "edge"];

/** Client hints that describe a phone on a computer's system, or another form than the user agent. */
export const systemFormFactor: Rule = {
  id: "system.form-factor",
  reason: "OS_ENVIRONMENT_MISMATCH",
  source: "WICG User-Agent Client Hints, sections on mobileness and model: computers have neither",
  harmlessCauses: ["An extension that changes the user agent", "Device emulation in developer tools"],
  explainedBy: ["brave", "tor", "gecko-rfp", "gecko-fpp", "webkit"],
  check(visit) {
    const page = pageClaim(visit);
    const hints = groupValue(visit.signals, "uaData");
    const system = systemOfPlatform(hints?.platform);
    if (page?.parsed.engine !== "blink" || hints?.mobile === undefined) return undefined;
    // Phones that ask for the desktop site claim Linux.
    const isComputer =
      COMPUTERS.includes(system) && (groupValue(visit.signals, "navigator")?.maxTouchPoints ?? 0) === 0;
    const family = browserOfBrands((hints.brands ?? []).map(({ brand = "" }) => ({ brand })))?.family ?? "unknown";
    const isMobileText = / Mobile\b/.test(page.userAgent);
    const compared: Compared[] = [
      ...(isComputer && hints.mobile ? [{ label: "Client hints, mobile", value: "true", isOdd: true }] : []),
      ...(isComputer && hints.model ? [{ label: "Client hints, model", value: hints.model, isOdd: true }] : []),
      ...(system === "android" && EXACT.includes(family) && isMobileText !== hints.mobile
        ? [
            { label: "Client hints, mobile", value: String(hints.mobile), isOdd: true },
            { label: page.label, value: page.userAgent, isOdd: false },
          ]
        : []),
    ];
    if (compared.length === 0) return undefined;
    return {
      status: "SUSPICIOUS",
      explanation: "The browser describes itself as a phone in one place and as a computer in another.",
      compared: [...compared, { label: "Client hints, platform", value: hints.platform ?? "", isOdd: false }],
    };
  },
};
