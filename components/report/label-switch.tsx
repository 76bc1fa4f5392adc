"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";

import { Button } from "@/components/ui/button";
import type { Action } from "@/components/ui/action-result";
import { Refusal } from "@/components/ui/refusal";
import { useToast } from "@/components/ui/toast";
import { useAction } from "@/components/ui/use-action";
import type { Label } from "@/lib/contract/labels";
import { LABEL_WORDS, LABELS_IN_ORDER } from "./label-words";

type Subject = { imprint?: string; deviceId?: string; accountId?: string };
export type SetLabelAction = Action<{ workspaceId: string; subject: Subject; label: Label | null }, unknown>;

type Props = {
  workspaceId: string;
  /** Name of the group: `Label of this visit`. */
  name: string;
  subject: Subject;
  label: Label | null;
  action: SetLabelAction;
};

/** The labels of one subject as buttons: at most one is pressed, and pressing it again removes the label. */
export function LabelSwitch({ workspaceId, name, subject, label, action }: Props) {
  const { run, result, isPending } = useAction(action);
  const [pressed, setPressed] = useState<Label>();
  const router = useRouter();
  const toast = useToast();
  return (
    <div>
      <div role="group" aria-label={name} className="flex flex-wrap gap-1">
        {LABELS_IN_ORDER.map((each) => (
          <Button
            key={each}
            size="sm"
            variant={each === label ? "primary" : "secondary"}
            aria-pressed={each === label}
            isPending={isPending && each === pressed}
            disabled={isPending && each !== pressed}
            onClick={() => {
              setPressed(each);
              const next = each === label ? null : each;
              run({ workspaceId, subject, label: next }, () => {
                toast.show(next === null ? "The label is taken back" : `Labelled ${LABEL_WORDS[next].toLowerCase()}`);
                router.refresh();
              });
            }}
          >
            {LABEL_WORDS[each]}
          </Button>
        ))}
      </div>
      <Refusal result={result} />
    </div>
  );
}
