"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";

import { Button } from "@/components/ui/button";
import { Dialog, DialogActions, DialogClose } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { useToast } from "@/components/ui/toast";
import type { Action } from "@/components/ui/action-result";
import { Confirm } from "@/components/ui/confirm";
import { Refusal } from "@/components/ui/refusal";
import { useAction } from "@/components/ui/use-action";

type WebAppKey = { workspaceId: string; webAppId: string };
type Change = "pause" | "resume" | "archive";
type Props = {
  webApp: WebAppKey;
  name: string;
  state: "active" | "paused" | "archived";
  change: Action<WebAppKey & { change: Change }, unknown>;
  rename: Action<WebAppKey & { name: string }, unknown>;
};

function Rename({ webApp, name, rename }: Pick<Props, "webApp" | "name" | "rename">) {
  const [isOpen, setOpen] = useState(false);
  const [value, setValue] = useState(name);
  const { run, result, isPending, reset } = useAction(rename);
  const router = useRouter();
  return (
    <Dialog title="Rename" trigger={<Button>Rename</Button>} open={isOpen} onOpenChange={setOpen} onClosed={reset}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          run({ ...webApp, name: value }, () => {
            setOpen(false);
            router.refresh();
          });
        }}
      >
        <Field label="Name">
          <Input required maxLength={80} value={value} onText={setValue} />
        </Field>
        <Refusal result={result} />
        <DialogActions>
          <DialogClose>Cancel</DialogClose>
          <Button type="submit" variant="primary" disabled={isPending}>
            Rename
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** Rename, pause, resume, archive: whatever the state of the Web App allows. */
export function WebAppActions({ webApp, name, state, change, rename }: Props) {
  const { run, isPending } = useAction(change);
  const router = useRouter();
  const toast = useToast();
  if (state === "archived") return null;
  const isPaused = state === "paused";
  return (
    <>
      <Rename webApp={webApp} name={name} rename={rename} />
      <Button
        disabled={isPending}
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
      <Confirm
        trigger={<Button variant="danger">Archive</Button>}
        title={`Archive “${name}”?`}
        confirmLabel="Archive for good"
        typed={name}
        action={change}
        input={{ ...webApp, change: "archive" as const }}
        done="Archived"
      >
        Its environment id refuses every visit from then on, for good. Reports that exist stay readable.
      </Confirm>
    </>
  );
}
