import type { NextConfig } from "next";

const buildDir = process.env["IMPRINT_BUILD_DIR"];

const config: NextConfig = {
  distDir: buildDir ? `${buildDir}/next` : ".next",
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
  // A page's code is loaded when somebody opens it: all at once is half of the work of a start, and of its memory.
  experimental: { preloadEntriesOnStart: false },
};

export default config;
