import type { z } from "zod";

import type { RowQuery } from "@/db/prepared";
import type { SubmissionBody } from "@/lib/contract/submission";
import { type ObservedVisit, observeVisit, tokenGeneration } from "@/lib/visits/devices";
import { isAppError } from "@/lib/contract/errors";
import { addressPrefix } from "@/lib/platform/addresses";
import { describePayload, type Payload, pictureOf } from "@/lib/visits/repeats";
import { type Identity, identify, requestFacts, type Visit } from "@/lib/visits/risk";
import { environmentValues, placeOfEnvironment } from "@/lib/tenancy/web-apps";
import { payloadValues, SUBMISSION_FACTS, tokenUseValues } from "@/lib/visits/visit-store";
import { type Challenge, openChallenge } from "./challenge";
import { presentedToken, type SignedVisitor } from "./signed-visitor";

type ReadHeader = (name: string) => string | undefined;

/** A submission as received. */
export type Sent = {
  body: z.output<typeof SubmissionBody>;
  requestHeader: ReadHeader;
  /** Lower case, in the order of arrival. */
  headerNames: readonly string[];
  /** Canonical client address, if known. */
  address: string | undefined;
  /** The visitor on whose behalf the site's proxy sends the request, if it does. */
  visitor: SignedVisitor | undefined;
  now: Date;
};

/** Everything derived from a submission without the database. */
export type PreparedSubmission = {
  challenge: Challenge;
  visit: Visit;
  identity: Identity;
  observed: ObservedVisit;
  /** The token that counts, from the proxy or the page. Undefined if neither presented a usable one. */
  token: string | undefined;
  /** How often the presented token had been renewed. */
  tokenGeneration: number;
  /** Digests by which a resent submission is detected. */
  payload: Payload;
};

/** @throws AppError `invalid_request`, `challenge_expired` */
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
      picture: pictureOf(traits),
    }),
  };
}

/** A prepared submission and the query for its row. Both are passed to `submitImprint`. */
export type SubmissionPrefetch = { prepared: PreparedSubmission; query: RowQuery };

/**
 * Prepares a submission before the caller is authenticated, so that one statement reads both the environment and the
 * facts for matching. Undefined if this process has not seen the environment yet or the submission is invalid; in that
 * case `submitImprint` reports the error once the caller is known.
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
