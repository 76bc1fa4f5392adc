import type { Rule } from "../rule";
import { parseUserAgent } from "../user-agent";
import { groupValue } from "../visit";

/**
 * A user agent that names a program. It is declared openly and anyone can write it, so it is no proof, but no person's
 * browser has it.
 */
export const programName: Rule = {
  id: "automation.program-name",
  reason: "AUTOMATION_DETECTED",
  source: "RFC 9110, User-Agent; default names of HTTP libraries, crawlers and agents",
  harmlessCauses: [
    "A crawler or agent that you allow",
    "A server of the site that forwards submissions under its own name",
    "A user agent that a person wrote by hand",
  ],
  check({ signals, request }) {
    const named = [
      { label: "User agent, page", value: groupValue(signals, "navigator")?.userAgent },
      { label: "User-Agent header", value: request.userAgent },
    ].flatMap(({ label, value }) =>
      value === undefined ? [] : [{ label, value, program: parseUserAgent(value).program }],
    );
    const program = named.find((entry) => entry.program !== undefined)?.program;
    if (program === undefined) return undefined;
    return {
      status: "SUSPICIOUS",
      explanation: `The visit identifies itself as a program (${program}), which is not a browser that a person uses.`,
      compared: [
        ...named.map(({ label, value, program: own }) => ({ label, value, isOdd: own !== undefined })),
        { label: "Expected", value: "the name of a browser", isOdd: false },
      ],
    };
  },
};
