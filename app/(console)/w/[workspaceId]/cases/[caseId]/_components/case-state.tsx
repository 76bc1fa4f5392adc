"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";

import { STATUS_TEXTS, type Status } from "@/components/case/case-status";
import type { Action } from "@/components/ui/action-result";
import { Field } from "@/components/ui/field";
import { NativeSelect } from "@/components/ui/input";
import { Refusal } from "@/components/ui/refusal";
import { useToast } from "@/components/ui/toast";
import { useAction } from "@/components/ui/use-action";

export type OfCase = { workspaceId: string; caseId: string };

type Props = {
  of: OfCase;
  status: Status;
  /** Empty if unassigned. */
  assigneeId: string;
  /** The members who are offered, and the assignee. */
  people: readonly { userId: string; name: string }[];
  setStatus: Action<OfCase & { status: Status }, unknown>;
  assign: Action<OfCase & { assigneeId: string }, unknown>;
};

const isStatus = (text: string): text is Status => Object.hasOwn(STATUS_TEXTS, text);

/** Status and assignee of a case, saved as soon as they are chosen. */
export function CaseState({ of, status, assigneeId, people, setStatus, assign }: Props) {
  const [router, toast] = [useRouter(), useToast()];
  const [changing, giving] = [useAction(setStatus), useAction(assign)];
  const [chosen, setChosen] = useState({ status, assigneeId });
  const done = (text: string) => () => {
    toast.show(text);
    router.refresh();
  };
  return (
    <>
      <div className="grid gap-3 px-4 py-3 sm:grid-cols-2">
        <Field label="Status">
          <NativeSelect
            value={changing.isPending ? chosen.status : status}
            isPending={changing.isPending}
            onChange={({ currentTarget: { value } }) => {
              if (!isStatus(value)) return;
              setChosen({ ...chosen, status: value });
              changing.run({ ...of, status: value }, done("The status is changed"));
            }}
          >
            {Object.entries(STATUS_TEXTS).map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </NativeSelect>
        </Field>
        <Field label="Assigned to">
          <NativeSelect
            value={giving.isPending ? chosen.assigneeId : assigneeId}
            isPending={giving.isPending}
            onChange={({ currentTarget: { value } }) => {
              setChosen({ ...chosen, assigneeId: value });
              giving.run(
                { ...of, assigneeId: value },
                done(value === "" ? "The case is unassigned" : "The case is assigned"),
              );
            }}
          >
            <option value="">Nobody</option>
            {people.map(({ userId, name }) => (
              <option key={userId} value={userId}>
                {name}
              </option>
            ))}
          </NativeSelect>
        </Field>
      </div>
      <div className="flex flex-col gap-2 px-4 pb-3 empty:hidden">
        <Refusal result={changing.result} />
        <Refusal result={giving.result} />
      </div>
    </>
  );
}
