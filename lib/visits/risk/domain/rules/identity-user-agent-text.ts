import { cacheResults } from "../cache-results";
import { pageClaim } from "../claims";
import { brandLists, systemOfPlatform } from "../client-hints";
import { EMBEDDED_FAMILIES, type OperatingSystemFamily } from "../families";
import { isRepeated } from "../repeated-text";
import type { Rule } from "../rule";
import type { ParsedUserAgent } from "../user-agent";
import { groupValue, type Visit } from "../visit";

type Fault = { seen: string; expected: string };

/** Marks of other engines and their browsers, which no text of Chromium has. */
const FOREIGN =
  /\bGecko\/\d|\brv:\d|\b(?:Firefox|SeaMonkey|Iceape|IceCat|Iceweasel|PaleMoon|Waterfox|Thunderbird|Camino|K-Meleon|Fennec|Goanna|Trident|Presto)\/\d|\bMSIE \d/;

/** The text of Chromium and of derivatives that add nothing to it but their own name. */
const PLAIN =
  /^Mozilla\/5\.0 \(([^()/]*)\) AppleWebKit\/537\.36 \(KHTML, like Gecko\) Chrome\/([\d.]+)( Mobile)? Safari\/537\.36(?: (?:Edg|OPR)\/[\d.]+)?$/;

const CPU = /\bLinux (i\d86|x86_64|aarch64|armv\w+)/;

/** What the rule reads in a text, once for all visitors who share it. */
const readText = cacheResults((userAgent) => {
  const plain = PLAIN.exec(userAgent);
  const product = userAgent.slice(userAgent.indexOf("Gecko/") + "Gecko/".length);
  return {
    isTwice: isRepeated(userAgent),
    foreign: FOREIGN.exec(userAgent)?.[0],
    plain: plain && { system: plain[1] ?? "", version: plain[2] ?? "", isMobile: plain[3] !== undefined },
    hasProduct: /[A-Za-z]\/\d/.test(product),
    processor: CPU.exec(userAgent)?.[1],
  };
});
type Text = ReturnType<typeof readText>;

/** Since this version all Chromium browsers on computers write one text for each system. */
const REDUCED_MAJOR = 120;
/** Until this version a policy could restore the former text. Source: Microsoft Edge policy UserAgentReduction. */
const LAST_FULL_MAJOR = 144;
/** Source: Chromium, components/embedder_support/user_agent_utils.cc, GetUnifiedPlatform. */
const REDUCED: Partial<Record<OperatingSystemFamily, string>> = {
  windows: "Windows NT 10.0; Win64; x64",
  macos: "Macintosh; Intel Mac OS X 10_15_7",
  linux: "X11; Linux x86_64",
  chromeos: "X11; CrOS x86_64 14541.0.0",
};
const FULL =
  /^(?:Windows NT \d+\.\d+(?:; Win64; x64|; WOW64)?|Macintosh; Intel Mac OS X [\d_]+|X11; (?:Linux|CrOS|\w+BSD) [\w .]+)$/;

/** Programs built on Chromium that hide their own name keep the full version, but not the brand of a vendor. */
const VENDORS = ["chrome", "edge"];

/** A text other than that which follows from the client hints of a Chromium on a computer. */
function unreduced(visit: Visit, { plain }: Text, { chromiumMajorVersion = 0 }: ParsedUserAgent): Fault | undefined {
  const hinted = brandLists(visit).find(({ browser }) => browser !== undefined)?.browser;
  const expected = REDUCED[systemOfPlatform(groupValue(visit.signals, "uaData")?.platform) ?? "unknown"];
  if (!plain || hinted === undefined || expected === undefined || chromiumMajorVersion < REDUCED_MAJOR)
    return undefined;
  const { system, version, isMobile } = plain;
  const isReduced = version === `${chromiumMajorVersion}.0.0.0`;
  const mayBeFull = chromiumMajorVersion <= LAST_FULL_MAJOR || !VENDORS.includes(hinted.family);
  const isFit = isReduced ? system === expected : mayBeFull && FULL.test(system);
  if (isFit && !isMobile) return undefined;
  return { seen: `${system}, Chrome/${version}`, expected: `${expected}, Chrome/${chromiumMajorVersion}.0.0.0` };
}

/** Firefox on computers writes `oscpu` into its user agent. Phones that ask for the desktop site write another. */
function ofOtherSystem(visit: Visit, userAgent: string, { hasProduct }: Text): Fault | undefined {
  if (!hasProduct) return { seen: userAgent, expected: "the name and version of a browser" };
  const { oscpu = "", maxTouchPoints = 0 } = groupValue(visit.signals, "navigator") ?? {};
  const isPhone = maxTouchPoints > 0 || userAgent.includes("Android");
  return oscpu === "" || isPhone || userAgent.includes(oscpu) ? undefined : { seen: userAgent, expected: oscpu };
}

/** WebKitGTK takes the processor of its user agent and of `navigator.platform` from one function. */
function ofOtherProcessor(visit: Visit, { processor }: Text): Fault | undefined {
  const { platform = "", maxTouchPoints = 0 } = groupValue(visit.signals, "navigator") ?? {};
  const expected = CPU.exec(platform)?.[1];
  const isUnknown = processor === undefined || expected === undefined || maxTouchPoints > 0;
  return isUnknown || processor === expected ? undefined : { seen: processor, expected };
}

function faultOf(visit: Visit): Fault | undefined {
  const page = pageClaim(visit);
  if (page === undefined || page.parsed.engine === "unknown") return undefined;
  const { userAgent, parsed } = page;
  const text = readText(userAgent);
  if (text.isTwice) return { seen: userAgent, expected: "the text once" };
  if (EMBEDDED_FAMILIES.includes(parsed.family)) return undefined;
  if (parsed.engine === "gecko") return ofOtherSystem(visit, userAgent, text);
  if (parsed.engine === "webkit") return ofOtherProcessor(visit, text);
  const { foreign } = text;
  return foreign === undefined ? unreduced(visit, text, parsed) : { seen: foreign, expected: "marks of Chromium only" };
}

/** A user agent that names the engine's browser in a way in which none of its releases does. */
export const identityUserAgentText: Rule = {
  id: "identity.user-agent-text",
  reason: "BROWSER_IDENTITY_MISMATCH",
  source:
    "Chromium, user_agent_utils.cc; chromium.org, User-Agent reduction; Firefox, nsHttpHandler: oscpu is part of the text",
  harmlessCauses: ["An extension that changes the user agent", "A user agent that a person wrote by hand"],
  explainedBy: ["tor", "gecko-rfp"],
  check(visit) {
    const fault = faultOf(visit);
    return (
      fault && {
        status: "SUSPICIOUS",
        explanation: "The user agent has a form that no release of this browser writes.",
        compared: [
          { label: "User agent, page", value: fault.seen, isOdd: true },
          { label: "Expected", value: fault.expected, isOdd: false },
        ],
      }
    );
  },
};
