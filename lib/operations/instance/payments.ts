import type { FacilitatorState, PaymentAvailability, Payments } from "@/lib/trials/payments";
import { type CheckResult, ok, warn } from "./domain/check-result";

type Given = { isConfigured: boolean } & Pick<Payments, "readAvailability" | "describeFacilitators">;

/** Whether Agent Trials can be sold, and what is missing from an incomplete configuration. */
export async function checkPayments({
  isConfigured,
  readAvailability,
  describeFacilitators,
}: Given): Promise<CheckResult[]> {
  if (!isConfigured) return [ok("payments", "Agent Trials are not on sale: no payments are set up.")];
  const [availability, facilitators] = await Promise.all([readAvailability(), describeFacilitators()]);
  return [describeSale(availability), ...facilitators.map(describeFacilitator)];
}

function describeFacilitator({ name, supports, faults }: FacilitatorState): CheckResult {
  const told = supports === undefined ? "did not say what it serves" : `serves ${supports}`;
  const text = `${name} ${told}.`;
  if (faults.length === 0) return ok("facilitator", text);
  const fix =
    "Choose one that serves the network of X402_NETWORK, or give it the token or the CDP keys that it requires.";
  return warn("facilitator", `${text} ${faults.join("; ")}.`, fix);
}

function describeSale(availability: PaymentAvailability): CheckResult {
  const name = "payments";
  if (!availability.available) {
    const text = `Agent Trials cannot be sold: ${availability.missing.join("; ")}.`;
    return warn(name, text, "Set what is missing; docs/agent-trial.md explains each variable.");
  }
  const { amount_atomic, asset, network, pay_to } = availability.terms.quote;
  return ok(
    name,
    `A trial costs ${amount_atomic} of ${asset} on ${network}, paid to ${pay_to}. No other installation may use this X402_PAY_TO: the same payment could be presented to both.`,
  );
}
