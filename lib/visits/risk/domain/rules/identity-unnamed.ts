import type { Rule } from "../rule";
import { parseUserAgent } from "../user-agent";
import { groupValue } from "../visit";

/** The page's user agent names neither browser nor system. Apps that name their own device are exempt. */
export const identityUnnamed: Rule = {
  id: "identity.unnamed",
  reason: "BROWSER_IDENTITY_MISMATCH",
  source: "HTML standard, NavigatorID.userAgent: every engine names itself",
  harmlessCauses: ["An app that gives its web view a name of its own", "An extension that empties the user agent"],
  check({ signals }) {
    const userAgent = groupValue(signals, "navigator")?.userAgent;
    const engine = groupValue(signals, "engine")?.family ?? "unknown";
    if (userAgent === undefined || engine === "unknown") return undefined;
    const { engine: claimed, operatingSystem, program } = parseUserAgent(userAgent);
    if (program !== undefined || claimed !== "unknown" || operatingSystem !== "unknown") return undefined;
    return {
      status: "SUSPICIOUS",
      explanation: "A browser ran the page, but its user agent names neither a browser nor a system.",
      compared: [
        { label: "User agent, page", value: userAgent === "" ? "empty" : userAgent, isOdd: true },
        { label: "Engine by its built-in code", value: engine, isOdd: false },
      ],
    };
  },
};
