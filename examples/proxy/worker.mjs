import { imprintProxy } from "imprint-server";

/** @type {ReturnType<typeof imprintProxy> | undefined} */
let proxy;

export default {
  /** @param {Request} request @param {{ IMPRINT_URL: string, IMPRINT_KEY: string }} env */
  async fetch(request, env) {
    proxy ??= imprintProxy({
      endpoint: env.IMPRINT_URL,
      apiKey: env.IMPRINT_KEY,
      // Cloudflare sets this header itself and overwrites what the visitor sent.
      clientAddress: ({ headers }) => headers.get("cf-connecting-ip"),
    });
    return (await proxy(request)) ?? fetch(request);
  },
};
