import type { Db } from "@/db/client";
import type { Context } from "@/lib/context";
import { verifyAgent } from "@/lib/agents";
import { submitImprintOperation } from "@/lib/contract/submission";
import { decidedRecognition, recogniseDevice } from "@/lib/devices";
import { AppError } from "@/lib/errors";
import { newImprint } from "@/lib/ids";
import { assessNetwork } from "@/lib/network";
import { readSighting } from "@/lib/probe";
import { composeReport } from "@/lib/reports";
import { assessRisk, privacyProfile, type Visit } from "@/lib/risk";
import { sha256 } from "@/lib/secrets";
import type { OriginPrincipal } from "./authenticate-origin";
import { prepareSubmission, type Sent, type SubmissionAhead } from "./prepare-submission";
import { findChallengeUse } from "./queries";
import { storeVisit } from "./store-visit";

type Row = Readonly<Record<string, unknown>>;
type Input = Omit<Sent, "now"> & {
  rawBody: string;
  /** What was prepared and read before it was known who speaks. */
  ahead: (SubmissionAhead & { row: Row | undefined }) | undefined;
};

const DEFAULT_SURFACE = "default";

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

function signedBy({ db, now }: Context, { requestHeader }: Input, bodyHash: Uint8Array) {
  const { method, path } = submitImprintOperation;
  return verifyAgent(db, { header: requestHeader, method, path, bodyHash }, now);
}

/**
 * Records one visit and computes its Report, both or neither; the identical body again gives the same imprint. A client
 * whose token is refused gets another one.
 *
 * @throws AppError invalid_request, challenge_expired, challenge_used, environment_disabled, request_limit_reached
 */
export async function submitImprint(
  context: Context,
  caller: OriginPrincipal,
  input: Input,
): Promise<{ imprint: string; token?: string }> {
  const { body, rawBody, address, ahead } = input;
  const { workspaceId } = caller;
  const { challenge, visit, identity, observed } =
    ahead?.prepared ?? prepareSubmission(caller, { ...input, now: context.now });
  const bodyHash = sha256(rawBody);
  const [recognised, probedAddress, signed] = await Promise.all([
    recogniseDevice(context.db, observed, context.now, ahead?.row),
    readSighting(context.db, challenge.nonce, address),
    signedBy(context, input, bodyHash),
  ]);
  const agent = signed && "name" in signed ? signed : undefined;
  const addresses = { address, challengeAddress: challenge.address, probedAddress };
  const network = assessNetwork({ ...addresses, clock: browserClock(visit), now: context.now });
  const risk = assessRisk(visit, [...network.findings, ...recognised.findings], identity, agent);
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
      recognition: decidedRecognition(recognised.record),
      agent: agent?.name,
      evidence: {
        risk: risk.evidence,
        profile: risk.profile,
        identity: recognised.record,
        network: network.observed.evidence,
        challengeAddress: challenge.address,
        probedAddress,
        agent: signed,
      },
      signals: { signals: visit.signals, request: visit.request, timings: body.timings },
    },
  });
  return {
    imprint: isNew ? imprint : await repeated(context.db, workspaceId, challenge.nonce, bodyHash),
    ...(recognised.newToken !== undefined && { token: recognised.newToken }),
  };
}
