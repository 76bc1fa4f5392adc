"use client";

import { Plus } from "lucide-react";
import { useState } from "react";

import { pageHref } from "@/components/shell/pages";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions, DialogClose } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Id } from "@/components/ui/id";
import { Input } from "@/components/ui/input";
import type { Action } from "@/components/ui/action-result";
import { type OriginVerdict, splitOrigins } from "@/components/ui/origin-verdict";
import { OriginsField } from "@/components/ui/origins-field";
import { useNavigate } from "@/components/ui/navigation-progress";
import { Refusal } from "@/components/ui/refusal";
import { OneTimeSecret } from "@/components/ui/one-time-secret";
import { useAction } from "@/components/ui/use-action";
import { useLeaveGuard } from "@/components/ui/use-leave-guard";

type Created = { webAppId: string; environmentId: string; secret: string };
type Props = {
  workspaceId: string;
  create: Action<{ workspaceId: string; name: string; origins: string[] }, Created>;
  explainOrigins: Action<string[], OriginVerdict[]>;
};

/** Creates a Web App, then shows its environment id and the key's secret once, in the same dialog. */
export function CreateWebApp({ workspaceId, create, explainOrigins }: Props) {
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  const [name, setName] = useState("");
  const [origins, setOrigins] = useState("");
  const { run, result, isPending, reset } = useAction(create);
  useLeaveGuard(isPending);
  const created = result?.ok ? result.value : undefined;
  return (
    <>
      <Button
        variant="primary"
        onClick={() => {
          setOpen(true);
        }}
      >
        <Plus aria-hidden />
        New Web App
      </Button>
      <Dialog
        title={created ? "Store the server key" : "New Web App"}
        open={isOpen}
        onOpenChange={setOpen}
        mustBeAnswered={created !== undefined || isPending}
        onClosed={() => {
          reset();
          setName("");
          setOrigins("");
        }}
      >
        {created ? (
          <div className="flex flex-col gap-4">
            <div>
              <p className="font-medium">Environment id</p>
              <Id value={created.environmentId} isWhole copy="always" />
            </div>
            <OneTimeSecret
              secret={created.secret}
              environmentId={created.environmentId}
              doneLabel="To the Web App"
              onDone={() => {
                setOpen(false);
                navigate(pageHref("web-app", { workspaceId, webAppId: created.webAppId }));
              }}
            />
          </div>
        ) : (
          <form
            className="flex flex-col gap-4"
            onSubmit={(event) => {
              event.preventDefault();
              run({ workspaceId, name, origins: splitOrigins(origins) });
            }}
          >
            <Field label="Name" hint="The website that will run the component.">
              <Input required maxLength={80} value={name} placeholder="Shop" onText={setName} />
            </Field>
            <OriginsField text={origins} onChange={setOrigins} explain={explainOrigins} />
            <Refusal result={result} />
            <DialogActions>
              <DialogClose>Cancel</DialogClose>
              <Button type="submit" variant="primary" isPending={isPending}>
                Create
              </Button>
            </DialogActions>
          </form>
        )}
      </Dialog>
    </>
  );
}
