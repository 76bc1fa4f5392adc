import { BLOCKED, pick, text } from "../read";
import { gpu, readGpu } from "./gpu";
import { brands, readRealm, realm, removeLater, type Scope } from "./realm";

/** Runs inside the worker, as source text: it may use its arguments and globals only. */
const report = (realmOf: typeof readRealm, gpuOf: typeof readGpu) => {
  const scope: unknown = self;
  const found = realmOf(scope as Scope);
  // Some browsers have no drawing in workers: nothing to compare then.
  try {
    const open = () => new OffscreenCanvas(8, 8).getContext("webgl");
    // While a browser starts, the process that draws may still be starting: the first context is then refused in a
    // worker (measured in Chromium 156: 3 of 8 fresh starts), and the second waits for it.
    const gl: unknown = open() ?? open();
    Object.assign(found, gpuOf(gl as WebGLRenderingContext));
  } catch {
    // Reported without what failed.
  }
  postMessage(found);
};

/**
 * What a worker says of the same browser: the best evidence against tools that disguise the page alone.
 * Harmless causes of a missing value: a CSP without `worker-src blob:`, content blockers.
 */
export const readWorker = async () => {
  const source = `(${report.toString()})(${readRealm.toString()},${readGpu.toString()})`;
  const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  const worker = new Worker(url);
  const { data: raw } = await new Promise<{ data?: unknown }>((resolve) => {
    worker.onmessage = worker.onerror = resolve as (event: Event) => void;
  });
  // An error instead of a message: the page's policy or a content blocker stopped it.
  if (!raw) throw BLOCKED;
  removeLater(() => {
    worker.terminate();
    URL.revokeObjectURL(url);
  });
  return { ...realm(raw), ...gpu(raw), ...pick(raw, brands, "brands"), ...pick(raw, text, "uaPlatform") };
};
