import { databaseMicros, perVisit, STORAGE } from "./figures";

/** Values that are chosen rather than measured. */
export type Assumptions = {
  /** Target utilisation of a service process and of a database processor. */
  serviceLoad: number;
  databaseLoad: number;
  /** Processors and disk of a database node, and the target disk usage. */
  nodeProcessors: number;
  nodeTerabytes: number;
  diskLoad: number;
  /** Daily mean as a fraction of the busiest second. */
  meanOfPeak: number;
  retentionDays: number;
  /** `DATABASE_POOL_SIZE`, and the number of connections a node supports without a pooler. */
  poolSize: number;
  nodeConnections: number;
};

export const ASSUMED: Assumptions = {
  serviceLoad: 0.6,
  databaseLoad: 0.5,
  nodeProcessors: 16,
  nodeTerabytes: 16,
  diskLoad: 0.7,
  meanOfPeak: 0.3,
  retentionDays: 400,
  poolSize: 16,
  nodeConnections: 500,
};

export type Size = {
  /** Visits in the busiest second. */
  visits: number;
  stored: number;
  processes: number;
  /** Connections of all processes, and whether a pooler is required. */
  connections: number;
  needsPooler: boolean;
  databaseProcessors: number;
  /** Number of database nodes, and the resource that determines it. */
  nodes: number;
  because: "processors" | "disk";
  terabytes: number;
  /** Write-ahead log of all nodes in the busiest second. */
  logMegabytes: number;
};

const DAY_SECONDS = 86_400;

/** Size of an installation for `visits` visits in the busiest second. */
export function sizeFor(visits: number, assumed: Assumptions = ASSUMED): Size {
  const processes = Math.ceil((visits * perVisit(({ serviceMicros }) => serviceMicros)) / 1e6 / assumed.serviceLoad);
  const databaseProcessors = Math.ceil((visits * perVisit(databaseMicros)) / 1e6 / assumed.databaseLoad);
  const mean = visits * assumed.meanOfPeak;
  const stored = mean * DAY_SECONDS * assumed.retentionDays;
  const fresh = mean * DAY_SECONDS * Math.min(STORAGE.freshDays, assumed.retentionDays);
  const terabytes = (stored * STORAGE.keptBytes + fresh * (STORAGE.freshBytes - STORAGE.keptBytes)) / 1e12;
  const byProcessors = Math.ceil(databaseProcessors / assumed.nodeProcessors);
  const byDisk = Math.ceil(terabytes / assumed.diskLoad / assumed.nodeTerabytes);
  // The pages process has half as many connections, the main process five.
  const connections = Math.ceil(processes * assumed.poolSize + assumed.poolSize / 2 + 5);
  const nodes = Math.max(byProcessors, byDisk);
  return {
    ...{ visits, stored, processes, connections, databaseProcessors, nodes, terabytes },
    needsPooler: connections > assumed.nodeConnections,
    because: byDisk > byProcessors ? "disk" : "processors",
    logMegabytes: (visits * STORAGE.logBytes) / 1e6,
  };
}

/** Maximum visits in the busiest second that one unit of each resource supports. */
export function mostOf(assumed: Assumptions = ASSUMED) {
  const { serviceLoad, databaseLoad, nodeProcessors, nodeTerabytes, diskLoad, nodeConnections, poolSize } = assumed;
  const byDisk = (retentionDays: number) =>
    ((nodeTerabytes * diskLoad) / sizeFor(PROBE, { ...assumed, retentionDays }).terabytes) * PROBE;
  const process = (serviceLoad * 1e6) / perVisit(({ serviceMicros }) => serviceMicros);
  return {
    process,
    connections: process * Math.floor((nodeConnections - poolSize / 2 - 5) / poolSize),
    processors: (databaseLoad * nodeProcessors * 1e6) / perVisit(databaseMicros),
    byDisk,
  };
}

/** Enough visits that rounding up does not matter. */
const PROBE = 1e6;
