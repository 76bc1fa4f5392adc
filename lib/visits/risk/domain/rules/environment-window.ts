import type { Rule } from "../rule";
import { isDesktop, windowFacts } from "../window";

/** A desktop window that is larger than the screen that it is on, as where only the screen or only the window is emulated. */
export const environmentWindow: Rule = {
  id: "environment.window",
  reason: "ENVIRONMENT_INCONSISTENT",
  source: "CSSOM View, Window.outerWidth and Screen.width",
  harmlessCauses: ["A screen that was changed while the page was open", "Remote desktops that scale the screen"],
  explainedBy: ["tor", "gecko-rfp", "webkit"],
  check({ signals }, identity) {
    const facts = windowFacts(signals);
    if (facts?.isTooLarge !== true || !isDesktop(identity.operatingSystem.family)) return undefined;
    return {
      status: "SUSPICIOUS",
      explanation: "The browser's window is larger than the screen it is on.",
      compared: [...facts.compared, { label: "Expected", value: "a window within its screen", isOdd: false }],
      ...(facts.mayStretch && { harmlessCauses: ["A window that stretches over two screens"] }),
    };
  },
};
