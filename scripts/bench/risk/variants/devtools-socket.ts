import { setTimeout as delay } from "node:timers/promises";

const START_TIMEOUT_MS = 30_000;

async function pageSocket(port) {
  const deadline = performance.now() + START_TIMEOUT_MS;
  while (performance.now() < deadline) {
    try {
      const targets = await (await fetch(`http://127.0.0.1:${port}/json/list`)).json();
      const page = targets.find(({ type }) => type === "page");
      if (page) return page.webSocketDebuggerUrl;
    } catch {
      // Not listening yet.
    }
    await delay(50);
  }
  throw new Error("Chromium did not open its DevTools port.");
}

/**
 * Speaks to the first page of a browser by the DevTools protocol, without waiting for answers.
 *
 * @param {number} port
 * @param WebSocket the class of the package `ws`
 */
export async function openPageSocket(port, WebSocket) {
  const socket = new WebSocket(await pageSocket(port));
  await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
  let id = 0;
  return (method, params) => socket.send(JSON.stringify({ id: (id += 1), method, params }));
}
