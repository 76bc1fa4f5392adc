import type { Rule } from "../rule";
import { isDesktop, MAX_OVERLAP, windowFacts } from "../window";

const LIMITS = { maxOverlap: MAX_OVERLAP };

/** A desktop window larger than its screen, as happens if only the screen or only the window is emulated. */
export const environmentWindow: Rule = {
  id: "environment.window",
  reason: "ENVIRONMENT_INCONSISTENT",
  source: "CSSOM View, Window.outerWidth and Screen.width",
  harmlessCauses: ["A screen that was changed while the page was open", "Remote desktops that scale the screen"],
  explainedBy: ["tor", "gecko-rfp", "webkit"],
  limits: LIMITS,
  check({ signals }, identity, _profile, limits) {
    const { maxOverlap } = { ...LIMITS, ...limits };
    const facts = windowFacts(signals, maxOverlap);
    if (facts?.isTooLarge !== true || facts.isAcross) return undefined;
    if (!isDesktop(identity.operatingSystem.family)) return undefined;
    return {
      status: "SUSPICIOUS",
      explanation: "The browser's window is larger than the screen it is on.",
      compared: [...facts.compared, { label: "Expected", value: "a window within its screen", isOdd: false }],
      ...(facts.mayStretch && { harmlessCauses: ["A window that stretches over two screens"] }),
    };
  },
};
