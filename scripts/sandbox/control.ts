import { z } from "zod";

import { FAULTS } from "./faults";
import { startJsonServer } from "./json-server";
import type { Sandbox } from "./sandbox";

const Order = z.strictObject({
  inject: z.array(z.enum(FAULTS)).default([]),
  heal: z.boolean().default(false),
  advanceSeconds: z.number().int().min(0).default(0),
});

/**
 * Controls a sandbox from other processes: `POST /` with `{inject?, heal?, advanceSeconds?}`, applied in the order
 * heal, inject, advance. It and `GET /` return what has happened so far.
 */
export const startControl = (sandbox: Sandbox) =>
  startJsonServer(async ({ body }) => {
    const order = Order.safeParse(body ?? {});
    if (!order.success) return { status: 400, body: { error: z.prettifyError(order.error), faults: FAULTS } };
    const { inject, heal, advanceSeconds } = order.data;
    if (heal) await sandbox.heal();
    sandbox.inject(...inject);
    if (advanceSeconds > 0) await sandbox.chain.advance(advanceSeconds);
    return { status: 200, body: { calls: sandbox.seen, income_atomic: sandbox.income().toString() } };
  });
