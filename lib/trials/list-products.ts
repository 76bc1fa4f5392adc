import type { Context } from "@/lib/platform/context";
import {
  CAPABILITIES,
  type Product,
  PRODUCT_CODE,
  REPORT_CONTRACT,
  REPORT_UNITS,
  TRIAL_HOURS,
} from "@/lib/contract/product";
import { CATALOG_LIMITS } from "@/lib/platform/limits";
import { docsUrl } from "./addresses";
import { findProductSwitch } from "./queries-grants";
import { servicePorts, type TrialPorts } from "./run-flow";

/** The catalog. A product that cannot be bought has no price. */
export async function listProducts(
  { db }: Pick<Context, "db">,
  ports: TrialPorts = servicePorts(),
): Promise<{ products: Product[] }> {
  const [isEnabled, availability] = await Promise.all([
    findProductSwitch(db, PRODUCT_CODE),
    ports.payments.readAvailability(),
  ]);
  const price = isEnabled && availability.available ? availability.terms.quote : undefined;
  const product: Product = {
    code: PRODUCT_CODE,
    version: "v1",
    display_name: "Agent Trial — 100 Lite Reports",
    available: price !== undefined,
    protocol: "x402-compatible",
    scheme: "exact",
    ...(price === undefined ? {} : { price }),
    report_units: REPORT_UNITS,
    expires_in_hours: TRIAL_HOURS,
    report_contract: REPORT_CONTRACT,
    capabilities: [...CAPABILITIES],
    limits: CATALOG_LIMITS,
    docs_url: docsUrl(),
  };
  return { products: [product] };
}
