import fc from "fast-check";
import { expect, test } from "vitest";

import { answerDatagram } from "./answer-datagram";
import { issueCredentials } from "./credentials";
import { allocateRequest, bindingRequest, readReply } from "./testing";

const NOW = new Date("2026-11-21T12:00:00Z");
const PEER = { address: "203.0.113.9", port: 40_000 };
const CHALLENGE = "0123456789abcdef".repeat(2);

const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);
const ask = (bytes: Buffer, peer = PEER, at = NOW) => {
  const answer = answerDatagram(bytes, peer, at);
  if (!answer) throw new Error("no answer");
  return { ...readReply(answer.reply), challengeNonce: answer.challengeNonce, bytes: answer.reply.length };
};
/** The exchange of a browser: first without credentials, then with them. */
function allocate(credentials: { username: string; credential: string }, { at = NOW, peer = PEER, nonce = "" } = {}) {
  const challenged = ask(allocateRequest(), peer, at);
  const { username, credential: password } = credentials;
  return ask(
    allocateRequest({ username, password, realm: challenged.realm, nonce: nonce || challenged.nonce }),
    peer,
    at,
  );
}

test("answerDatagram: names the challenge of a sender that proves its credentials, and relays nothing", () => {
  expect(allocate(issueCredentials(CHALLENGE, NOW))).toMatchObject({
    type: 0x0113,
    code: 403,
    challengeNonce: CHALLENGE,
  });
});

test("answerDatagram: names no challenge for a wrong password, whoever's it is", () => {
  const own = issueCredentials(CHALLENGE, NOW);
  const other = issueCredentials("f".repeat(32), NOW);
  for (const credential of ["", "guess", other.credential]) {
    expect(allocate({ ...own, credential })).toMatchObject({ code: 403, challengeNonce: undefined });
  }
});

test("answerDatagram: names no challenge for a username that was altered, has expired or is from the future", () => {
  const own = issueCredentials(CHALLENGE, NOW);
  const renamed = { ...own, username: own.username.replace("0", "1") };
  expect(allocate(renamed).challengeNonce).toBeUndefined();
  expect(allocate(own, { at: later(119) }).challengeNonce).toBe(CHALLENGE);
  expect(allocate(own, { at: later(122) }).challengeNonce).toBeUndefined();
  expect(allocate(issueCredentials(CHALLENGE, later(60))).challengeNonce).toBeUndefined();
});

test("answerDatagram: asks again if the nonce is old or belongs to another sender", () => {
  const own = issueCredentials(CHALLENGE, NOW);
  const { nonce } = ask(allocateRequest());
  const elsewhere = { address: "198.51.100.7", port: PEER.port };
  expect(allocate(own, { nonce, peer: elsewhere })).toMatchObject({ code: 401, challengeNonce: undefined });
  expect(allocate(own, { nonce: "made up" })).toMatchObject({ code: 401, challengeNonce: undefined });
  expect(allocate(own, { nonce, at: later(59) })).toMatchObject({ code: 403, challengeNonce: CHALLENGE });
  expect(allocate(own, { nonce, at: later(121) })).toMatchObject({ code: 401 });
});

test("answerDatagram: ignores attributes after the integrity, and a second username", () => {
  const { realm, nonce } = ask(allocateRequest());
  const { username, credential: password } = issueCredentials(CHALLENGE, NOW);
  const signed = allocateRequest({ username: "x", password, realm, nonce });
  const appended = Buffer.concat([
    signed,
    Buffer.from([0, 6, 0, username.length]),
    Buffer.from(username.padEnd(44, "\0")),
  ]);
  appended.writeUInt16BE(appended.length - 20, 2);
  expect(ask(appended).challengeNonce).toBeUndefined();
});

test("answerDatagram: answers a Binding request with its source address", () => {
  const { type, mapped } = ask(bindingRequest());
  expect(type).toBe(0x0101);
  const port = (mapped?.readUInt16BE(2) ?? 0) ^ 0x2112;
  const address = [...(mapped?.subarray(4) ?? [])].map((byte, index) => byte ^ ([0x21, 0x12, 0xa4, 0x42][index] ?? 0));
  expect([port, address.join(".")]).toEqual([PEER.port, PEER.address]);
  expect(ask(bindingRequest(), { address: "2001:db8::1", port: 1 }).mapped).toHaveLength(20);
});

test("answerDatagram: sends short answers, so that forging a sender's address is not worthwhile", () => {
  const own = issueCredentials(CHALLENGE, NOW);
  expect(ask(bindingRequest(), { address: "2001:db8::1", port: 1 }).bytes).toBeLessThanOrEqual(56);
  expect(ask(allocateRequest()).bytes).toBeLessThanOrEqual(80);
  expect(allocate(own).bytes).toBeLessThanOrEqual(40);
});

test("answerDatagram: does not answer anything else, and never throws", () => {
  const signed = allocateRequest({ username: "a", password: "b", realm: "imprint", nonce: "c" });
  const mutated = fc
    .tuple(fc.constantFrom(signed, bindingRequest(), allocateRequest()), fc.nat(90), fc.nat(255), fc.nat(100))
    .map(([bytes, at, value, length]) => {
      const copy = Buffer.from(bytes.subarray(0, bytes.length - (length % 9)));
      if (at < copy.length) copy[at] = value;
      return copy;
    });
  fc.assert(
    fc.property(
      fc.oneof(
        fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
        mutated,
      ),
      (bytes) => {
        expect(answerDatagram(bytes, PEER, NOW)?.challengeNonce).toBeUndefined();
      },
    ),
  );
  for (const bytes of [Buffer.alloc(0), Buffer.alloc(20), Buffer.from("GET / HTTP/1.1\r\n\r\n    ")]) {
    expect(answerDatagram(bytes, PEER, NOW)).toBeUndefined();
  }
});
