import { monitorEventLoopDelay } from "node:perf_hooks";

import { replicaState } from "@/db/client";
import { waitingCalls } from "@/lib/metering";
import type { Recorder } from "@/lib/platform/metrics";
import { bufferedLines } from "@/lib/platform/write-behind";
import { version } from "@/package.json";

const NANOSECONDS = 1e9;
const MICROSECONDS = 1e6;
const LAG_RESOLUTION_MS = 10;

/** Sets the figures of this process's connections to the read replica. */
function setReplica(recorder: Recorder): void {
  const replica = replicaState();
  if (!replica) return;
  const { connections, usable, lagSeconds } = replica;
  recorder.set("imprint_replica_connections", { state: "read" }, usable);
  recorder.set("imprint_replica_connections", { state: "unusable" }, connections - usable);
  if (lagSeconds === undefined) recorder.clear("imprint_replica_lag_seconds");
  else recorder.set("imprint_replica_lag_seconds", {}, lagSeconds);
}

/** Returns a function that updates this process's figures at each scrape. */
export function watchProcess(recorder: Recorder): () => void {
  const lag = monitorEventLoopDelay({ resolution: LAG_RESOLUTION_MS });
  lag.enable();
  let cpu = process.cpuUsage();
  return () => {
    recorder.set("imprint_build_info", { version }, 1);
    recorder.set("imprint_processes", {}, 1);
    const lagOf = (nanoseconds: number) => Math.max(0, nanoseconds / NANOSECONDS - LAG_RESOLUTION_MS / 1000);
    if (lag.count > 0) {
      recorder.set("imprint_event_loop_lag_seconds", { quantile: "p50" }, lagOf(lag.percentile(50)));
      recorder.set("imprint_event_loop_lag_seconds", { quantile: "p99" }, lagOf(lag.percentile(99)));
      recorder.set("imprint_event_loop_lag_seconds", { quantile: "max" }, lagOf(lag.max));
      lag.reset();
    }
    const { rss, heapUsed, external } = process.memoryUsage();
    recorder.set("imprint_process_memory_bytes", { kind: "resident" }, rss);
    recorder.set("imprint_process_memory_bytes", { kind: "heap" }, heapUsed);
    recorder.set("imprint_process_memory_bytes", { kind: "external" }, external);
    setReplica(recorder);
    const used = process.cpuUsage(cpu);
    cpu = process.cpuUsage();
    recorder.count("imprint_process_cpu_seconds_total", {}, (used.user + used.system) / MICROSECONDS);
    recorder.set("imprint_unwritten_lines", { buffer: "calls" }, waitingCalls());
    for (const [buffer, lines] of bufferedLines()) recorder.set("imprint_unwritten_lines", { buffer }, lines);
  };
}
