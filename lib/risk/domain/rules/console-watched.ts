import type { PrivacyProfile } from "../profile";
import type { Compared, Rule } from "../rule";
import { groupValue, type Visit } from "../visit";

const DESKTOP_SYSTEMS = ["windows", "macos", "linux"];

const list = (values: readonly string[] | undefined) => values?.join(", ");

/** Facts on which the page and its worker or frame do not agree. Brave makes up the number of cores for each realm. */
function realmDifferences({ signals }: Visit, profile: PrivacyProfile): Compared[] {
  const page = groupValue(signals, "navigator");
  const others = [
    { realm: "worker", values: groupValue(signals, "worker") },
    { realm: "frame", values: groupValue(signals, "iframe") },
  ];
  return others.flatMap(({ realm, values }) => {
    const facts: [string, string | number | undefined, string | number | undefined][] = [
      ["Platform", page?.platform, values?.platform],
      ["Processor cores", page?.hardwareConcurrency, profile === "brave" ? undefined : values?.hardwareConcurrency],
      ["Languages", list(page?.languages), list(values?.languages)],
    ];
    return facts.flatMap(([label, here, there]) =>
      here === undefined || there === undefined || here === there
        ? []
        : [
            { label: `${label}, page`, value: String(here), isOdd: false },
            { label: `${label}, ${realm}`, value: String(there), isOdd: true },
          ],
    );
  });
}

/** Built-in members that something replaced. */
function replacedMembers({ signals }: Visit): Compared[] {
  const automation = groupValue(signals, "automation");
  return [...(automation?.tampered ?? []), ...(automation?.navigatorProperties ?? [])].map((value) => ({
    label: "Replaced in the page",
    value,
    isOdd: true,
  }));
}

/** A window may overlap its screen by the invisible borders that systems draw around it, in CSS pixels. */
const OVERLAP_MAX = 40;

/**
 * A desktop window that an emulated viewport gives away: without tabs and address bar, or larger than its screen.
 * Docked developer tools do the opposite: they take room away from the page.
 */
function emulatedWindow({ signals }: Visit): Compared[] {
  const {
    width = 0,
    height = 0,
    outerWidth = 0,
    outerHeight = 0,
    innerWidth,
    innerHeight,
  } = groupValue(signals, "screen") ?? {};
  if (width === 0 || height === 0 || outerWidth === 0 || outerHeight === 0) return [];
  const isFrameless = innerWidth === outerWidth && innerHeight === outerHeight;
  const isTooLarge = outerWidth > width + OVERLAP_MAX || outerHeight > height + OVERLAP_MAX;
  if (!isFrameless && !isTooLarge) return [];
  return [
    { label: "Window", value: `${outerWidth} x ${outerHeight}`, isOdd: true },
    { label: "Page inside the window", value: `${innerWidth ?? "?"} x ${innerHeight ?? "?"}`, isOdd: isFrameless },
    { label: "Screen", value: `${width} x ${height}`, isOdd: false },
  ];
}

/**
 * Something reads the console at once: a tool attached through the DevTools protocol, or developer tools that a person
 * opened. The two look the same, so this counts only beside a second sign that a person's browser would not show,
 * and never as more than SUSPICIOUS.
 */
export const consoleWatched: Rule = {
  id: "automation.console-watched",
  reason: "AUTOMATION_DETECTED",
  source: "fpscanner 1.0, cdp signal (Error.prepareStackTrace on a logged error)",
  harmlessCauses: [
    "Open developer tools beside an extension that changes the browser's answers",
    "Remote debugging of an app",
  ],
  check(visit, identity, profile) {
    if (groupValue(visit.signals, "automation")?.isConsoleWatched !== true) return undefined;
    const isDesktop = DESKTOP_SYSTEMS.includes(identity.operatingSystem.family);
    const corroboration = [
      ...realmDifferences(visit, profile),
      ...replacedMembers(visit),
      ...(isDesktop ? emulatedWindow(visit) : []),
    ];
    if (corroboration.length === 0) return undefined;
    return {
      status: "SUSPICIOUS",
      explanation: "Something reads the browser's console, and the browser contradicts itself as disguised tools do.",
      compared: [{ label: "Console is read at once", value: "true", isOdd: true }, ...corroboration],
    };
  },
};
