import type { Socket } from "node:net";

import { log } from "@/lib/platform/log";
import type { Assignment } from "./assignment";
import { createHandOut } from "./hand-out";
import { type Member, startMember } from "./worker";

/** A worker that dies as it starts is tried again this often. */
const MOST_ATTEMPTS = 3;
/** Longer than a worker needs to answer what it has in hand and to close. */
const END_MS = 60_000;

type Options = {
  size: number;
  assignment: Assignment;
  /** Told when a lost worker could not be replaced. */
  onHopeless: (error: Error) => void;
};

export type Crew = {
  /** Resolves when all workers serve. @throws Error in the words of the first that could not */
  start: () => Promise<void>;
  /** Gives a connection to the workers in turn. While none serves it waits, and so does its client. */
  take: (connection: Socket) => void;
  /**
   * Puts a new worker in the place of each, one after another: the old one goes when the new one serves. When a new
   * one cannot start, the others stay. Resolves with the reason then.
   */
  replaceAll: () => Promise<string | undefined>;
  /** Ends all workers; requests in flight are answered first. */
  stop: () => Promise<void>;
};

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

/** Worker processes on one port. One that is lost is replaced at once. */
export function createCrew({ size, assignment, onHopeless }: Options): Crew {
  const members = new Set<Member>();
  const handOut = createHandOut(members);
  let isStopped = false;
  const isStopping = () => isStopped;

  async function engage(attempts: number): Promise<void> {
    for (let left = attempts - 1; ; left -= 1) {
      const member = startMember(assignment);
      members.add(member);
      void member.gone.then(() => members.delete(member));
      try {
        await member.serving;
        handOut.resume();
        void replaceWhenLost(member);
        return;
      } catch (error) {
        if (isStopping() || left === 0) throw error;
        log.error({ err: error }, "a worker ended as it started: another one is tried");
      }
    }
  }

  async function replaceWhenLost(member: Member): Promise<void> {
    const how = await member.gone;
    if (isStopping() || member.isLeaving) return;
    log.error({ worker: member.processId, how }, "a worker was lost and is replaced");
    await fill();
  }

  const fill = () =>
    engage(MOST_ATTEMPTS).catch((error: unknown) => {
      if (!isStopping()) onHopeless(asError(error));
    });

  async function replaceAll(): Promise<string | undefined> {
    for (const old of [...members]) {
      if (isStopping()) return "the service stops";
      if (!members.has(old)) continue;
      old.isLeaving = true;
      try {
        await engage(1);
      } catch (error) {
        old.isLeaving = false;
        // Lost while its successor was tried, it has nobody in its place.
        if (!members.has(old)) await fill();
        return asError(error).message;
      }
      await old.dismiss("retire", END_MS);
    }
    return undefined;
  }

  return {
    async start() {
      await Promise.all(Array.from({ length: size }, () => engage(1)));
    },
    replaceAll,
    take: handOut.take,
    async stop() {
      isStopped = true;
      handOut.close();
      await Promise.all([...members].map((member) => member.dismiss("stop", END_MS)));
    },
  };
}
