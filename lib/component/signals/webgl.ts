import { WEBGL_LIMITS } from "@/lib/contract/signal-lists";

import { yieldTask } from "../read";
import { gpu, readGpu } from "./gpu";

/** Graphics vendor, renderer and limits. Software rendering and masked names are ordinary. */
export const readWebgl = async () => {
  const gl = document.createElement("canvas").getContext("webgl");
  if (!gl) return undefined;
  // Each value waits for another process of the browser, as the context did.
  await yieldTask();
  // The viewport's limit is a pair: its width counts.
  const limits = WEBGL_LIMITS.map((limit) => parseInt(String(gl.getParameter(limit))) || 0);
  const value = { limits, ...gpu(readGpu(gl)) };
  // Browsers keep few contexts alive; this one must not push out one of the page's own.
  gl.getExtension("WEBGL_lose_context")?.loseContext();
  return value;
};
