import type { Rule } from "../rule";
import { groupValue, type Visit } from "../visit";

/** Number of features in the first release of the component. Later releases only append. */
const FEATURES = 34;

/** What every realm of a browser has if its page has it. */
const SHARED = ["userAgent", "platform", "languages", "hardwareConcurrency"] as const;

/** A single missing value may be an extension's doing. */
const LIMITS = { leastValues: 2 };

/** Values of the page that a worker or a frame lacks, although it answered: emptied, so that nothing can contradict. */
function emptiedRealms({ signals }: Visit, leastValues: number): string[] {
  const page = groupValue(signals, "navigator");
  return (["worker", "iframe"] as const).flatMap((name) => {
    const realm = groupValue(signals, name);
    const missing = SHARED.filter((value) => page?.[value] !== undefined && realm?.[value] === undefined);
    return realm === undefined || missing.length < leastValues ? [] : [`${missing.join(", ")} of the ${name}`];
  });
}

/** Groups that say they were read, without the values that each release of the component reads. */
export const valuesMissing: Rule = {
  id: "incomplete.values-missing",
  reason: "SIGNAL_DATA_INCOMPLETE",
  source:
    "Browser component, all releases; HTML standard, NavigatorID, NavigatorLanguage and NavigatorConcurrentHardware of workers",
  harmlessCauses: ["An extension that breaks basic objects of the browser"],
  limits: LIMITS,
  check(visit, _identity, _profile, limits) {
    const { leastValues } = { ...LIMITS, ...limits };
    const features = groupValue(visit.signals, "features");
    const missing = [
      ...emptiedRealms(visit, leastValues),
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
