import { existsSync } from "node:fs";
import { join } from "node:path";

/**
 * Simulates faults of the machine in a process. Loaded by Node before the service, through NODE_OPTIONS: the clock is
 * ahead while FAULTS_DIR contains a file `clock-ahead`, and memory is allocated once it contains a file `leak`.
 */
const CLOCK_AHEAD_MS = 40_000;
const LEAK_BYTES = 400e6;
const LOOK_EVERY_MS = 200;

const folder = process.env["FAULTS_DIR"] ?? "";
const Clock = Date;
let aheadMs = 0;
/** @type {Buffer | undefined} */
let leaked;

setInterval(() => {
  aheadMs = existsSync(join(folder, "clock-ahead")) ? CLOCK_AHEAD_MS : 0;
  if (existsSync(join(folder, "leak"))) leaked ??= Buffer.alloc(LEAK_BYTES, 1);
}, LOOK_EVERY_MS).unref();

globalThis.Date = new Proxy(Clock, {
  construct: (target, args, made) =>
    /** @type {Date} */ (Reflect.construct(target, args.length === 0 ? [Date.now()] : args, made)),
  get: (target, name, receiver) =>
    name === "now" ? () => target.now() + aheadMs : /** @type {unknown} */ (Reflect.get(target, name, receiver)),
});
