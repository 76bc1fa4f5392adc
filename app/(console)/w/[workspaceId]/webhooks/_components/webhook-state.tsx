import { Chip } from "@/components/ui/chip";

type State = { state: "active" | "paused" | "disabled"; failingSince: Date | null };

/** Whether messages are sent to a webhook. */
export function WebhookState({ state, failingSince }: State) {
  if (state !== "active") return <Chip>{state}</Chip>;
  return failingSince === null ? <Chip isActive>active</Chip> : <Chip>failing</Chip>;
}
