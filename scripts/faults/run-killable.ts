import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";

import { openFaultProxies } from "./fault-proxies";
import type { Order } from "./task";

type ProcessRun = {
  /** Messages answered before the process ended, in order. */
  messages: string[];
  isKilled: boolean;
};

/** Whether to kill the process after its newest message. */
export type KillCondition = (messages: readonly string[]) => boolean;

/**
 * Runs `program` on an order, and kills it with SIGKILL when a message selected by `shouldKill` is answered, before the
 * process receives the answer. If none is selected, the process ends by itself.
 */
export async function runKillable(
  program: string,
  { world, ...order }: Order,
  shouldKill: KillCondition,
): Promise<ProcessRun> {
  const messages: string[] = [];
  let isKilling = false;
  let kill: () => Promise<unknown> = () => Promise.resolve();
  const faultProxies = await openFaultProxies(world, async (message) => {
    if (isKilling) return false;
    messages.push(message);
    if (!shouldKill(messages)) return true;
    isKilling = true;
    await kill();
    return false;
  });
  try {
    const child = spawn(process.execPath, [program, JSON.stringify({ ...order, world: faultProxies.world })], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    const ended = once(child, "exit") as Promise<[number | null, NodeJS.Signals | null]>; // safe: the event's arguments
    kill = () => {
      child.kill("SIGKILL");
      return ended;
    };
    const [[code, signal], , complaint] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
    const isKilled = signal === "SIGKILL";
    if (!isKilled && code !== 0)
      throw new Error(`The process exited with ${code ?? signal ?? "nothing"}:\n${complaint}`);
    return { messages, isKilled };
  } finally {
    await faultProxies.close();
  }
}
