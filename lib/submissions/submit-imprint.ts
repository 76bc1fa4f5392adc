import type { z } from "zod";

import type { Db } from "@/db/client";
import type { Context } from "@/lib/context";
import type { SubmissionBody } from "@/lib/contract/submission";
import { recogniseDevice } from "@/lib/devices";
import { AppError } from "@/lib/errors";
import { newImprint } from "@/lib/ids";
import { assessNetwork } from "@/lib/network";
import { readSighting } from "@/lib/probe";
import { composeReport } from "@/lib/reports";
import { assessRisk, identify, privacyProfile, type RequestFacts, type Visit } from "@/lib/risk";
import { sha256 } from "@/lib/secrets";
import type { OriginPrincipal } from "./authenticate-origin";
import { openChallenge } from "./challenge";
import { findChallengeUse } from "./queries";
import { storeVisit } from "./store-visit";

type Body = z.output<typeof SubmissionBody>;
type ReadHeader = (name: string) => string | undefined;
type Input = { body: Body; rawBody: string; requestHeader: ReadHeader; address: string | undefined };

const DEFAULT_SURFACE = "default";

function requestFacts(read: ReadHeader): RequestFacts {
  const header = (name: string) => read(name)?.slice(0, 512);
  const facts = { userAgent: header("user-agent"), acceptLanguage: header("accept-language") };
  const hints = {
    brands: header("sec-ch-ua"),
    mobile: header("sec-ch-ua-mobile"),
    platform: header("sec-ch-ua-platform"),
  };
  const present = (values: Record<string, string | undefined>) =>
    Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
  return { ...present(facts), clientHints: present(hints) };
}

/** Protections that give every visitor the same clock. */
const CLOCK_HIDING = new Set(["gecko-rfp", "tor"]);

function browserClock(visit: Visit) {
  const { timezone } = visit.signals;
  const isHidden = CLOCK_HIDING.has(privacyProfile(visit));
  if (timezone?.state !== "ok") return { isHidden };
  return { timeZone: timezone.value.timeZone, offsetMinutes: timezone.value.now, isHidden };
}

async function repeated(db: Db, workspaceId: string, nonce: string, bodyHash: Uint8Array): Promise<string> {
  const use = await findChallengeUse(db, workspaceId, nonce);
  if (use && Buffer.from(use.bodyHash).equals(bodyHash)) return use.eventId;
  throw new AppError("challenge_used");
}

/**
 * Records one visit and computes its Report, both or neither; the identical body again gives the same imprint.
 *
 * @throws AppError invalid_request, challenge_expired, challenge_used, environment_disabled, request_limit_reached
 */
export async function submitImprint(
  context: Context,
  caller: OriginPrincipal,
  input: Input,
): Promise<{ imprint: string }> {
  const { body, rawBody, requestHeader, address } = input;
  const { workspaceId } = caller;
  const challenge = openChallenge(caller, body.challenge, context.now);
  const bodyHash = sha256(rawBody);
  const visit = { signals: body.signals, request: requestFacts(requestHeader) };
  const identity = identify(visit);
  const sent = { workspaceId, token: body.token, visit, identity, address, now: context.now };
  const [recognised, probedAddress] = await Promise.all([
    recogniseDevice(context.db, sent),
    readSighting(context.db, challenge.nonce, address),
  ]);
  const addresses = { address, challengeAddress: challenge.address, probedAddress };
  const network = assessNetwork({ ...addresses, clock: browserClock(visit), now: context.now });
  const risk = assessRisk(visit, [...network.findings, ...recognised.findings], identity);
  const imprint = newImprint(context.now.getTime());

  const isNew = await storeVisit(context.db, {
    isTrial: caller.plan === "trial",
    now: context.now,
    device: {
      workspaceId,
      challenge: { nonce: challenge.nonce, bodyHash, eventId: imprint },
      recognition: recognised.recognition,
      browserFamily: identity.browser.family,
      osFamily: identity.operatingSystem.family,
    },
    visit: {
      workspaceId,
      eventId: imprint,
      webAppId: caller.webAppId,
      surface: body.surface ?? DEFAULT_SURFACE,
      origin: caller.origin,
      address,
      countryCode: network.observed.countryCode,
      asn: network.observed.asn,
      report: composeReport({ imprint, identity, risk, network }),
      rulesVersion: risk.rulesVersion,
      evidence: {
        risk: risk.evidence,
        profile: risk.profile,
        identity: recognised.record,
        network: network.observed.evidence,
        challengeAddress: challenge.address,
        probedAddress,
      },
      signals: { signals: visit.signals, request: visit.request, timings: body.timings },
    },
  });
  return { imprint: isNew ? imprint : await repeated(context.db, workspaceId, challenge.nonce, bodyHash) };
}
