import { z } from "zod";

import { areOrigins } from "./env-values";

const MAX_REGISTRATIONS = 100_000;

/** Variables of MCP clients. */
export const mcpVariables = {
  MCP_CLIENT_DOCUMENTS: z
    .enum(["auto", "on", "off"])
    .default("auto")
    .describe(
      "Whether clients may identify themselves by a metadata document at an https URL, which this service fetches. `auto` offers it while documents can be fetched; otherwise clients register dynamically.",
    ),
  MCP_ALLOWED_ORIGINS: z
    .string()
    .default("")
    .refine(areOrigins, "expected origins such as https://inspector.example.com, separated by spaces")
    .describe(
      "Browser origins that may connect as clients and call `/mcp`, separated by spaces. Default: only the service's own.",
    ),
  MCP_REGISTRATIONS_PER_HOUR: z.coerce
    .number()
    .int()
    .min(1)
    .max(MAX_REGISTRATIONS)
    .default(60)
    .describe("Client registrations per hour from one IP address, which a whole office may share."),
};
