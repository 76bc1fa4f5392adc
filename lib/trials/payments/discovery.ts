import type { HTTPAdapter } from "@x402/core/server";
import { bazaarResourceServerExtension, declareDiscoveryExtension } from "@x402/extensions/bazaar";
import { z } from "zod";

import { buyTrialOperation, EXAMPLE_CLAIM_TOKEN } from "@/lib/contract/trial-purchase";

const INTENT_ID = /ati_[0-9a-f]{32}/;
const EXAMPLE_ID = `ati_${"0".repeat(32)}`;
const EXAMPLE = {
  intent_id: EXAMPLE_ID,
  status: "active",
  status_url: `/api/v1/agent/trial-intents/${EXAMPLE_ID}`,
};

/** JSON Schema of the body without `$schema`: indexers reject `$schema`, `$id` and external references. */
function schemaOfBody(): Record<string, unknown> {
  const { $schema: _, ...schema } = z.toJSONSchema(buyTrialOperation.body, { io: "input" });
  return schema;
}

const ACTIVATION = { input: {}, inputSchema: { properties: {} }, output: { example: EXAMPLE } };
const PURCHASE = {
  input: { origin: "https://agent.example", claim_token: EXAMPLE_CLAIM_TOKEN },
  inputSchema: schemaOfBody(),
  output: {
    example: { ...EXAMPLE, message: "What to do next" },
    schema: {
      properties: Object.fromEntries(
        ["intent_id", "status", "status_url", "message"].map((key) => [key, { type: "string" }]),
      ),
      required: ["intent_id", "status", "status_url", "message"],
    },
  },
};

/** The bazaar extension: tells catalogs of paid resources how to call this one. The same in every challenge of a resource. */
export function composeDiscovery(resource: string): Record<string, unknown> {
  const path = new URL(resource).pathname;
  const isPurchase = path.endsWith(buyTrialOperation.path);
  const declared = declareDiscoveryExtension({ bodyType: "json", ...(isPurchase ? PURCHASE : ACTIVATION) });
  const context = {
    method: "POST",
    // The pattern must not include the verb, which would otherwise become part of the route.
    routePattern: path.replace(INTENT_ID, ":intentId"),
    adapter: { getPath: () => path } satisfies Pick<HTTPAdapter, "getPath">,
  };
  return Object.fromEntries(
    Object.entries(declared).map(([key, declaration]) => [
      key,
      bazaarResourceServerExtension.enrichDeclaration?.(declaration, context) ?? declaration,
    ]),
  );
}
