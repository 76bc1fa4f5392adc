import { z } from "zod";

import { idPattern } from "@/lib/contract/ids";

/** An instant in UTC with `Z`, to the millisecond. */
export const Instant = z.iso.datetime().describe("UTC, RFC 3339");

export const Imprint = z.string().regex(idPattern("imprint")).meta({
  id: "Imprint",
  description: "Opaque report identifier issued by the service",
  example: "imp_019aa5de0c5b7a1e9f3b52c4d81f7bd4",
});

export const EnvironmentId = z.string().regex(idPattern("environment")).meta({
  id: "EnvironmentId",
  description: "Publishable id of a Web App's environment",
  example: "env_ff035a1dd7655da15295fa5fa89362a7",
});

export const ErrorEnvelope = z
  .strictObject({
    error: z.strictObject({
      code: z.string().describe("Stable machine code to branch on"),
      message: z.string().describe("Text for people"),
    }),
  })
  .meta({ id: "Error" });
