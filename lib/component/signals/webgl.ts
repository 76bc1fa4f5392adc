import { WEBGL_LIMITS } from "@/lib/contract/signal-lists";

import { yieldTask } from "../read";
import { gpu, readGpu } from "./gpu";

type Value = ReturnType<typeof gpu> & { limits: number[] };

/**
 * Graphics vendor, renderer and limits. Software rendering and masked names are ordinary. While a browser starts, its
 * graphics process may restart, which ends the context and leaves the names empty (Chromium 156): a second context
 * waits for the new process.
 */
export const readWebgl = async (first?: Value): Promise<Value | undefined> => {
  const gl = document.createElement("canvas").getContext("webgl");
  if (!gl) return undefined;
  // Each value waits for another process of the browser, as the context did.
  await yieldTask();
  // The viewport's limit is a pair: its width counts.
  const limits = WEBGL_LIMITS.map((limit) => parseInt(gl.getParameter(limit) as string) || 0);
  const value: Value = { limits, ...gpu(readGpu(gl)) };
  // Browsers keep few contexts alive; this one must not push out one of the page's own.
  gl.getExtension("WEBGL_lose_context")?.loseContext();
  return value["renderer"] || first ? value : readWebgl(value);
};
