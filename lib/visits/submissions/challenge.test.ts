import { afterEach, expect, test } from "vitest";

import { publishSecrets } from "@/lib/platform/secrets";
import { TEST_SECRETS } from "@/test/secrets";
import { createChallenge, openChallenge } from "./challenge";

const site = { environmentId: "env_1", origin: "https://shop.example" };
const issuedAt = new Date("2026-01-01T00:00:00.000Z");

afterEach(() => {
  publishSecrets(TEST_SECRETS);
});

test("a challenge opens as it was issued, and tells that this machine issued it", () => {
  const { challenge, nonce } = createChallenge(site, "2001:db8::7", issuedAt);
  expect(openChallenge(site, challenge, issuedAt)).toEqual({
    nonce,
    issuedAt,
    address: "2001:db8::7",
    isOfOwnClock: true,
  });
});

test("a challenge of an earlier key opens, but its issuer's clock counts as another", () => {
  const { challenge } = createChallenge(site, undefined, issuedAt);
  const newer = `k2:${Buffer.alloc(32, 9).toString("base64")}`;
  publishSecrets({ ...TEST_SECRETS, keyPepper: `${newer},${TEST_SECRETS.keyPepper}` });
  expect(openChallenge(site, challenge, issuedAt)).toMatchObject({ isOfOwnClock: false });
});

test("a challenge from before the clock was set back is refused, instead of living until the clock has caught up", () => {
  const { challenge } = createChallenge(site, undefined, issuedAt);
  const opened = (secondsAfter: number) => () =>
    openChallenge(site, challenge, new Date(issuedAt.getTime() + secondsAfter * 1000));
  for (const seconds of [-300, 0, 120]) expect(opened(seconds)).not.toThrow();
  for (const seconds of [-86_400, -301, 121]) expect(opened(seconds)).toThrow("challenge is no longer valid");
});
