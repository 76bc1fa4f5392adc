import { randomBytes } from "node:crypto";

import { newId, newImprint } from "@/lib/contract/ids";
import { assessNetwork } from "@/lib/visits/network";
import { composeReport } from "@/lib/visits/reports";
import { assessRisk, identify, requestFacts } from "@/lib/visits/risk";
import type { VisitToStore } from "@/lib/visits/visit-store";
import { BROWSER_HEADERS, ordinarySignals, type Site } from "./visits";

type Recognition = VisitToStore["device"]["recognition"];

const headers: Readonly<Record<string, string | undefined>> = BROWSER_HEADERS;

const randomNumber = (): string => String(randomBytes(6).readUIntBE(0, 6));

/** A visit of an ordinary browser that has been evaluated. Without options it is the first of a new device. */
export function makeVisitToStore(
  { workspaceId, webAppId, origin }: Pick<Site, "workspaceId" | "webAppId" | "origin">,
  { address = "198.51.100.20", ...recognition }: Partial<Recognition> & { address?: string } = {},
): VisitToStore {
  const now = new Date();
  const imprint = newImprint(now.getTime());
  const request = requestFacts((name) => headers[name], Object.keys(headers));
  const visit = { signals: ordinarySignals(), request, now };
  const identity = identify(visit);
  const network = assessNetwork({
    clock: { isHidden: true },
    now,
    observedRules: [],
    ...{ address, challengeAddress: address, probedAddress: undefined },
  });
  const risk = assessRisk(visit, { identity });
  return {
    device: {
      workspaceId,
      challenge: { nonce: randomBytes(16).toString("hex"), bodyHash: randomBytes(32), eventId: imprint },
      recognition: {
        tokenId: undefined,
        isTokenKnown: false,
        linkedDeviceId: undefined,
        newDeviceId: newId("device"),
        profile: undefined,
        place: undefined,
        shadow: undefined,
        ...recognition,
      },
      browserFamily: identity.browser.family,
      osFamily: identity.operatingSystem.family,
      payload: {
        durations: { groups: undefined, run: undefined, groupBits: 0, runBits: 0 },
        digests: {
          kind: "1",
          durations: randomNumber(),
          allDurations: randomNumber(),
          token: null,
          network: randomNumber(),
          picture: null,
        },
      },
    },
    visit: {
      ...{ workspaceId, eventId: imprint, webAppId, surface: "default", origin, address },
      ...{ countryCode: undefined, asn: undefined, rulesVersion: risk.rulesVersion, rules: [], agent: undefined },
      report: composeReport({ imprint, identity, risk, network }),
      recognition: { by: "new" },
      evidence: { risk: [] },
      signals: { signals: visit.signals, request },
      messageEnd: undefined,
    },
  };
}
