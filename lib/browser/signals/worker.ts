import { FONTS } from "@/lib/contract/signal-lists";

import { BLOCKED, pick, text } from "../read";
import { gpu, readGpu } from "./gpu";
import { measureFonts } from "./measure-fonts";
import { brands, readRealm, realm, type Scope } from "./realm";

type Report = { fonts?: string };
type Readers = { readRealm: typeof readRealm; readGpu: typeof readGpu; measureFonts: typeof measureFonts };

/** Runs inside the worker, as source text: it may use its arguments and globals only. */
const report = (
  realmOf: Readers["readRealm"],
  gpuOf: Readers["readGpu"],
  fontsOf: Readers["measureFonts"],
  fonts: readonly string[],
) => {
  const scope: unknown = self;
  const found: Record<string, unknown> = realmOf(scope as Scope);
  // Some browsers have no drawing in workers: nothing to compare then, and fonts are measured on the page.
  try {
    const context: unknown = new OffscreenCanvas(8, 8).getContext("2d", { willReadFrequently: true });
    found["fonts"] = fontsOf(context as OffscreenCanvasRenderingContext2D, fonts);
    const gl: unknown = new OffscreenCanvas(8, 8).getContext("webgl");
    Object.assign(found, gpuOf(gl as WebGLRenderingContext));
  } catch {
    // Reported without what failed.
  }
  postMessage(found);
};

const startWorker = () =>
  new Promise<Report>((resolve, reject) => {
    const parts = [readRealm, readGpu, measureFonts].map((part) => part.toString());
    const source = `(${report.toString()})(${parts.join()},${JSON.stringify(FONTS)})`;
    const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
    const worker = new Worker(url);
    worker.onmessage = ({ data }: MessageEvent<Report>) => {
      worker.terminate();
      URL.revokeObjectURL(url);
      resolve(data);
    };
    worker.onerror = () => {
      reject(BLOCKED);
    };
  });

/** What the worker of the last `readWorker` says, for the signals that it also serves. */
export let running: Promise<Report> | undefined;

/**
 * What a worker says of the same browser: the best evidence against tools that disguise the page alone.
 * Harmless causes of a missing value: a CSP without `worker-src blob:`, content blockers.
 */
export const readWorker = async () => {
  running = startWorker();
  const raw = await running;
  return { ...realm(raw), ...gpu(raw), ...pick(raw, brands, "brands"), ...pick(raw, text, "uaPlatform") };
};
