import type { z } from "zod";

import type { RowQuery } from "@/db/prepared";
import type { SubmissionBody } from "@/lib/contract/submission";
import { type ObservedVisit, observeVisit, tokenGeneration } from "@/lib/visits/devices";
import { isAppError } from "@/lib/contract/errors";
import { addressPrefix } from "@/lib/platform/addresses";
import { describePayload, type Payload } from "@/lib/visits/repeats";
import { type Identity, identify, requestFacts, type Visit } from "@/lib/visits/risk";
import { environmentValues, placeOfEnvironment } from "@/lib/tenancy/web-apps";
import { payloadValues, SUBMISSION_FACTS, tokenUseValues } from "@/lib/visits/visit-store";
import { type Challenge, openChallenge } from "./challenge";
import { presentedToken, type SignedVisitor } from "./signed-visitor";

type ReadHeader = (name: string) => string | undefined;

/** A submission as it was sent. */
export type Sent = {
  body: z.output<typeof SubmissionBody>;
  requestHeader: ReadHeader;
  /** Lower case, in the order of arrival. */
  headerNames: readonly string[];
  /** Canonical address of the client, when it can be known. */
  address: string | undefined;
  /** For whom a proxy of the site forwards it, where one does. */
  visitor: SignedVisitor | undefined;
  now: Date;
};

/** What is found out about a submission before the database is asked. */
export type PreparedSubmission = {
  challenge: Challenge;
  visit: Visit;
  identity: Identity;
  observed: ObservedVisit;
  /** The token that counts, of the proxy or of the page; undefined when neither has a usable one. */
  token: string | undefined;
  /** How often the token that came was renewed. */
  tokenGeneration: number;
  /** By what the submission is found when it is sent again. */
  payload: Payload;
};

/** @throws AppError invalid_request, challenge_expired */
export function prepareSubmission(
  caller: { workspaceId: string; environmentId: string; origin: string },
  { body, requestHeader, headerNames, address, visitor, now }: Sent,
): PreparedSubmission {
  const challenge = openChallenge(caller, body.challenge, now);
  const visit = { signals: body.signals, request: requestFacts(requestHeader, headerNames), now };
  const identity = identify(visit);
  const { workspaceId } = caller;
  const { signals, timings } = body;
  const token = presentedToken(workspaceId, body.token, visitor);
  const observed = observeVisit({ workspaceId, token, visit, identity, address, nonce: challenge.nonce });
  const { tokenId, traits } = observed;
  return {
    challenge,
    visit,
    identity,
    observed,
    token,
    tokenGeneration: tokenGeneration(token),
    payload: describePayload({
      workspaceId,
      signals,
      timings,
      tokenId,
      network: address === undefined ? "" : addressPrefix(address),
      picture: traits.canvas,
    }),
  };
}

/** A prepared submission, and what is to be read for it: one row, which `submitImprint` is given. */
export type SubmissionPrefetch = { prepared: PreparedSubmission; query: RowQuery };

/**
 * Prepares a submission before it is known who speaks, so that one statement reads who it is and what the visit is
 * matched by. Nothing where this process has not met the environment yet, or where something is wrong with the
 * submission: `submitImprint` says so once the caller is known.
 */
export function prefetchSubmission(sent: Sent): SubmissionPrefetch | undefined {
  const { environment_id: environmentId } = sent.body;
  const place = placeOfEnvironment(environmentId);
  const origin = sent.requestHeader("origin");
  if (place === undefined || origin === undefined) return undefined;
  try {
    const prepared = prepareSubmission({ environmentId, origin, ...place }, sent);
    const { observed, payload } = prepared;
    const values = [
      observed.query.values,
      environmentValues(place, sent.visitor?.keyId),
      payloadValues(payload, sent.now),
      tokenUseValues(sent.address),
    ];
    return { prepared, query: { sql: SUBMISSION_FACTS, values } };
  } catch (error) {
    if (isAppError(error)) return undefined;
    throw error;
  }
}
