import type { Db } from "@/db/client";
import type { Context } from "@/lib/platform/context";
import { verifyAgent } from "@/lib/visits/agents";
import { submitImprintOperation } from "@/lib/contract/submission";
import {
  decidedRecognition,
  type IdentityRecord,
  isHandheld,
  evaluateToken,
  recogniseDevice,
} from "@/lib/visits/devices";
import { AppError } from "@/lib/contract/errors";
import { newImprint } from "@/lib/contract/ids";
import { assessMovement, assessNetwork, type NetworkAssessment } from "@/lib/visits/network";
import { readProbedAddress } from "@/lib/visits/probe";
import { evaluateRepeat } from "@/lib/visits/repeats";
import { composeReport } from "@/lib/visits/reports";
import { metrics } from "@/lib/platform/metrics";
import { assessRisk, type Evidence, firedRules, privacyProfile, type Visit } from "@/lib/visits/risk";
import { sha256 } from "@/lib/platform/secrets";
import { visitMessageEnd } from "@/lib/tenancy/webhooks";
import {
  findChallengeUse,
  findVisitFacts,
  type NewVisit,
  payloadValues,
  tokenUseValues,
} from "@/lib/visits/visit-store";
import type { OriginPrincipal } from "./authenticate-origin";
import { checkRepeat } from "./check-repeat";
import { type PreparedSubmission, prepareSubmission, type Sent, type SubmissionPrefetch } from "./prepare-submission";
import { tokenToKeep } from "./signed-visitor";
import { type SeenBefore, storeVisit } from "./store-visit";
import { tokenHistory } from "./token-history";

type ReportRisk = Pick<NewVisit["report"]["risk"], "status" | "reasons">;
type Row = Readonly<Record<string, unknown>>;
type Input = Omit<Sent, "now"> & {
  rawBody: string;
  /** Prepared and read before the caller was authenticated. */
  prefetched: (SubmissionPrefetch & { row: Row | undefined }) | undefined;
};

const DEFAULT_SURFACE = "default";

/** Privacy modes that give every visitor the same time zone. */
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

type Signed = Awaited<ReturnType<typeof signedBy>>;

/** The agent that signed the request, if the signature was verified. */
const agentOf = (signed: Signed) => (signed && "name" in signed ? signed : undefined);

type Recognised = ReturnType<typeof recogniseDevice>;

/** Everything known of a visit before it is stored. */
type Known = {
  prepared: PreparedSubmission;
  recognised: Recognised;
  network: NetworkAssessment;
  probedAddress: string | undefined;
  signed: Signed;
  /** Findings about the answer to the challenge. */
  proofs: Evidence[];
};

/** Evaluates a bound token. Its generation counts only if the token decided which device the visit belongs to. */
function evaluateTokenOf(workspaceId: string, { prepared, recognised }: Known, token: SeenBefore["token"]) {
  const { tokenId, isTokenKnown } = recognised.recognition;
  if (token === undefined || tokenId === undefined) return undefined;
  return evaluateToken({ workspaceId, tokenId, generation: isTokenKnown ? prepared.tokenGeneration : 0 }, token);
}

function assessVisit({ workspaceId, observedRules }: OriginPrincipal, known: Known, seen: SeenBefore) {
  const { prepared, recognised, network } = known;
  return assessRisk(prepared.visit, {
    extraFindings: [
      ...network.findings,
      ...assessMovement(network.observed, {
        places: seen.token?.places ?? [],
        isHandheld: isHandheld(prepared.observed.traits),
      }),
      ...recognised.findings,
      ...(evaluateTokenOf(workspaceId, known, seen.token)?.findings ?? []),
      ...known.proofs,
      ...evaluateRepeat(seen.repetition, prepared.payload.durations),
    ],
    identity: prepared.identity,
    agent: agentOf(known.signed),
    settings: { observed: observedRules },
  });
}

/** The webhook message of a visit (identifiers and verdict), for workspaces with endpoints subscribed to visits. */
function messageOf(
  { workspaceId, webAppId, origin, hasVisitListener }: OriginPrincipal,
  { imprint, surface, risk: { status, reasons } }: { imprint: string; surface: string; risk: ReportRisk },
): string | undefined {
  if (!hasVisitListener) return undefined;
  return visitMessageEnd({
    imprint,
    workspace_id: workspaceId,
    web_app_id: webAppId,
    surface,
    origin,
    risk: { status, reasons },
  });
}

type Evaluated = { visit: NewVisit; risk: ReturnType<typeof assessRisk> };

/** Counts an accepted submission. A repeated one was already evaluated when it first arrived. */
function countSubmission(evaluated: Evaluated | undefined, record: IdentityRecord): void {
  const recorder = metrics();
  if (!recorder) return;
  if (!evaluated) {
    recorder.count("imprint_submissions_total", { outcome: "repeated", verdict: "none" });
    return;
  }
  const { status, evidence, observed } = evaluated.risk;
  recorder.count("imprint_submissions_total", { outcome: "stored", verdict: status });
  recorder.count("imprint_matches_total", { outcome: decidedRecognition(record).by });
  for (const { ruleId } of [...evidence, ...observed]) recorder.count("imprint_rules_fired_total", { rule: ruleId });
}

/** Builds the visit to store, given the facts of earlier visits. */
function visitAfter(
  seen: SeenBefore,
  visit: Known & { caller: OriginPrincipal; input: Input; imprint: string },
): Evaluated {
  const { prepared, recognised, network, probedAddress, caller, input, imprint } = visit;
  const { observed } = network;
  const risk = assessVisit(caller, visit, seen);
  const report = composeReport({ imprint, identity: prepared.identity, risk, network });
  const surface = input.body.surface ?? DEFAULT_SURFACE;
  const stored: NewVisit = {
    workspaceId: caller.workspaceId,
    eventId: imprint,
    webAppId: caller.webAppId,
    surface,
    origin: caller.origin,
    address: input.address,
    countryCode: observed.countryCode,
    asn: observed.asn,
    report,
    rulesVersion: risk.rulesVersion,
    rules: firedRules(risk),
    recognition: decidedRecognition(recognised.record),
    agent: agentOf(visit.signed)?.name,
    evidence: {
      risk: risk.evidence,
      ...(risk.observed.length > 0 && { observed: risk.observed }),
      profile: risk.profile,
      identity: recognised.record,
      network: observed.evidence,
      challengeAddress: prepared.challenge.address,
      probedAddress,
      agent: visit.signed,
    },
    signals: { signals: prepared.visit.signals, request: prepared.visit.request, timings: input.body.timings },
    messageEnd: messageOf(caller, { imprint, surface, risk: report.risk }),
  };
  return { visit: stored, risk };
}

/**
 * Records a visit and computes its Report, atomically. Resubmitting the identical body returns the same imprint. A
 * client whose token was refused or renewed receives a new one.
 *
 * @throws AppError `invalid_request`, `challenge_expired`, `challenge_used`, `environment_disabled`,
 * `request_limit_reached`
 */
export async function submitImprint(
  context: Context,
  caller: OriginPrincipal,
  input: Input,
): Promise<{ imprint: string; token?: string }> {
  const { rawBody, address, prefetched } = input;
  const { workspaceId, observedRules } = caller;
  const prepared = prefetched?.prepared ?? prepareSubmission(caller, { now: context.now, ...input });
  const { challenge, visit, identity, observed, payload } = prepared;
  const bodyHash = sha256(rawBody);
  const row =
    prefetched?.row ??
    (await findVisitFacts(
      context.db,
      observed.query.values,
      payloadValues(payload, context.now),
      tokenUseValues(address),
    ));
  const recognised = recogniseDevice(observed, context.now, row);
  const [probedAddress, signed] = await Promise.all([
    readProbedAddress(context.db, challenge.nonce, address),
    signedBy(context, input, bodyHash),
  ]);
  const { recognition } = recognised;
  const addresses = { address, challengeAddress: challenge.address, probedAddress };
  const network = assessNetwork({ clock: browserClock(visit), now: context.now, observedRules, ...addresses });
  const proofs = checkRepeat({ body: input.body, rawBody, now: context.now }, challenge);
  const known = { prepared, recognised, network, probedAddress, signed, proofs };
  const token = recognition.isTokenKnown ? tokenHistory(workspaceId, row) : undefined;
  const evaluatedToken = evaluateTokenOf(workspaceId, known, token);
  const imprint = newImprint(context.now.getTime());

  let evaluated: Evaluated | undefined;
  const isNew = await storeVisit(context.db, {
    isTrial: caller.plan === "trial",
    now: context.now,
    device: {
      workspaceId,
      challenge: { nonce: challenge.nonce, bodyHash, eventId: imprint },
      recognition,
      tokenTurn: evaluatedToken?.turn,
      browserFamily: identity.browser.family,
      osFamily: identity.operatingSystem.family,
      payload,
    },
    token,
    visitOf(seen) {
      evaluated = visitAfter(seen, { caller, input, imprint, ...known });
      return evaluated.visit;
    },
  });
  countSubmission(isNew ? evaluated : undefined, recognised.record);
  const newToken =
    recognised.newToken ??
    (isNew ? evaluatedToken?.token : evaluatedToken?.tokenAgain) ??
    tokenToKeep(prepared.token, input.visitor);
  return {
    imprint: isNew ? imprint : await repeated(context.db, workspaceId, challenge.nonce, bodyHash),
    ...(newToken !== undefined && { token: newToken }),
  };
}
