import { BLOCKED, pick, text } from "../read";
import { gpu, readGpu } from "./gpu";
import { brands, readRealm, realm, removeLater, type Scope } from "./realm";

/** Runs inside the worker, as source text: it may use its arguments and globals only. */
const report = (realmOf: typeof readRealm, gpuOf: typeof readGpu) => {
  const scope: unknown = self;
  const found = realmOf(scope as Scope);
  // Some browsers have no drawing in workers: nothing to compare then.
  try {
    const gl: unknown = new OffscreenCanvas(8, 8).getContext("webgl");
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
  const raw = await new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => {
      resolve(data);
    };
    worker.onerror = () => {
      reject(BLOCKED);
    };
  });
  removeLater(() => {
    worker.terminate();
    URL.revokeObjectURL(url);
  });
  return { ...realm(raw), ...gpu(raw), ...pick(raw, brands, "brands"), ...pick(raw, text, "uaPlatform") };
};
