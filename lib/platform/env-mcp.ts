import { z } from "zod";

import { areOrigins } from "./env-values";

const MAX_REGISTRATIONS = 100_000;

/** Variables of connected clients. */
export const mcpVariables = {
  MCP_CLIENT_DOCUMENTS: z
    .enum(["auto", "on", "off"])
    .default("auto")
    .describe(
      "Whether clients may be known by a document at an https address, which this service fetches. `auto` offers it while documents can be reached; otherwise clients register themselves.",
    ),
  MCP_ALLOWED_ORIGINS: z
    .string()
    .default("")
    .refine(areOrigins, "expected origins such as https://inspector.example.com, separated by blanks")
    .describe(
      "Origins whose pages may connect as clients and call `/mcp`, separated by blanks. Default: none but the service's own.",
    ),
  MCP_REGISTRATIONS_PER_HOUR: z.coerce
    .number()
    .int()
    .min(1)
    .max(MAX_REGISTRATIONS)
    .default(60)
    .describe("Registrations of clients from one address, which may be that of a whole office."),
};
