import type { ServiceSecrets } from "@/lib/platform/secrets";
import type { Sandbox } from "../sandbox/sandbox";

/** The environment of a purchase. */
export type World = {
  databaseUrl: string;
  secrets: ServiceSecrets;
  variables: Sandbox["variables"] & { X402_SETTLE_TIMEOUT_S: number; X402_MAX_TIMEOUT_S: number };
  leaseSeconds: number;
};

/**
 * Task of a killable process: present a payment, or without one read the status, which advances an unresolved payment.
 */
export type Order = {
  world: World;
  intentId: string;
  signature?: string | undefined;
  isNaive: boolean;
};
