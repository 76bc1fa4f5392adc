"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";

import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { useToast } from "@/components/ui/toast";
import type { ReadConsequences } from "@/components/shell/consequence-asked";
import type { Action } from "@/components/ui/action-result";
import { Confirm } from "@/components/ui/confirm";
import { FormDialog } from "@/components/ui/form-dialog";
import { Refusal } from "@/components/ui/refusal";
import { useAction } from "@/components/ui/use-action";
import { foreign } from "@/components/ui/foreign";

type WebAppKey = { workspaceId: string; webAppId: string };
type Change = "pause" | "resume" | "archive";
type Props = {
  webApp: WebAppKey;
  name: string;
  state: "active" | "paused" | "archived";
  change: Action<WebAppKey & { change: Change }, unknown>;
  rename: Action<WebAppKey & { name: string }, unknown>;
  readConsequences: ReadConsequences;
};

function Rename({ webApp, name, rename }: Pick<Props, "webApp" | "name" | "rename">) {
  const [value, setValue] = useState(name);
  return (
    <FormDialog
      title="Rename"
      trigger={<Button>Rename</Button>}
      submit="Rename"
      action={rename}
      input={{ ...webApp, name: value }}
      done="Renamed"
    >
      <Field label="Name">
        <Input required maxLength={80} value={value} onText={setValue} />
      </Field>
    </FormDialog>
  );
}

/** Pauses at once, without confirmation: the same button undoes it. */
function PauseOrResume({ webApp, isPaused, change }: Pick<Props, "webApp" | "change"> & { isPaused: boolean }) {
  const { run, result, isPending } = useAction(change);
  const router = useRouter();
  const toast = useToast();
  return (
    <>
      <Button
        isPending={isPending}
        onClick={() => {
          run({ ...webApp, change: isPaused ? "resume" : "pause" }, () => {
            toast.show(
              isPaused ? "Resumed" : "Paused",
              isPaused ? "Visits are accepted again." : "Visits are refused until you resume it.",
            );
            router.refresh();
          });
        }}
      >
        {isPaused ? "Resume" : "Pause"}
      </Button>
      <Refusal result={result} />
    </>
  );
}

/** Rename, pause, resume, archive: the actions that the Web App's state allows. */
export function WebAppActions({ webApp, name, state, change, rename, readConsequences }: Props) {
  if (state === "archived") return null;
  return (
    <>
      <Rename webApp={webApp} name={name} rename={rename} />
      <PauseOrResume webApp={webApp} isPaused={state === "paused"} change={change} />
      <Confirm
        trigger={<Button variant="danger">Archive</Button>}
        title={`Archive “${foreign(name)}”?`}
        confirmLabel="Archive for good"
        typed={name}
        action={change}
        input={{ ...webApp, change: "archive" as const }}
        done="Archived"
        consequences={{ asked: { what: "webApp", ...webApp }, read: readConsequences }}
      >
        Its environment id refuses every visit from then on, for good. Reports that exist stay readable.
      </Confirm>
    </>
  );
}
