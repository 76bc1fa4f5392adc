/** Measurements of one kind of request. Times are in microseconds of CPU time. */
export type RequestFigures = {
  /** CPU time of the service. */
  serviceMicros: number;
  /**
   * Requests per second with both processors of the machine busy; the database and the load generator used the rest.
   */
  perSecond: number;
  /** Round trips to the database, and how many of them wait for a commit. */
  statements: number;
  commits: number;
};

/**
 * From docs/benchmarks.md, `npm run bench:http` with 5,000,000 stored events and one worker; the submission is from the
 * newest run, of 2026-11-25 with 10,000 events. The test next to this file fails if the document differs.
 */
export const REQUESTS = {
  challenge: { serviceMicros: 189, perSecond: 5_625, statements: 1, commits: 0 },
  submission: { serviceMicros: 928, perSecond: 1_055, statements: 2, commits: 1 },
  delivery: { serviceMicros: 247, perSecond: 4_028, statements: 2, commits: 1 },
  reread: { serviceMicros: 157, perSecond: 6_657, statements: 1, commits: 0 },
} as const satisfies Record<string, RequestFigures>;

export type RequestKind = keyof typeof REQUESTS;
export const KINDS = ["challenge", "submission", "delivery", "reread"] as const satisfies readonly RequestKind[];

/** Number of processors of the bench machine. */
const BENCH_PROCESSORS = 2;

/** Upper bound of the database's CPU time, since the load generator ran on the same processors. */
export const databaseMicros = ({ perSecond, serviceMicros }: RequestFigures): number =>
  (BENCH_PROCESSORS * 1e6) / perSecond - serviceMicros;

/** From `npm run bench:storage`: bytes of a new visit, of the part that is kept, and of its write-ahead log. */
export const STORAGE = { freshBytes: 3_110, keptBytes: 1_630, logBytes: 5_900, freshDays: 30 } as const;

/** Each visit consists of a challenge, a submission, a first delivery and one re-read. */
export const perVisit = (of: (figures: RequestFigures) => number): number =>
  KINDS.reduce((sum, kind) => sum + of(REQUESTS[kind]), 0);
