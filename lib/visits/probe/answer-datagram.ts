import { challengeOfUsername, issueNonce, nonceHolds, passwordsOf } from "./credentials";
import {
  ALLOCATE_REQUEST,
  BINDING_REQUEST,
  bindingSuccess,
  forbidden,
  integrityHolds,
  parseRequest,
  type StunRequest,
  unauthorized,
} from "./stun";

const REALM = "imprint";

/** Canonical address and port of a sender. */
export type Peer = { address: string; port: number };

export type Answer = {
  reply: Buffer;
  /** The challenge whose credentials the sender has proved to know. */
  challengeNonce?: string;
};

function answerAllocate(request: StunRequest, { address, port }: Peer, now: Date): Answer {
  const { username, nonce } = request;
  const peer = `${address} ${port}`;
  if (username === undefined || nonce === undefined || !nonceHolds(nonce, peer, now))
    return { reply: unauthorized(request, REALM, issueNonce(peer, now)) };
  const challengeNonce = challengeOfUsername(username, now);
  const isProven =
    challengeNonce !== undefined && passwordsOf(username).some((password) => integrityHolds(request, REALM, password));
  return { reply: forbidden(request), ...(isProven && { challengeNonce }) };
}

/**
 * Answers a datagram; undefined unless it is a STUN or TURN request. Allocations are never granted: their credentials
 * only prove which challenge the sender has.
 */
export function answerDatagram(bytes: Buffer, peer: Peer, now: Date): Answer | undefined {
  const request = parseRequest(bytes);
  if (request?.type === BINDING_REQUEST) return { reply: bindingSuccess(request, peer.address, peer.port) };
  return request?.type === ALLOCATE_REQUEST ? answerAllocate(request, peer, now) : undefined;
}
