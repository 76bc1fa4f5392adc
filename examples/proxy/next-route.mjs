// app/i/[...name]/route.js: Next treats folders that begin with an underscore as private.
import { imprintProxy } from "imprint-server";

const { IMPRINT_URL = "", IMPRINT_KEY = "" } = process.env;
const proxy = imprintProxy({
  endpoint: IMPRINT_URL,
  apiKey: IMPRINT_KEY,
  // Without the `basePath` of next.config, which Next removes first.
  path: "/i",
  // Vercel sets this header itself. Elsewhere, read the one that only your load balancer can set.
  clientAddress: ({ headers }) => headers.get("x-real-ip"),
});

/** @param {Request} request */
export const GET = (request) => proxy(request);
export const POST = GET;
