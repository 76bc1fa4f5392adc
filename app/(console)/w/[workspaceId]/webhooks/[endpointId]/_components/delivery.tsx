"use client";

import { useState } from "react";

import type { Action } from "@/components/ui/action-result";
import { Button } from "@/components/ui/button";
import { TimeTd } from "@/components/ui/cells";
import { CodeFrame } from "@/components/ui/code-block";
import { Confirm } from "@/components/ui/confirm";
import { Dialog } from "@/components/ui/dialog";
import { Id } from "@/components/ui/id";
import { JsonBlock } from "@/components/ui/json-block";
import { Chip } from "@/components/ui/chip";
import { Td } from "@/components/ui/table";
import { RelativeTime } from "@/components/ui/time";

export type DeliveryRow = {
  deliveryId: string;
  eventId: string;
  type: string;
  payload: unknown;
  occurredAt: string;
  state: "pending" | "delivered" | "failed";
  isSending: boolean;
  attempts: number;
  dueAt: string;
  lastStatus: number | null;
  lastDurationMs: number | null;
  lastAnswer: string;
  lastProblem: string;
};

type Props = {
  workspaceId: string;
  delivery: DeliveryRow;
  now: string;
  /** Whether it can be sent again. */
  canResend: boolean;
  resend: Action<{ workspaceId: string; deliveryId: string }, unknown>;
};

function answerOf({ lastStatus, lastDurationMs, lastProblem, attempts }: DeliveryRow): string {
  if (attempts === 0) return "not sent yet";
  const took = lastDurationMs === null ? "" : ` in ${lastDurationMs} ms`;
  if (lastStatus !== null) return `${lastStatus}${took}`;
  return lastProblem === "" ? "on its way" : lastProblem;
}

const stateOf = ({ state, isSending }: DeliveryRow): string => {
  if (state !== "pending") return state;
  return isSending ? "being sent" : "waiting";
};

function DeliveryDialog({ delivery }: { delivery: DeliveryRow }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Dialog
      title={delivery.type}
      open={isOpen}
      onOpenChange={setOpen}
      trigger={
        <Button size="sm" variant="ghost" aria-label={`Show the message ${delivery.type}`}>
          Show
        </Button>
      }
    >
      <div className="flex min-w-0 flex-col gap-3">
        <div className="text-fg-muted">
          Event <Id value={delivery.eventId} copy="always" />
        </div>
        <JsonBlock value={delivery.payload} label="Payload" />
        <p>
          Last answer: {answerOf(delivery)}
          {delivery.attempts > 1 ? `, after ${delivery.attempts} attempts` : ""}
        </p>
        {delivery.lastAnswer === "" ? null : (
          <CodeFrame label="Answer">
            <code>{delivery.lastAnswer}</code>
          </CodeFrame>
        )}
      </div>
    </Dialog>
  );
}

/** One message of a webhook. */
export function Delivery({ workspaceId, delivery, now, canResend, resend }: Props) {
  return (
    <tr>
      <TimeTd at={delivery.occurredAt} now={now} />
      <Td>{delivery.type}</Td>
      <Td>
        <Chip isActive={delivery.state === "delivered"}>{stateOf(delivery)}</Chip>
      </Td>
      <Td className="max-w-80 wrap-anywhere whitespace-normal">{answerOf(delivery)}</Td>
      <Td className="text-right">{delivery.attempts}</Td>
      <Td>
        {delivery.state === "pending" && delivery.attempts > 0 && !delivery.isSending ? (
          <RelativeTime at={delivery.dueAt} now={now} />
        ) : null}
      </Td>
      <Td className="text-right">
        <DeliveryDialog delivery={delivery} />
        {canResend && delivery.state !== "pending" ? (
          <Confirm
            trigger={
              <Button size="sm" variant="ghost" aria-label={`Send the message ${delivery.type} again`}>
                Resend…
              </Button>
            }
            title="Send this message again?"
            confirmLabel="Send again"
            isSafe
            action={resend}
            input={{ workspaceId, deliveryId: delivery.deliveryId }}
            done="The message is on its way"
          >
            It keeps its id, so that a receiver recognises it as a repeat.
          </Confirm>
        ) : null}
      </Td>
    </tr>
  );
}
