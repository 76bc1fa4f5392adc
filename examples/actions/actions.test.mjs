// node --test actions.test.mjs
import assert from "node:assert/strict";
import test from "node:test";

import { createImprintServer } from "imprint-server";

import { checkPasswordReset } from "./password-reset.mjs";
import { checkPayment } from "./payment.mjs";
import { checkRegistration } from "./registration.mjs";
import { checkSignIn } from "./sign-in.mjs";

const field = "imp_019aa5de0c5b7a1e9f3b52c4d81f7bd4";

/**
 * @typedef {{ status?: number, surface?: string, age?: number, delivery?: string, risk?: string, id?: string }} Answer
 *
 * A client that gets this answer instead of the service's: no network, no key.
 *
 * @param {Answer} answer
 */
const answering = ({ status = 200, surface = "", age = 5, delivery = "first", risk = "PASS", id = "dev_1" }) =>
  createImprintServer({
    endpoint: "https://imprint.test",
    apiKey: "test",
    retries: 0,
    fetch: async () =>
      Response.json(
        {
          ...{ schema_version: "1.0", imprint: field, created_at: "2026-01-01T00:00:00.000Z" },
          device: { id, seen_before: true, access_count: 2, previous_seen_at: null },
          risk: { status: risk, reasons: risk === "PASS" ? [] : ["AUTOMATION_DETECTED"], findings: [] },
          ...{ browser: { status: "PASS" }, operating_system: { status: "PASS" } },
          network: { status: "PASS", ip_consistency: "MATCH", observed_ip: "203.0.113.7" },
        },
        {
          status,
          headers: {
            "Imprint-Surface": surface,
            "Imprint-Origin": "https://shop.example",
            "Imprint-Age": String(age),
            "Imprint-Delivery": delivery,
          },
        },
      ),
  });

const knownDevices = new Set(["dev_1"]);

test("sign-in: a known device goes in, everything else is asked for a second factor", async () => {
  const step = async (/** @type {Answer} */ answer) =>
    (await checkSignIn(answering({ surface: "sign-in", ...answer }), { field, attemptId: "a", knownDevices })).step;
  assert.equal(await step({}), "none");
  for (const answer of [{ id: "dev_2" }, { risk: "DECEPTIVE" }, { age: 301 }, { delivery: "repeat" }, { status: 503 }])
    assert.equal(await step(answer), "second factor");
});

test("registration: many accounts of one device are verified first", async () => {
  const step = async (/** @type {Answer} */ answer, /** @type {number} */ count) => {
    const form = { field, formId: "f", countAccounts: async () => count };
    return (await checkRegistration(answering({ surface: "registration", ...answer }), form)).step;
  };
  assert.equal(await step({}, 2), "create");
  assert.equal(await step({}, 3), "verify first");
  assert.equal(await step({ risk: "DECEPTIVE" }, 0), "verify first");
  assert.equal(await step({ surface: "newsletter" }, 0), "verify first");
});

test("payment: an imprint of another action or address is no evidence, a disguise is looked at", async () => {
  const step = async (/** @type {Answer} */ answer, order = {}) => {
    const whole = { field, id: "o", cents: 9900, address: "203.0.113.7", isUsualDevice: async () => true, ...order };
    return (await checkPayment(answering({ surface: "payment", ...answer }), whole)).step;
  };
  assert.equal(await step({}), "charge");
  assert.equal(await step({}, { isUsualDevice: async () => false }), "ask the bank");
  assert.equal(await step({}, { isUsualDevice: async () => false, cents: 500 }), "charge");
  assert.equal(await step({}, { address: "203.0.113.8" }), "ask the bank");
  assert.equal(await step({ surface: "newsletter" }), "ask the bank");
  assert.equal(await step({ risk: "DECEPTIVE" }), "review");
});

test("password reset: an unknown device may set the password, and waits for the rest", async () => {
  const step = async (/** @type {Answer} */ answer) => {
    const reset = { field, linkId: "l", knownDevices };
    return (await checkPasswordReset(answering({ surface: "password-reset", ...answer }), reset)).step;
  };
  assert.equal(await step({}), "set");
  assert.equal(await step({ id: "dev_2" }), "set and hold");
  assert.equal(await step({ status: 401 }), "set and hold");
});
