import { databaseMicros, KINDS, REQUESTS } from "./figures";

/** The simulated installation: service processes in front of database nodes. Times are in milliseconds. */
export type Plant = {
  visits: number;
  processes: number;
  nodes: number;
  nodeProcessors: number;
  /** Share of all visits in the busiest workspace, which is on one node; the others are spread evenly. */
  hotShare: number;
  roundTripMs: number;
  commitMs: number;
};

export type Outcome = {
  requests: number;
  p50Ms: number;
  p99Ms: number;
  /** Utilisation of the busiest process and the busiest node. */
  processLoad: number;
  nodeLoad: number;
  /** 99th percentile of a process's concurrent statements. */
  statements: number;
};

/** Events ordered by time. */
class Agenda {
  readonly #times: number[] = [];
  readonly #items: number[] = [];

  get size(): number {
    return this.#times.length;
  }

  #swap(one: number, other: number): void {
    for (const list of [this.#times, this.#items]) {
      const kept = list[one] ?? 0;
      list[one] = list[other] ?? 0;
      list[other] = kept;
    }
  }

  #at = (index: number): number => this.#times[index] ?? Infinity;

  add(time: number, item: number): void {
    let index = this.#times.push(time) - 1;
    this.#items.push(item);
    for (let parent = (index - 1) >> 1; index > 0 && this.#at(parent) > time; parent = (index - 1) >> 1) {
      this.#swap(index, parent);
      index = parent;
    }
  }

  take(): { time: number; item: number } {
    const first = { time: this.#at(0), item: this.#items[0] ?? 0 };
    this.#swap(0, this.#times.length - 1);
    this.#times.pop();
    this.#items.pop();
    for (let index = 0; ;) {
      const left = 2 * index + 1;
      const least = this.#at(left + 1) < this.#at(left) ? left + 1 : left;
      if (this.#at(least) >= this.#at(index)) return first;
      this.#swap(index, least);
      index = least;
    }
  }
}

/** A FIFO queue in front of several servers; `serve` returns the time at which the work is done. */
function createQueue(servers: number) {
  const freeAt = new Float64Array(servers);
  let busyMs = 0;
  return {
    serve(nowMs: number, tookMs: number): number {
      let soonest = 0;
      for (let index = 1; index < servers; index += 1)
        if ((freeAt[index] ?? 0) < (freeAt[soonest] ?? 0)) soonest = index;
      const endsAt = Math.max(nowMs, freeAt[soonest] ?? 0) + tookMs;
      freeAt[soonest] = endsAt;
      busyMs += tookMs;
      return endsAt;
    },
    load: (spanMs: number) => busyMs / spanMs / servers,
  };
}

type Request = { kind: (typeof KINDS)[number]; startedAt: number; process: number; node: number; stage: number };

const quantileOf = (ascending: readonly number[], share: number) =>
  ascending[Math.min(ascending.length - 1, Math.floor(share * ascending.length))] ?? Number.NaN;

/**
 * Simulates random arrivals of visits. Each request alternates between its process, which does one thing at a time, and
 * a database node, whose processors share one queue; the duration of each step is drawn from an exponential
 * distribution with the measured mean.
 */
export function simulate(plant: Plant, { seconds, random }: { seconds: number; random: () => number }): Outcome {
  const { visits, roundTripMs, commitMs } = plant;
  const drawn = (mean: number) => -Math.log(1 - random()) * mean;
  const any = (count: number) => Math.floor(random() * count);
  const processes = Array.from({ length: plant.processes }, () => createQueue(1));
  const nodes = Array.from({ length: plant.nodes }, () => createQueue(plant.nodeProcessors));
  const [agenda, requests, took, concurrent]: [Agenda, Request[], number[], number[]] = [new Agenda(), [], [], []];
  const inDatabase = new Int32Array(plant.processes);
  const endMs = seconds * 1000;
  for (let atMs = drawn(1000 / visits); atMs < endMs; atMs += drawn(1000 / visits)) {
    const node = random() < plant.hotShare ? 0 : any(plant.nodes);
    for (const kind of KINDS) {
      const startedAt = atMs + drawn(50);
      agenda.add(startedAt, requests.push({ kind, startedAt, process: any(plant.processes), node, stage: 0 }) - 1);
    }
  }
  while (agenda.size > 0) {
    const { time, item } = agenda.take();
    const request = requests[item];
    if (!request) continue;
    const { statements, commits, serviceMicros } = REQUESTS[request.kind];
    const [turns, stage] = [statements + 1, request.stage];
    request.stage += 1;
    // Even steps run on the process, odd ones on the database.
    if (stage === 2 * turns - 1) {
      took.push(time - request.startedAt);
      continue;
    }
    if (stage % 2 === 0) {
      if (stage > 0) inDatabase[request.process] = (inDatabase[request.process] ?? 0) - 1;
      agenda.add(processes[request.process]?.serve(time, drawn(serviceMicros / turns / 1000)) ?? time, item);
      continue;
    }
    const running = (inDatabase[request.process] = (inDatabase[request.process] ?? 0) + 1);
    concurrent.push(running);
    const isCommit = (stage + 1) / 2 > statements - commits;
    const work = drawn(databaseMicros(REQUESTS[request.kind]) / statements / 1000);
    const done = nodes[request.node]?.serve(time + roundTripMs / 2, work) ?? time;
    agenda.add(done + roundTripMs / 2 + (isCommit ? drawn(commitMs) : 0), item);
  }
  const ascending = took.sort((a, b) => a - b);
  return {
    requests: took.length,
    p50Ms: quantileOf(ascending, 0.5),
    p99Ms: quantileOf(ascending, 0.99),
    processLoad: Math.max(...processes.map((queue) => queue.load(endMs))),
    nodeLoad: Math.max(...nodes.map((queue) => queue.load(endMs))),
    statements: quantileOf(
      concurrent.sort((a, b) => a - b),
      0.99,
    ),
  };
}
