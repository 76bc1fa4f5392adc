import type { Payments } from "@/lib/trials/payments";
import type { Fact } from "./domain/fact";

type Given = { isConfigured: boolean } & Pick<Payments, "readAvailability">;

/** Whether Agent Trials can be sold, and what an incomplete configuration lacks. */
export async function checkPayments({ isConfigured, readAvailability }: Given): Promise<Fact> {
  const name = "payments";
  if (!isConfigured) return { name, status: "ok", text: "Agent Trials are not on sale: no payments are set up." };
  const availability = await readAvailability();
  if (!availability.available) {
    const text = `Agent Trials cannot be sold: ${availability.missing.join("; ")}.`;
    return { name, status: "warn", text, fix: "Set what is missing; docs/agent-trial.md explains each variable." };
  }
  const { amount_atomic, asset, network, pay_to } = availability.terms.quote;
  return {
    name,
    status: "ok",
    text: `A trial costs ${amount_atomic} of ${asset} on ${network}, paid to ${pay_to}. No other installation may have this X402_PAY_TO: one payment could be shown to both.`,
  };
}
