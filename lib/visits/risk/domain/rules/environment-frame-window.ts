import type { Rule } from "../rule";
import { groupValue } from "../visit";

/** A new frame whose window is not its own `self`, so something intercepts access between the page and its frames. */
export const environmentFrameWindow: Rule = {
  id: "environment.frame-window",
  reason: "ENVIRONMENT_INCONSISTENT",
  source: "HTML standard, Window.self; puppeteer-extra-plugin-stealth, iframe.contentWindow",
  harmlessCauses: ["An extension that changes the frames of a page"],
  check({ signals }) {
    if (groupValue(signals, "iframe")?.isSelfWindow !== false) return undefined;
    return {
      status: "SUSPICIOUS",
      explanation: "Something intercepts access between the page and the window of a frame that it has just created.",
      compared: [
        { label: "The frame's window is its own self", value: "false", isOdd: true },
        { label: "Expected", value: "true", isOdd: false },
      ],
    };
  },
};
