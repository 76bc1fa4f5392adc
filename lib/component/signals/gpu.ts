import { pick, textUpTo } from "../read";

/** Self-contained: its source text also runs inside the worker. */
export const readGpu = (gl: WebGLRenderingContext) => {
  // WEBGL_debug_renderer_info: UNMASKED_VENDOR_WEBGL and the next number, else VENDOR and RENDERER.
  const first = gl.getExtension("WEBGL_debug_renderer_info") ? 0x9245 : 0x1f00;
  return { vendor: gl.getParameter(first) as unknown, renderer: gl.getParameter(first + 1) as unknown };
};

export const gpu = (raw: unknown) => pick(raw, textUpTo(256), "vendor renderer");
