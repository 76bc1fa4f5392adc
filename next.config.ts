import { existsSync } from "node:fs";

import type { NextConfig } from "next";

const buildDir = process.env["IMPRINT_BUILD_DIR"];
const distDir = buildDir ? `${buildDir}/next` : ".next";

const config: NextConfig = {
  distDir,
  poweredByHeader: false,
  // `npm run check` compares types with the same compiler; a build on a small machine does not repeat it.
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
    // A page's code is loaded when somebody opens it: all at once is half of the work of a start, and of its memory.
    preloadEntriesOnStart: false,
    // To write down what the next build can use takes work: a tree that is built once does without.
    turbopackFileSystemCacheForBuild: existsSync(`${distDir}/BUILD_ID`),
  },
};

export default config;
