import { z } from "zod";

import type { Tools } from "../tools";
import { until } from "../../../common/until";

const START_TIMEOUT_MS = 30_000;
const Targets = z.array(z.object({ type: z.string(), webSocketDebuggerUrl: z.string().optional() }));

async function findPageSocket(port: number): Promise<string | undefined> {
  try {
    const targets = Targets.parse(await (await fetch(`http://127.0.0.1:${port}/json/list`)).json());
    return targets.find(({ type }) => type === "page")?.webSocketDebuggerUrl;
  } catch {
    return undefined; // not listening yet
  }
}

const pageSocket = (port: number): Promise<string> =>
  until(() => findPageSocket(port), {
    what: "Chromium did not open its DevTools port.",
    timeoutMs: START_TIMEOUT_MS,
    everyMs: 50,
  });

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
