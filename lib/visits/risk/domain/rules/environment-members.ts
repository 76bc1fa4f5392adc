import { replacedMembers } from "../replaced-members";
import type { Rule } from "../rule";

/** Built-in members that describe the browser but were replaced by a script. */
export const environmentMembers: Rule = {
  id: "environment.members",
  reason: "ENVIRONMENT_INCONSISTENT",
  source: "Web IDL, attributes on the interface prototype object; CreepJS, lies",
  harmlessCauses: ["An extension that changes the user agent or the time zone", "A polyfill for old browsers"],
  check(visit) {
    const compared = replacedMembers(visit);
    if (compared.length === 0) return undefined;
    return {
      status: "SUSPICIOUS",
      explanation: "A script replaced the browser's description of itself with its own answers.",
      compared: [...compared, { label: "Expected", value: "the browser's own code", isOdd: false }],
    };
  },
};
