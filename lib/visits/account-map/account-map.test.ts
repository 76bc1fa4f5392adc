import { expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { bruteForce, firstsOf, type LinkEvent, runLinkSeed } from "@/test/account-map";

const CLIENTS = 50;
/** `npm run bench:account-map` checks a hundred. */
const SEEDS = 5;
const { db } = await createTestDatabase({ poolSize: CLIENTS });

test(
  `${SEEDS} seeds of 4,000 shuffled, repeated, delayed and aborted links over ${CLIENTS} connections agree with the definition`,
  { timeout: 600_000 },
  async () => {
    const total = { calls: 0, aborted: 0, checked: 0, compared: 0 };
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const { violations, ...tally } = await runLinkSeed(db, seed, CLIENTS);
      expect(violations.slice(0, 5), `seed ${seed}`).toEqual([]);
      for (const name of ["calls", "aborted", "checked", "compared"] as const) total[name] += tally[name];
    }
    expect(total.calls).toBeGreaterThan(SEEDS * 3_800);
    expect(total.aborted).toBeGreaterThan(SEEDS * 100);
    expect(total.checked).toBeGreaterThan(SEEDS * 500);
    expect(total.compared).toBe(SEEDS * 2_000);
  },
);

test("the definition itself: an hour ends exactly, and the id decides between equal times", () => {
  const event = (order: number, atSecond: number, account: number, device = 1): LinkEvent => ({
    imprint: `imp_${order}`,
    device,
    account,
    atSecond,
    order,
  });
  const [first, second, third, fourth] = [
    event(0, 0, 1),
    event(1, 1, 2),
    event(2, 3600, 3),
    event(3, 3600, 1),
  ] as const;
  const all = firstsOf([first, second, third, fourth]);
  expect(bruteForce(all, third)).toEqual({
    account_seen_before: false,
    relationship_seen_before: false,
    accounts_on_device: 3,
    devices_on_account: 1,
    accounts_first_seen_on_device_1h: 2,
  });
  expect(bruteForce(all, fourth)).toMatchObject({ account_seen_before: true, relationship_seen_before: true });
  expect(bruteForce(all, first)).toMatchObject({ accounts_on_device: 1, accounts_first_seen_on_device_1h: 1 });
});
