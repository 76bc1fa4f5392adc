import { setTimeout as delay } from "node:timers/promises";

import type { Figures } from "@/lib/platform/metrics";

/** Requests a worker's figures and keeps the last ones received. */
export function createFiguresRequest(ask: () => void) {
  let figures: Figures = [];
  let onReceived: () => void = () => undefined;
  return {
    receive(sent: Figures): void {
      figures = sent;
      onReceived();
    },
    last: () => figures,
    async read(exited: Promise<unknown>, timeoutMs: number): Promise<Figures> {
      const received = new Promise<void>((resolve) => (onReceived = resolve));
      ask();
      await Promise.race([received, exited, delay(timeoutMs, undefined, { ref: false })]);
      return figures;
    },
  };
}
