import { existsSync } from "node:fs";

import type { NextConfig } from "next";

const buildDir = process.env["IMPRINT_BUILD_DIR"];
const distDir = buildDir ? `${buildDir}/next` : ".next";

const config: NextConfig = {
  distDir,
  poweredByHeader: false,
  // `npm run check` type-checks with the same compiler; builds on small machines do not repeat it.
  typescript: { ignoreBuildErrors: true },
  serverExternalPackages: [
    "postgres",
    "pino",
    "maxmind",
    "nodemailer",
    "prom-client",
    "oidc-provider",
    "light-my-request",
    "mcp-handler",
    "@modelcontextprotocol/server",
  ],
  turbopack: { root: import.meta.dirname },
  experimental: {
    // Pages are loaded when first opened: preloading all would double the time and memory of a start.
    preloadEntriesOnStart: false,
    // Writing the cache for the next build takes time, so a tree that is built only once does without.
    turbopackFileSystemCacheForBuild: existsSync(`${distDir}/BUILD_ID`),
  },
};

export default config;
