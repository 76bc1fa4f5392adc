// app/i/[...name]/route.js: a folder that begins with an underscore would be private to Next.
import { imprintProxy } from "imprint-server";

const { IMPRINT_URL = "", IMPRINT_KEY = "" } = process.env;
const proxy = imprintProxy({
  endpoint: IMPRINT_URL,
  apiKey: IMPRINT_KEY,
  // Without the `basePath` of next.config, which Next takes off before.
  path: "/i",
  // Vercel sets this header itself. Elsewhere: the one that your load balancer sets and nobody else can.
  clientAddress: ({ headers }) => headers.get("x-real-ip"),
});

/** @param {Request} request */
export const GET = (request) => proxy(request);
export const POST = GET;
