import { realmDifferences } from "../realms";
import { replacedMembers } from "../replaced-members";
import type { Compared } from "../evidence";
import type { Rule } from "../rule";
import { groupValue, type Visit } from "../visit";
import { isDesktop, windowFacts } from "../window";

/**
 * An oversized or frameless desktop window, which reveals an emulated viewport. Docked developer tools do the opposite
 * and reduce the page.
 */
function emulatedWindow({ signals }: Visit): Compared[] {
  const facts = windowFacts(signals);
  return facts && (facts.isFrameless || facts.isTooLarge) ? facts.compared : [];
}

/**
 * Something is reading the console: a tool attached through the DevTools protocol, or developer tools opened by a
 * person. The two look the same, so this only counts together with a second sign that a person's browser would not
 * show, and never as more than SUSPICIOUS.
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
    const corroboration = [
      ...realmDifferences(visit, profile),
      ...replacedMembers(visit),
      ...(isDesktop(identity.operatingSystem.family) ? emulatedWindow(visit) : []),
    ];
    if (corroboration.length === 0) return undefined;
    return {
      status: "SUSPICIOUS",
      explanation: "Something reads the browser's console, and the browser contradicts itself as disguised tools do.",
      compared: [{ label: "Console is being read", value: "true", isOdd: true }, ...corroboration],
    };
  },
};
