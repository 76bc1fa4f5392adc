import type { Rule } from "../rule";
import { groupValue, type Visit } from "../visit";

/** Number of features in the first release of the component. Later releases only append. */
const FEATURES = 34;

/** Every realm of every browser has a user agent, so a realm that answered without one was emptied. */
const emptyRealms = ({ signals }: Visit) =>
  (["worker", "iframe"] as const).filter((name) => {
    const realm = groupValue(signals, name);
    return realm !== undefined && realm.userAgent === undefined;
  });

/** Groups that say they were read, without the values that each release of the component reads. */
export const valuesMissing: Rule = {
  id: "incomplete.values-missing",
  reason: "SIGNAL_DATA_INCOMPLETE",
  source: "Browser component, all releases; HTML standard, NavigatorID.userAgent",
  harmlessCauses: ["An extension that breaks basic objects of the browser"],
  check(visit) {
    const features = groupValue(visit.signals, "features");
    const missing = [
      ...emptyRealms(visit).map((name) => `user agent of the ${name === "worker" ? "worker" : "frame"}`),
      ...(features !== undefined && features.length < FEATURES ? [`features beyond ${features.length}`] : []),
    ];
    if (missing.length === 0) return undefined;
    return {
      status: "SUSPICIOUS",
      explanation: "The visit contains groups of signals without the values that the component reads in every browser.",
      compared: [
        { label: "Missing", value: missing.join(", "), isOdd: true },
        { label: "Expected", value: "a state that says why, or the values", isOdd: false },
      ],
    };
  },
};
