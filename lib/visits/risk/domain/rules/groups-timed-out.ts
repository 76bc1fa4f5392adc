import type { Rule } from "../rule";

/** So many groups timed out that the comparisons say little. */
export const groupsTimedOut: Rule = {
  id: "incomplete.groups-timed-out",
  reason: "SIGNAL_DATA_INCOMPLETE",
  source: "Time limits of the browser component",
  // Most groups are read immediately, so even a device that goes to sleep has their values in time.
  harmlessCauses: ["A page or extension that replaces the timers or promises of the browser"],
  check({ signals }) {
    const groups = Object.entries(signals);
    const late = groups.filter(([, group]) => group?.state === "timeout");
    if (late.length * 2 <= groups.length) return undefined;
    return {
      status: "SUSPICIOUS",
      explanation: "More than half of the checks did not finish in time.",
      compared: [
        { label: "Groups that timed out", value: late.map(([name]) => name).join(", "), isOdd: true },
        { label: "Groups in the submission", value: String(groups.length), isOdd: false },
      ],
    };
  },
};
