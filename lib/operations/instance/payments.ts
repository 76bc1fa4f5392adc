import type { FacilitatorState, PaymentAvailability, Payments } from "@/lib/trials/payments";
import type { Fact } from "./domain/fact";

type Given = { isConfigured: boolean } & Pick<Payments, "readAvailability" | "describeFacilitators">;

/** Whether Agent Trials can be sold, and what is missing from an incomplete configuration. */
export async function checkPayments({ isConfigured, readAvailability, describeFacilitators }: Given): Promise<Fact[]> {
  if (!isConfigured)
    return [{ name: "payments", status: "ok", text: "Agent Trials are not on sale: no payments are set up." }];
  const [availability, facilitators] = await Promise.all([readAvailability(), describeFacilitators()]);
  return [describeSale(availability), ...facilitators.map(describeFacilitator)];
}

function describeFacilitator({ name, supports, faults }: FacilitatorState): Fact {
  const told = supports === undefined ? "did not say what it serves" : `serves ${supports}`;
  const text = `${name} ${told}.`;
  if (faults.length === 0) return { name: "facilitator", status: "ok", text };
  const fix =
    "Choose one that serves the network of X402_NETWORK, or give it the token or the CDP keys that it requires.";
  return { name: "facilitator", status: "warn", text: `${text} ${faults.join("; ")}.`, fix };
}

function describeSale(availability: PaymentAvailability): Fact {
  const name = "payments";
  if (!availability.available) {
    const text = `Agent Trials cannot be sold: ${availability.missing.join("; ")}.`;
    return { name, status: "warn", text, fix: "Set what is missing; docs/agent-trial.md explains each variable." };
  }
  const { amount_atomic, asset, network, pay_to } = availability.terms.quote;
  return {
    name,
    status: "ok",
    text: `A trial costs ${amount_atomic} of ${asset} on ${network}, paid to ${pay_to}. No other installation may use this X402_PAY_TO: the same payment could be presented to both.`,
  };
}
