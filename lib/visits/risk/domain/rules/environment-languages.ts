import type { Rule } from "../rule";
import { groupValue } from "../visit";

const primary = (tag: string) => tag.trim().split(/[-_;]/)[0]?.toLowerCase() ?? "";

/** Languages of the request compared with those of the page, which the browser takes from one list. */
export const environmentLanguages: Rule = {
  id: "environment.languages",
  reason: "ENVIRONMENT_INCONSISTENT",
  source: "HTML standard, NavigatorLanguage; RFC 9110, Accept-Language",
  harmlessCauses: ["An extension that changes languages", "A gateway that rewrites request headers"],
  explainedBy: ["brave", "tor", "gecko-rfp"],
  check({ signals, request }) {
    const page = groupValue(signals, "navigator")?.languages ?? [];
    const asked = (request.acceptLanguage ?? "").split(",").map(primary).filter(Boolean);
    const offered = page.map(primary).filter(Boolean);
    if (asked.length === 0 || offered.length === 0 || asked.includes("*")) return undefined;
    if (asked.some((language) => offered.includes(language))) return undefined;
    return {
      status: "SUSPICIOUS",
      explanation: "The request asks for different languages from those that the browser reports to the page.",
      compared: [
        { label: "Languages of the page", value: page.join(", "), isOdd: true },
        { label: "Accept-Language header", value: request.acceptLanguage ?? "", isOdd: false },
      ],
    };
  },
};
