import { setTimeout as delay } from "node:timers/promises";

import { z } from "zod";

import type { Tools } from "../tools";

const START_TIMEOUT_MS = 30_000;
const Targets = z.array(z.object({ type: z.string(), webSocketDebuggerUrl: z.string().optional() }));

async function pageSocket(port: number): Promise<string> {
  const deadline = performance.now() + START_TIMEOUT_MS;
  while (performance.now() < deadline) {
    try {
      const targets = Targets.parse(await (await fetch(`http://127.0.0.1:${port}/json/list`)).json());
      const page = targets.find(({ type }) => type === "page")?.webSocketDebuggerUrl;
      if (page !== undefined) return page;
    } catch {
      // Not listening yet.
    }
    await delay(50);
  }
  throw new Error("Chromium did not open its DevTools port.");
}

export type Send = (method: string, params: object) => void;

/** Sends DevTools Protocol commands to a browser's first page, without waiting for answers. */
export async function openPageSocket(port: number, tools: Tools): Promise<Send> {
  const { default: WebSocket } = await tools.load("ws");
  const socket = new WebSocket(await pageSocket(port));
  await new Promise<unknown>((resolve, reject) => socket.once("open", resolve).once("error", reject));
  let id = 0;
  return (method, params) => {
    id += 1;
    socket.send(JSON.stringify({ id, method, params }));
  };
}
