import type { Command, Visit } from "./pages";

/** Generous, because a browser may start on a busy machine. */
const VISIT_TIMEOUT_MS = 180_000;
const IMPRINT = /^imp_[0-9a-f]{32}$/;

/** A barrier: resolves for all callers when `count` have arrived. */
function createBarrier(count: number): () => Promise<void> {
  let missing = count;
  let open: () => void = () => undefined;
  const everybody = new Promise<void>((resolve) => (open = resolve));
  return () => {
    missing -= 1;
    if (missing === 0) open();
    return everybody;
  };
}

/** Passes values from producers to consumers, whichever comes first. */
function createChannel<T extends object>() {
  const given: T[] = [];
  let take: ((value: T) => void) | undefined;
  const serve = () => {
    if (take === undefined) return;
    const value = given.shift();
    if (value === undefined) return;
    take(value);
    take = undefined;
  };
  return {
    give(value: T) {
      given.push(value);
      serve();
    },
    taken: () =>
      new Promise<T>((resolve) => {
        take = resolve;
        serve();
      }),
  };
}

type Planned = {
  visit: Visit;
  /** Session of the window that makes the visit; a tab closes itself instead. */
  session: string | undefined;
  isReady: () => Promise<void>;
  report: (outcome: string) => void;
};

/** One run of a browser without a driver: its page polls for the next visit and reports the result. */
export type Session = {
  /** URL to start the browser with. */
  url: string;
  /** Resolves to the visit's imprint. */
  visit: (visit: Visit) => Promise<string>;
  /** Makes the same visit in `count` tabs that start simultaneously. */
  tabs: (visit: Visit, count: number) => Promise<string[]>;
  /** Makes the page close its window. */
  leave: () => void;
};

/** The visits that browsers should make, by the ids with which pages request them. */
export function createSchedule() {
  const sessions = new Map<string, ReturnType<typeof createChannel<Command>>>();
  const planned = new Map<string, Planned>();

  const plan = (visit: Visit, session: string | undefined, isReady: () => Promise<void>) => {
    const id = String(planned.size);
    const imprint = new Promise<string>((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(new Error(`The page of visit ${id} did not report in time.`));
      }, VISIT_TIMEOUT_MS);
      const report = (outcome: string) => {
        clearTimeout(timer);
        if (IMPRINT.test(outcome)) resolve(outcome);
        else reject(new Error(`The component failed: ${outcome}`));
      };
      planned.set(id, { visit, session, isReady, report });
    });
    return { path: `/visit/${id}`, imprint };
  };

  return {
    sessions,
    planned,
    openSession(origin: string): Session {
      const id = String(sessions.size);
      const commands = createChannel<Command>();
      sessions.set(id, commands);
      return {
        url: `${origin}/session/${id}`,
        visit(visit) {
          const { path, imprint } = plan(visit, id, createBarrier(1));
          commands.give({ go: path });
          return imprint;
        },
        tabs(visit, count) {
          const isReady = createBarrier(count);
          const visits = Array.from({ length: count }, () => plan(visit, undefined, isReady));
          commands.give({ open: visits.map(({ path }) => path) });
          return Promise.all(visits.map(({ imprint }) => imprint));
        },
        leave() {
          commands.give({ leave: true });
        },
      };
    },
  };
}
